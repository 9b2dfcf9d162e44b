import { names } from "../catalogue/names.ts";

const { web } = names.cloudsuite;

/** Names of a suite's objects that the specification does not name. They need no prefix: each suite has its own namespace. */
export const suiteNames = {
  ...names.cloudsuite,
  administrator: `${web}-admin`,
  configuration: `${web}-config`,
  scripts: `${web}-scripts`,
  appSettings: `${web}-apps`,
  configure: `${web}-configure`,
  configurationBackup: `${web}-config-backup`,
  signOn: `${web}-sign-on`,
  push: "push",
  previews: "previews",
  blockedUsers: `${web}-blocked-users`,
  alerts: `${web}-alerts`,
  volume: web,
  toHttps: `${web}-to-https`,
  strictTransport: `${web}-strict-transport`,
  davRedirect: `${web}-dav-redirect`,
} as const;
