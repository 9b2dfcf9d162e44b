import { databaseNames, names } from "@hearth-platform/hearth/catalogue/names";
import { suiteApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { suiteNames } from "@hearth-platform/hearth/cloudsuite/suite-names";
import { type Rule, repeated, rulesOn, wholeParts } from "@hearth-platform/hearth/core/arguments";
import { formatPath } from "@hearth-platform/hearth/core/paths";
import { error, type Problem, shown } from "@hearth-platform/hearth/core/problems";
import { suggest } from "@hearth-platform/hearth/core/suggest";
import { applicationNames, forgeWorkloads } from "@hearth-platform/hearth/forge/forge-names";
import { hubWorkloads } from "@hearth-platform/hearth/hub/hub-names";
import { webhookNames } from "@hearth-platform/hearth/site-webhook/webhook-names";
import { sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import type { SuiteSettings } from "../settings/areas-schema.ts";
import { type CloudSuiteSettings, StackSettings } from "../settings/stack-schema.ts";
import { settingsPrefix } from "../settings/stack-source.ts";
import { admissionClaims, admissionSettingsRules } from "./admission/settings.ts";
import { type Claim, takenProblems } from "./claim.ts";
import { forgeClaims, forgeSettingsRules } from "./forge/rules.ts";
import { hubClaims, hubSettingsRules } from "./hub/rules.ts";
import { hubApplication } from "./hub/settings.ts";
import { secretRule } from "./secret-rules.ts";
import { serviceImageSettingsRules } from "./service-image/settings.ts";
import { siteWebhookClaims, siteWebhookSettingsRules } from "./site-webhook/settings.ts";
import { storesSettingsRules } from "./stores/rules.ts";
import { ConfigFile } from "./suites/config-schema.ts";

/** Names that `workloads` may have: those of the suites' and the forge's workloads. */
export const workloadNames: readonly string[] = [
  suiteNames.web,
  suiteNames.cron,
  suiteNames.configure,
  suiteNames.configurationBackup,
  ...suiteApps.map(({ workload }) => workload),
  suiteNames.database,
  databaseNames(suiteNames.database).pooler,
  names.keystore,
  ...forgeWorkloads,
  ...hubWorkloads,
  applicationNames(hubApplication).job,
  sharedNames.database,
  sharedNames.pooler,
  webhookNames.webhook,
];

const rule = rulesOn(StackSettings);

/** Conflicts within the settings of a stack. */
export const stackRules: readonly Rule[] = [
  rule(["cloudsuites"], ({ cloudsuites = [] }) => [
    ...doubled(
      "name",
      cloudsuites.map(({ name }) => name),
    ),
    ...doubled("database", cloudsuites.map(databaseElsewhere)),
    ...cloudsuites.flatMap(({ recover, database }, index) =>
      recover && database ? [recoveryElsewhere(`cloudsuites[${index}].recover`)] : [],
    ),
  ]),
  rule(["workloads"], ({ workloads = {} }) => Object.keys(workloads).flatMap(workloadName)),
  rule(["cloudsuites", "forge", "hub", "secrets"], objectStoreCredentials),
  secretRule,
  ...storesSettingsRules,
  ...forgeSettingsRules,
  ...hubSettingsRules,
  ...admissionSettingsRules,
  ...serviceImageSettingsRules,
  ...siteWebhookSettingsRules,
  areaProblems,
];

/** Names in `existingNamespaces` that the stack would not make. @param suites the namespaces of the stack's suites */
export function existingNamespacesRule(suites: readonly (string | undefined)[]): Rule {
  return (known) => {
    const { existingNamespaces = [] } = wholeParts(StackSettings, known, ["existingNamespaces"]) ?? {};
    const claims = [forgeClaims, hubClaims, admissionClaims, siteWebhookClaims].flatMap((of) => of(known));
    const made = [...suites, ...claims.flatMap(({ kind, value }) => (kind === "namespace" ? [value] : []))];
    return existingNamespaces.flatMap((name, index) =>
      made.includes(name)
        ? []
        : [
            error(
              "unused",
              `existingNamespaces[${index}]`,
              "The stack has no namespace of this name.",
              `Remove it, or use one of ${[...new Set(made)].filter(Boolean).join(", ")}.`,
            ),
          ],
    );
  };
}

/** Names of an area that an earlier area has already claimed. Forge and hub share a namespace; sites may share one. */
function areaProblems(known: unknown): Problem[] {
  const forge = forgeClaims(known);
  const areas = [
    forge,
    hubClaims(known).filter(({ kind }) => forge.length === 0 || kind === "host"),
    admissionClaims(known),
    siteWebhookClaims(known),
  ];
  return areas.flatMap((area, index) =>
    takenProblems(
      area,
      areas.slice(0, index).flatMap((earlier) => earlier.map((claim) => ({ ...claim, where: "of this stack" }))),
    ).map((problem) => ({ ...problem, path: problem.path.slice(settingsPrefix.length) })),
  );
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

function workloadName(name: string): Problem[] {
  if (workloadNames.includes(name)) return [];
  const likely = suggest(name, workloadNames);
  const remedy = likely ? `Did you mean ${likely}?` : `Known here: ${workloadNames.join(", ")}.`;
  return [error("unknown-key", formatPath(["workloads", name]), `Unknown workload ${shown(name)}.`, remedy)];
}

/** The object store's keys are made by its provider: they can only come from outside. */
function objectStoreCredentials({
  cloudsuites,
  forge,
  hub,
  secrets,
}: Pick<StackSettings, "cloudsuites" | "forge" | "hub" | "secrets">): Problem[] {
  const needed = [
    ...(cloudsuites?.length ? [names.cloudsuite.objectStoreCredentials] : []),
    ...(forge || hub ? [sharedNames.objectStoreCredentials] : []),
  ];
  if (secrets?.store) return [];
  return needed
    .filter((secret) => secrets?.existing?.[secret] === undefined)
    .map((secret) =>
      error(
        "secret-source",
        "secrets",
        `The Secret ${secret} with the object store's keys can't be generated.`,
        `Name the store that holds it (secrets.store), or an existing Secret (secrets.existing.${secret}).`,
      ),
    );
}

/** The config.yaml of a suite, as far as it is sound. */
export interface SuiteFile {
  readonly file: string;
  /** With the arguments that stand in the stack's settings. */
  readonly known: KnownSuite;
}

type KnownSuite = Partial<ConfigFile & SuiteSettings>;

/**
 * Namespaces, hosts and buckets that two suites name, or a suite and the forge: for each suite the problems of its file.
 * @param stack the stack's file and its settings, where the forge's stand
 */
export function sharedProblems(
  suites: readonly SuiteFile[],
  stack: { readonly file: string; readonly known: unknown },
): Problem[][] {
  const areas = [forgeClaims, hubClaims, siteWebhookClaims, admissionClaims]
    .flatMap((claimsOf) => claimsOf(stack.known))
    .map((claim) => ({ ...claim, where: `of ${stack.file}` }));
  return suites.map((suite, index) => {
    const others = suites
      .slice(0, index)
      .flatMap((other) => claims(other.known).map((claim) => ({ ...claim, where: `of ${other.file}` })));
    return takenProblems(claims(suite.known), [...areas, ...others]);
  });
}

/** Names that no two suites may share. */
function claims(suite: KnownSuite): Claim[] {
  const { namespace, domain, s3 } = suite;
  return [
    { path: "namespace", kind: "namespace", value: namespace },
    { path: "domain", kind: "host", value: domain },
    ...suiteApps.flatMap(({ key, ownHost }): Claim[] =>
      ownHost ? [{ path: `${key}.domain`, kind: "host", value: appHost(suite, key) }] : [],
    ),
    { path: "s3.buckets.data", kind: "bucket", value: s3?.buckets?.data },
    { path: "s3.buckets.backups", kind: "bucket", value: s3?.buckets?.backups },
  ];
}

/** The host of an app that is on: config.yaml says so of those that it knows. */
function appHost(suite: KnownSuite, key: string): string | undefined {
  const app = (suite as Readonly<Record<string, { enabled?: boolean; domain?: string } | undefined>>)[key];
  return (app?.enabled ?? !(key in ConfigFile.shape)) ? app?.domain : undefined;
}
