import { databaseNames, keystoreClaim, names } from "@hearth-platform/hearth/catalogue/names";
import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { managedApps } from "@hearth-platform/hearth/cloudsuite/apps/other-apps";
import { pushProxyProblems } from "@hearth-platform/hearth/cloudsuite/apps/push";
import { appSecrets, servedApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { signOnGroupProblems } from "@hearth-platform/hearth/cloudsuite/apps/sign-on";
import type { CloudSuiteArgs, CloudSuiteSignOnArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuiteComponent } from "@hearth-platform/hearth/cloudsuite/component";
import { suiteNames } from "@hearth-platform/hearth/cloudsuite/suite-names";
import { repeated } from "@hearth-platform/hearth/core/arguments";
import type { PlatformArgs } from "@hearth-platform/hearth/core/platform-args";
import { error, type Problem, shown } from "@hearth-platform/hearth/core/problems";
import { applicationNames } from "@hearth-platform/hearth/forge/forge-names";
import { bucketSettingsOf, storeName } from "../../providers.ts";
import type { StackSettings } from "../../settings/stack-schema.ts";
import type { Suite } from "../../stack-settings.ts";
import { type Area, type DeployedVersion, ofSettings, storeKeysProblems } from "../area.ts";
import { knownForge } from "../forge/settings.ts";
import { withForge, withProvider } from "../sign-on.ts";
import type { ConfigFile } from "./config-schema.ts";
import {
  type CloudSuiteSettings,
  SuiteSignOnSource,
  suiteApplication,
  suiteSettingsOf,
  suiteSignsOnWithForge,
  suitesSettings,
} from "./settings.ts";

/** What accounts of the forge's users begin with. It never changes. */
const forgeIdentifier = "forge";

/** The collaboration suites, each described by its settings and its config.yaml. */
export const suitesArea: Area<typeof suitesSettings, "CloudSuite"> = {
  settings: suitesSettings,
  component: cloudSuiteComponent,
  after: ["admission"],
  parts: ({ settings, suites }, { platform }) =>
    suites.map((suite) => ({
      name: suite.settings.name,
      args: suiteArguments(suite, settings, platform),
      objectStore: storeName(suite.config.s3.endpoint),
      ...(suiteSignsOnWithForge(suite.settings) && { after: ["forge"] }),
    })),
  rules: [
    ofSettings(["cloudsuites"], ({ cloudsuites = [] }) => [
      ...doubled(
        "name",
        cloudsuites.map(({ name }) => name),
      ),
      ...doubled("database", cloudsuites.map(databaseElsewhere)),
      ...cloudsuites.flatMap((suite, index) => placed(`cloudsuites[${index}]`, managedApps(suite))),
      ...cloudsuites.flatMap(({ recover, database }, index) =>
        recover && database ? [recoveryElsewhere(`cloudsuites[${index}].recover`)] : [],
      ),
      ...cloudsuites.flatMap(({ database, dbClass, keystore, keystoreClass }, index) => [
        ...(database && dbClass !== undefined ? [classElsewhere(`cloudsuites[${index}].dbClass`, "database")] : []),
        ...(keystore && keystoreClass !== undefined
          ? [classElsewhere(`cloudsuites[${index}].keystoreClass`, "keystore")]
          : []),
      ]),
    ]),
    ofSettings(["cloudsuites", "secrets"], ({ cloudsuites, secrets }) =>
      cloudsuites?.length ? storeKeysProblems(names.cloudsuite.objectStoreCredentials, secrets) : [],
    ),
    ofSettings(["cloudsuites", "forge"], ({ cloudsuites = [], forge }) =>
      cloudsuites.flatMap((suite, index) => signOnProblems(suite, `cloudsuites[${index}]`, forge !== undefined)),
    ),
    ofSettings(["cloudsuites", "secrets"], existingApplications),
    ofSettings(["cloudsuites", "ingress", "clusterNetworks"], ({ cloudsuites = [], ...platform }) =>
      cloudsuites.flatMap(({ push }, index) => pushProxyProblems(`cloudsuites[${index}].push`, push, platform)),
    ),
  ],
  versions: ofSettings(["cloudsuites"], ({ cloudsuites = [] }) =>
    cloudsuites.flatMap(({ push, previews }, index) => [
      ...deployedVersion(`cloudsuites[${index}].push`, "notifyPush", push),
      ...deployedVersion(`cloudsuites[${index}].previews`, "imaginary", previews),
    ]),
  ),
  workloads: () => [
    suiteNames.web,
    suiteNames.cron,
    suiteNames.configure,
    suiteNames.configurationBackup,
    suiteNames.blockedUsers,
    ...servedApps.map(({ server }) => server.workload),
    suiteNames.database,
    databaseNames(suiteNames.database).pooler,
    names.keystore,
    names.keystoreExporter,
  ],
  secrets: () => ({
    own: [
      names.cloudsuite.objectStoreCredentials,
      databaseNames(names.cloudsuite.database).credentials,
      suiteNames.administrator,
      ...appSecrets,
    ],
    firstPasswords: [suiteNames.administrator],
  }),
  data: [suiteNames.volume, suiteNames.database, suiteNames.administrator, keystoreClaim],
  recordsCluster: true,
};

/** A suite's arguments, of its settings and its config.yaml. */
export function suiteArguments(
  { config, settings }: Suite,
  stack: StackSettings,
  platform: PlatformArgs,
): CloudSuiteArgs {
  const { office, whiteboard, storage, ...rest } = config;
  const signOn = signOnArguments(settings, stack);
  return {
    ...rest,
    ...suiteSettingsOf(settings),
    ...(signOn && { signOn }),
    storage: {
      ...storage,
      webSize: settings.webSize,
      dbClass: settings.dbClass ?? stack.storageClass,
      keystoreClass: settings.keystoreClass ?? stack.storageClass,
    },
    office: officeArguments(office, settings),
    whiteboard: whiteboard.enabled && whiteboard.resources ? { resources: whiteboard.resources } : undefined,
    objectStorage: bucketSettingsOf(stack),
    platform,
  };
}

/** The version of an app's server, where the app is on. */
function deployedVersion(
  at: string,
  program: "notifyPush" | "imaginary",
  app: { readonly enabled: boolean; readonly version?: string | undefined } | undefined,
): DeployedVersion[] {
  if (!app?.enabled) return [];
  return [{ path: `${at}.version`, program, version: app.version ?? programs[program].deployed }];
}

function signOnArguments(settings: CloudSuiteSettings, stack: StackSettings): CloudSuiteSignOnArgs | undefined {
  if (!settings.signOn) return undefined;
  const { with: source, issuer, ...rest } = settings.signOn;
  if (source === SuiteSignOnSource.provider) return issuer === undefined ? undefined : { ...rest, issuer };
  if (!stack.forge) return undefined;
  const { domain, namespace } = knownForge(stack, stack.forge);
  return {
    ...rest,
    identifier: forgeIdentifier,
    issuer: `https://${domain}`,
    // Its ID token has no others. (gitlab-org/gitlab config/initializers/doorkeeper_openid_connect.rb)
    groupsClaim: rest.groupsClaim ?? "groups_direct",
    application: { namespace, secret: applicationNames(suiteApplication(settings)).secret },
  };
}

function signOnProblems({ signOn }: CloudSuiteSettings, at: string, hasForge: boolean): Problem[] {
  if (!signOn) return [];
  const { issuer, clientId, clientSecret, groups, onlyMembers } = signOn;
  const identifier = signOn.with === SuiteSignOnSource.forge ? forgeIdentifier : signOn.identifier;
  const path = (key: string) => `${at}.signOn.${key}`;
  return [
    ...(signOn.with === SuiteSignOnSource.provider
      ? withProvider({ issuer, clientId, clientSecret }, path, "suite's")
      : withForge({ issuer, clientId, clientSecret, identifier: signOn.identifier }, path, hasForge)),
    ...placed(`${at}.signOn`, signOnGroupProblems({ groups, onlyMembers, identifier })),
  ];
}

/** Problems below a path. */
function placed(at: string, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, path: `${at}.${problem.path}` }));
}

/** A client that the forge takes from an existing Secret: hearth can't copy that one into the suite's namespace. */
function existingApplications({
  cloudsuites = [],
  secrets,
}: Pick<StackSettings, "cloudsuites" | "secrets">): Problem[] {
  const { existing = {} } = secrets ?? {};
  if (existing[suiteNames.signOn] !== undefined) return [];
  return cloudsuites
    .filter(suiteSignsOnWithForge)
    .map((suite) => applicationNames(suiteApplication(suite)).secret)
    .filter((name) => existing[name] !== undefined)
    .map((name) =>
      error(
        "secret-source",
        `secrets.existing.${name}`,
        "The suite needs the same values in its own namespace, and hearth does not read an existing Secret.",
        `Make a Secret with the same keys in the suite's namespace, and name it at secrets.existing.${suiteNames.signOn}.`,
      ),
    );
}

function officeArguments(
  { enabled, domain, resources }: ConfigFile["office"],
  { officeEngine }: CloudSuiteSettings,
): CloudSuiteArgs["office"] {
  return enabled && domain !== undefined && resources ? { domain, resources, engine: officeEngine } : undefined;
}

function recoveryElsewhere(path: string): Problem {
  return error(
    "recovery-elsewhere",
    path,
    "The suite uses an existing database, which hearth can't recover.",
    "Recover it where it runs, and remove `recover`.",
  );
}

function classElsewhere(path: string, store: string): Problem {
  return error(
    "unused",
    path,
    `The suite uses an existing ${store}, whose volumes hearth does not make.`,
    "Remove it.",
  );
}

/** Values under `key` that an earlier suite has, too. */
function doubled(key: keyof CloudSuiteSettings, values: readonly (string | undefined)[]): Problem[] {
  return repeated(values, (value, index) =>
    error(
      "shared",
      `cloudsuites[${index}].${key}`,
      `${shown(value)} is also the ${key} of another suite.`,
      "Each suite needs its own.",
    ),
  );
}

/** The existing database that a suite uses, or none if its host is a short name, which has a meaning of its own in each namespace. */
function databaseElsewhere(suite: CloudSuiteSettings): string | undefined {
  const { host, port, database } = suite.database ?? {};
  return host?.includes(".") ? `${host}:${port}/${database}` : undefined;
}
