import { names } from "../catalogue/names.ts";

const { web } = names.cloudsuite;

/** Names of a suite's objects beside those of the specification. Each suite has a namespace of its own, so they need no prefix of it. */
export const suiteNames = {
  ...names.cloudsuite,
  administrator: `${web}-admin`,
  configuration: `${web}-config`,
  scripts: `${web}-scripts`,
  appSettings: `${web}-apps`,
  configure: `${web}-configure`,
  configurationBackup: `${web}-config-backup`,
  volume: web,
  toHttps: `${web}-to-https`,
  strictTransport: `${web}-strict-transport`,
  davRedirect: `${web}-dav-redirect`,
} as const;
