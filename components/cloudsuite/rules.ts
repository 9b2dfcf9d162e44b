import { limits, storageClasses } from "../catalogue/limits.ts";
import type { Known } from "../core/known.ts";
import { Profile } from "../core/platform-args.ts";
import { error, type Problem, shown, warning } from "../core/problems.ts";
import { parseQuantity } from "../core/quantities.ts";
import { bucketName, bytes, endpointUrl, fixedSet, hostName, namespaceName } from "../core/value-rules.ts";
import { resourceProblems } from "../kubernetes/resource-rules.ts";
import { suiteApps } from "./apps/registry.ts";
import type { CloudSuiteArgs } from "./args.ts";
import { type SuiteLoad, sizingProblems } from "./sizing.ts";
import { versionProblems } from "./version-rules.ts";

type Suite = Known<CloudSuiteArgs>;
type Rule = (suite: Suite) => readonly Problem[];

/** Location codes of the object store (specification, `s3.region`). */
export const locations = ["fsn1", "nbg1", "hel1"] as const;

/** Everything wrong with a suite: the rules of config.yaml and of the table "Limits". The paths are those of config.yaml. */
export function cloudSuiteProblems(suite: Suite, load: SuiteLoad = {}): Problem[] {
  return [...rules.flatMap((rule) => rule(suite)), ...sizingProblems(suite, load)];
}

const rules: readonly Rule[] = [
  ownNamespace,
  ({ domain }) => hostName("domain", domain),
  versionProblems,
  ({ s3 }) => endpointUrl("s3.endpoint", s3?.endpoint),
  location,
  buckets,
  ({ storage }) => fixedSet("storage.storageClass", storage?.storageClass, Object.values(storageClasses)),
  ({ storage }) =>
    ["dbSize", "keystoreSize", "webSize"].flatMap((key) => bytes(`storage.${key}`, storage?.[key as "dbSize"])),
  keystoreSize,
  ({ resources }) => resourceProblems("resources.cloudsuite", resources?.cloudsuite, limits.cloudsuiteResources[0]),
  ({ resources }) => resourceProblems("resources.db", resources?.db, limits.databaseResources),
  ({ resources }) => resourceProblems("resources.keystore", resources?.keystore, limits.keystoreResources),
  webReplicas,
  databaseReplicas,
  keystoreReplicas,
  ...suiteApps.map(({ problems }) => problems),
];

/** The suite makes its namespace, so that one must not be there from the start. */
function ownNamespace({ namespace }: Suite): Problem[] {
  if (namespace !== "default") return namespaceName("namespace", namespace);
  return [
    error(
      "namespace-reserved",
      "namespace",
      `${shown(namespace)} is Kubernetes' own namespace for what names none.`,
      "Give the suite a namespace of its own, for example team.",
    ),
  ];
}

function location({ s3 }: Suite): Problem[] {
  const problems = fixedSet("s3.region", s3?.region, locations);
  if (problems.length > 0 || s3?.region === undefined || s3.endpoint === undefined) return problems;
  const host = URL.parse(s3.endpoint)?.hostname ?? "";
  if (endpointUrl("s3.endpoint", s3.endpoint).length > 0 || host.split(".").includes(s3.region)) return [];
  const other = locations.find((code) => host.split(".").includes(code));
  return [
    error(
      "region-location",
      "s3.region",
      `The region is ${s3.region}, but the endpoint ${shown(host)} ${other ? `is in ${other}` : `does not name that location`}.`,
      other
        ? `Write region ${other}, or the endpoint of ${s3.region}.`
        : `Use the endpoint of ${s3.region}, for example https://${s3.region}.your-objectstorage.com.`,
    ),
  ];
}

function buckets({ s3 }: Suite): Problem[] {
  const { data, backups } = s3?.buckets ?? {};
  const problems = [
    ...suiteBucket("s3.buckets.data", "data", data),
    ...suiteBucket("s3.buckets.backups", "backups", backups),
  ];
  if (data === undefined || data !== backups) return problems;
  return [
    ...problems,
    error(
      "bucket-shared",
      "s3.buckets.backups",
      `${shown(backups)} is the data bucket too.`,
      "Backups need a bucket of their own: what empties the one must not empty the other.",
    ),
  ];
}

function suiteBucket(path: string, use: "data" | "backups", name: string | undefined): Problem[] {
  const problems = bucketName(path, name);
  if (name === undefined || problems.length > 0 || new RegExp(`^${use}-[^.]+-[^-.]+$`).test(name)) return problems;
  return [
    warning(
      "bucket-shape",
      path,
      `${shown(name)} is not of the shape ${use}-{instance}-<suffix>.`,
      `The usual name is like ${use}-team-a1b2.`,
    ),
  ];
}

function keystoreSize({ storage }: Suite): Problem[] {
  const size = storage?.keystoreSize;
  if (size === undefined || bytes("", size).length > 0 || quantity(size) >= quantity(limits.keystoreSize)) return [];
  return [
    warning(
      "keystore-size",
      "storage.keystoreSize",
      `${size} is below the recommended ${limits.keystoreSize}.`,
      `Write ${limits.keystoreSize}.`,
    ),
  ];
}

function webReplicas({ replicas, storage }: Suite): Problem[] {
  const found = replicas?.cloudsuite;
  const most =
    limits.cloudsuiteReplicas[storage?.storageClass ?? ""] ?? limits.cloudsuiteReplicas[storageClasses.smb] ?? 1;
  if (found === undefined || (Number.isInteger(found) && found >= 1 && found <= most)) return [];
  if (most === 1 && Number.isInteger(found) && found > 1)
    return [
      error(
        "replicas-storage",
        "replicas.cloudsuite",
        `${found} web pods can't share a ${storageClasses.replicatedBlock} volume, which has a single writer.`,
        `Write 1, or take storage.storageClass ${storageClasses.smb} before the first deployment.`,
      ),
    ];
  return [
    error(
      "replicas",
      "replicas.cloudsuite",
      `${shown(found)} is not an allowed number of web pods.`,
      most === 1 ? "Write 1." : `Write a whole number from 1 to ${most}.`,
    ),
  ];
}

function databaseReplicas({ replicas, platform }: Suite): Problem[] {
  const found = replicas?.db;
  const { production, development } = limits.databaseReplicas;
  const allowed = `Write ${production} (primary and standby, for production) or ${development} (no failover, for development).`;
  if (found === undefined) return [];
  if (found !== production && found !== development)
    return [
      error("replicas", "replicas.db", `${shown(found)} is not an allowed number of database instances.`, allowed),
    ];
  if (platform?.profile !== Profile.production || found === production) return [];
  return [
    warning(
      "replicas-profile",
      "replicas.db",
      `${found} database instance has no failover, and the profile is production.`,
      `Write ${production}.`,
    ),
  ];
}

function keystoreReplicas({ replicas }: Suite): Problem[] {
  const found = replicas?.keystore;
  if (found === undefined || found === limits.keystoreReplicas) return [];
  return [
    error(
      "replicas",
      "replicas.keystore",
      `${shown(found)} is not an allowed number of keystore pods.`,
      `Write ${limits.keystoreReplicas}.`,
    ),
  ];
}

function quantity(text: string): number {
  return parseQuantity(text) ?? 0;
}
