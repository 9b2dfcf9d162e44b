import { databaseNames, keystoreClaim, names } from "@hearth-platform/hearth/catalogue/names";
import { appSecrets, suiteApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuiteComponent } from "@hearth-platform/hearth/cloudsuite/component";
import { suiteNames } from "@hearth-platform/hearth/cloudsuite/suite-names";
import { repeated } from "@hearth-platform/hearth/core/arguments";
import type { PlatformArgs } from "@hearth-platform/hearth/core/platform-args";
import { error, type Problem, shown } from "@hearth-platform/hearth/core/problems";
import { bucketSettingsOf, storeName } from "../../providers.ts";
import type { StackSettings } from "../../settings/stack-schema.ts";
import type { Suite } from "../../stack-settings.ts";
import { type Area, ofSettings, storeKeysProblems } from "../area.ts";
import type { ConfigFile } from "./config-schema.ts";
import { type CloudSuiteSettings, suiteSettingsOf, suitesSettings } from "./settings.ts";

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
    })),
  rules: [
    ofSettings(["cloudsuites"], ({ cloudsuites = [] }) => [
      ...doubled(
        "name",
        cloudsuites.map(({ name }) => name),
      ),
      ...doubled("database", cloudsuites.map(databaseElsewhere)),
      ...cloudsuites.flatMap(({ recover, database }, index) =>
        recover && database ? [recoveryElsewhere(`cloudsuites[${index}].recover`)] : [],
      ),
    ]),
    ofSettings(["cloudsuites", "secrets"], ({ cloudsuites, secrets }) =>
      cloudsuites?.length ? storeKeysProblems(names.cloudsuite.objectStoreCredentials, secrets) : [],
    ),
  ],
  workloads: [
    suiteNames.web,
    suiteNames.cron,
    suiteNames.configure,
    suiteNames.configurationBackup,
    ...suiteApps.map(({ workload }) => workload),
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
  return {
    ...rest,
    ...suiteSettingsOf(settings),
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
