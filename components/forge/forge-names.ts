import { names } from "../catalogue/names.ts";

const { webservice, gitstore, shell, pages, toolbox, runner } = names.forge;

/** Names of the forge's objects beside those of the specification. */
export const forgeNames = {
  ...names.forge,
  /** Configuration of the sidecar of the web pods. */
  proxy: `${webservice}-proxy`,
  migrations: "forge-migrations",
  postMigrations: "forge-post-migrations",
  backup: "forge-backup",
  settings: "forge-settings",
  scripts: "forge-scripts",
  metrics: "forge-metrics",
  /** The volume claim, named as a StatefulSet's template would: an object of its own grows in place, a template can't. */
  repositories: `data-${gitstore}-0`,
  scratch: `${toolbox}-scratch`,
  gitstoreToken: `${gitstore}-token`,
  shellSecret: `${shell}-secret`,
  hostKeys: `${shell}-host-keys`,
  proxySecret: `${webservice}-proxy-secret`,
  pagesSecret: `${pages}-secret`,
  railsSecrets: "forge-rails-secrets",
  administrator: "forge-admin",
  runnerToken: `${runner}-token`,
  runnerRegistration: `${runner}-registration`,
  runnerJobs: `${runner}-job`,
  toHttps: "forge-to-https",
  strictTransport: "forge-strict-transport",
} as const;

/** Names of what belongs to an application that signs on with the forge. */
export function applicationNames(application: string) {
  return {
    /** Its client id and secret, for both sides. */
    secret: `forge-application-${application}`,
    /** The Job that registers it, without what makes its name unique. */
    job: `forge-application-${application}`,
  } as const;
}

/** The forge's Secrets beside those of its stores and its applications. */
export const forgeSecrets: readonly string[] = [
  forgeNames.gitstoreToken,
  forgeNames.shellSecret,
  forgeNames.hostKeys,
  forgeNames.proxySecret,
  forgeNames.pagesSecret,
  forgeNames.railsSecrets,
  forgeNames.administrator,
  forgeNames.runnerToken,
];

/** The forge's workloads, whose pods `platform.workloads` may set. */
export const forgeWorkloads: readonly string[] = [
  webservice,
  forgeNames.jobs,
  gitstore,
  shell,
  pages,
  toolbox,
  runner,
  forgeNames.migrations,
  forgeNames.postMigrations,
  forgeNames.backup,
  forgeNames.settings,
  forgeNames.runnerRegistration,
];
