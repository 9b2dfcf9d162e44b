import { error, type Fault, oneOf, shown, warning } from "../faults.ts";
import { limits, type RecommendedResources, storageClasses } from "../limits.ts";
import { Profile } from "../platform.ts";
import { parseQuantity } from "../quantities.ts";
import type { ResourceSpecArgs } from "../resources.ts";
import { bucketName, bytes, cpu, endpointUrl, hostName, imageTag, namespaceName } from "../value-rules.ts";
import { type CloudSuiteArgs, OfficeEngine } from "./args.ts";

/** Arguments as far as they are known: a file with faults lacks the fields whose type is wrong. */
export type Known<T> = T extends object ? { readonly [K in keyof T]?: Known<T[K]> } : T;

type Suite = Known<CloudSuiteArgs>;
type Rule = (suite: Suite) => readonly Fault[];

/** What a suite is meant to carry; its file can't say it. */
export interface SuiteLoad {
  /** Number of users. @default unknown: no advice */
  readonly users?: number;
  /** Number of files. @default unknown: no advice */
  readonly files?: number;
}

/** Location codes of the object store (specification, `s3.region`). */
export const locations = ["fsn1", "nbg1", "hel1"] as const;

/** Oldest PostgreSQL major the database operator still runs (CloudNativePG, supported releases). */
export const oldestRunMajor = 14;

/** Everything wrong with a suite: the rules of config.yaml and of the table "Limits". The paths are those of config.yaml. */
export function cloudSuiteFaults(suite: Suite, load: SuiteLoad = {}): Fault[] {
  return [...rules.flatMap((rule) => rule(suite)), ...sizing(suite, load)];
}

const rules: readonly Rule[] = [
  ({ namespace }) => namespaceName("namespace", namespace),
  ({ domain }) => hostName("domain", domain),
  cloudsuiteVersion,
  databaseMajor,
  keystoreVersion,
  ({ office, versions }) => (office ? optionalPartVersion("office", versions?.office) : []),
  ({ whiteboard, versions }) => (whiteboard ? optionalPartVersion("whiteboard", versions?.whiteboard) : []),
  ({ s3 }) => endpointUrl("s3.endpoint", s3?.endpoint),
  location,
  buckets,
  ({ storage }) => fixedSet("storage.storageClass", storage?.storageClass, Object.values(storageClasses)),
  ({ storage }) =>
    ["dbSize", "keystoreSize", "webSize"].flatMap((key) => bytes(`storage.${key}`, storage?.[key as "dbSize"])),
  keystoreSize,
  ({ resources }) => resourceFaults("resources.cloudsuite", resources?.cloudsuite, limits.cloudsuiteResources[0]),
  ({ resources }) => resourceFaults("resources.db", resources?.db, limits.databaseResources),
  ({ resources }) => resourceFaults("resources.keystore", resources?.keystore, limits.keystoreResources),
  webReplicas,
  databaseReplicas,
  keystoreReplicas,
  office,
  whiteboard,
];

function cloudsuiteVersion({ versions }: Suite): Fault[] {
  const path = "versions.cloudsuite";
  const tag = versions?.cloudsuite;
  const faults = imageTag(path, tag);
  if (tag === undefined || faults.length > 0) return faults;
  if (/(^|-)fpm(-|$)/.test(tag))
    return [
      error(
        "image-variant",
        path,
        `${shown(tag)} is the FPM image, which has no web server.`,
        "Take the Apache image: 31.0.8-apache.",
      ),
    ];
  const comparable = comparableVersion(path, tag, "31.0.8-apache");
  if (comparable.length > 0 || /^\d+\.\d+\.\d+/.test(tag)) return comparable;
  return [
    warning(
      "version-moves",
      path,
      `${shown(tag)} moves to another release by itself.`,
      "Name the full version, for example 31.0.8-apache.",
    ),
  ];
}

/** A version that can be compared, so that a downgrade can be refused. */
function comparableVersion(path: string, tag: string, example: string): Fault[] {
  if (/^(0|[1-9]\d*)(\.(0|[1-9]\d*))*(-.*)?$/.test(tag)) return [];
  return [
    error(
      "version-number",
      path,
      `${shown(tag)} does not start with a version number, so a downgrade could not be refused.`,
      `Write it like ${example}.`,
    ),
  ];
}

function databaseMajor({ versions }: Suite): Fault[] {
  const path = "versions.db";
  const found = versions?.db;
  const { min, max } = limits.databaseMajor;
  const supported = Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
  const faults = fixedSet(path, found, supported);
  if (found === undefined || faults.length > 0 || Number(found) >= oldestRunMajor) return faults;
  return [
    warning(
      "database-major-old",
      path,
      `The database operator no longer runs PostgreSQL ${found}.`,
      `Take ${oneOf(supported.filter((major) => Number(major) >= oldestRunMajor))}.`,
    ),
  ];
}

function keystoreVersion({ versions }: Suite): Fault[] {
  const tag = versions?.keystore;
  const faults = imageTag("versions.keystore", tag);
  return tag === undefined || faults.length > 0 ? faults : comparableVersion("versions.keystore", tag, "8.1.4-alpine");
}

function optionalPartVersion(part: "office" | "whiteboard", tag: string | undefined): Fault[] {
  const path = `versions.${part}`;
  if (tag === undefined) return [missing(path, `The image tag of the ${part}.`)];
  const faults = imageTag(path, tag);
  if (faults.length > 0 || /\d/.test(tag)) return faults;
  return [warning("version-moves", path, `${shown(tag)} moves to another release by itself.`, "Name a version.")];
}

function location({ s3 }: Suite): Fault[] {
  const faults = fixedSet("s3.region", s3?.region, locations);
  if (faults.length > 0 || s3?.region === undefined || s3.endpoint === undefined) return faults;
  const host = URL.parse(s3.endpoint)?.hostname;
  if (host === undefined || host.split(".").includes(s3.region)) return [];
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

function buckets({ s3 }: Suite): Fault[] {
  const { data, backups } = s3?.buckets ?? {};
  const faults = [
    ...suiteBucket("s3.buckets.data", "data", data),
    ...suiteBucket("s3.buckets.backups", "backups", backups),
  ];
  if (data === undefined || data !== backups) return faults;
  return [
    ...faults,
    error(
      "bucket-shared",
      "s3.buckets.backups",
      `${shown(backups)} is the data bucket too.`,
      "Backups need a bucket of their own: what empties the one must not empty the other.",
    ),
  ];
}

function suiteBucket(path: string, use: "data" | "backups", name: string | undefined): Fault[] {
  const faults = bucketName(path, name);
  if (name === undefined || faults.length > 0 || new RegExp(`^${use}-[^.]+-[^-.]+$`).test(name)) return faults;
  return [
    warning(
      "bucket-shape",
      path,
      `${shown(name)} is not of the shape ${use}-{instance}-<suffix>.`,
      `The usual name is like ${use}-team-a1b2.`,
    ),
  ];
}

function keystoreSize({ storage }: Suite): Fault[] {
  const size = parseQuantity(storage?.keystoreSize ?? "");
  if (size === undefined || size >= quantity(limits.keystoreSize)) return [];
  return [
    warning(
      "keystore-size",
      "storage.keystoreSize",
      `${shown(storage?.keystoreSize)} is below the recommended ${limits.keystoreSize}.`,
      `Write ${limits.keystoreSize}.`,
    ),
  ];
}

function webReplicas({ replicas, storage }: Suite): Fault[] {
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
      `${shown(found)} is not a number of web pods.`,
      most === 1 ? "Write 1." : `Write a whole number from 1 to ${most}.`,
    ),
  ];
}

function databaseReplicas({ replicas, platform }: Suite): Fault[] {
  const found = replicas?.db;
  const { production, development } = limits.databaseReplicas;
  const allowed = `Write ${production} (primary and standby, for production) or ${development} (no failover, for development).`;
  if (found === undefined) return [];
  if (found !== production && found !== development)
    return [error("replicas", "replicas.db", `${shown(found)} is not a number of database instances.`, allowed)];
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

function keystoreReplicas({ replicas }: Suite): Fault[] {
  const found = replicas?.keystore;
  if (found === undefined || found === limits.keystoreReplicas) return [];
  return [
    error(
      "replicas",
      "replicas.keystore",
      `${shown(found)} is not a number of keystore pods.`,
      `Write ${limits.keystoreReplicas}.`,
    ),
  ];
}

function office({ domain, office }: Suite): Fault[] {
  if (office === undefined) return [];
  const { resources } = office;
  const faults = [
    ...(office.domain === undefined
      ? [missing("office.domain", "The public host of the office server.")]
      : hostName("office.domain", office.domain)),
    ...(resources === undefined
      ? [missing("office.resources", "The resources of the office pod.")]
      : resourceFaults("office.resources", resources, limits.officeResources)),
  ];
  if (domain !== undefined && office.domain === domain)
    faults.push(
      error(
        "office-domain-same",
        "office.domain",
        `${shown(domain)} is the domain of the suite itself.`,
        `Give the office server a host of its own, for example office.${domain}.`,
      ),
    );
  else if (domain !== undefined && office.domain !== undefined && !office.domain.endsWith(`.${domain}`))
    faults.push(
      warning(
        "office-domain",
        "office.domain",
        `${shown(office.domain)} is not a subdomain of ${shown(domain)}.`,
        `The usual name is like office.${domain}.`,
      ),
    );
  const memory = parseQuantity(resources?.limits?.memory ?? "");
  if (office.engine === OfficeEngine.onlyoffice && memory !== undefined && memory <= quantity("2Gi"))
    faults.push(
      warning(
        "office-memory",
        "office.resources.limits.memory",
        `${resources?.limits?.memory} is too little for OnlyOffice.`,
        "Give it more than 2Gi, for example 4Gi; Collabora needs 1Gi.",
      ),
    );
  return faults;
}

function whiteboard({ whiteboard }: Suite): Fault[] {
  if (whiteboard === undefined) return [];
  if (whiteboard.resources === undefined)
    return [missing("whiteboard.resources", "The resources of the whiteboard pod.")];
  return resourceFaults("whiteboard.resources", whiteboard.resources, limits.whiteboardResources);
}

/** Forms of a ResourceSpec, requests not above limits, and advice where a value is below the recommended one. */
function resourceFaults(
  path: string,
  spec: Known<ResourceSpecArgs> | undefined,
  recommended: RecommendedResources,
): Fault[] {
  return (["cpu", "memory"] as const).flatMap((kind) => {
    const form = kind === "cpu" ? cpu : bytes;
    const ends = ["requests", "limits"] as const;
    const faults = ends.flatMap((end) => form(`${path}.${end}.${kind}`, spec?.[end]?.[kind]));
    if (faults.length > 0) return faults;
    const [request, limit] = ends.map((end) => parseQuantity(spec?.[end]?.[kind] ?? ""));
    if (request !== undefined && limit !== undefined && request > limit)
      return [
        error(
          "request-above-limit",
          `${path}.requests.${kind}`,
          `The request ${spec?.requests?.[kind]} is above the limit ${spec?.limits?.[kind]}.`,
          "Lower the request or raise the limit.",
        ),
      ];
    return ends.flatMap((end) => below(`${path}.${end}.${kind}`, spec?.[end]?.[kind], recommended[end][kind]));
  });
}

function below(path: string, found: string | undefined, recommended: string): Fault[] {
  if (found === undefined || (parseQuantity(found) ?? 0) >= quantity(recommended)) return [];
  return [
    warning(
      "resources-low",
      path,
      `${found} is below the recommended ${recommended}.`,
      `Write ${recommended} or more.`,
    ),
  ];
}

/** The sizing rows of the table "Limits", as advice for the load that was told. */
function sizing({ resources, storage }: Suite, { users, files }: SuiteLoad): Fault[] {
  const faults: Fault[] = [];
  const tier = limits.cloudsuiteResources.find((row) => users !== undefined && users <= row.upToUsers);
  for (const end of ["requests", "limits"] as const)
    for (const kind of ["cpu", "memory"] as const) {
      const found = resources?.cloudsuite?.[end]?.[kind];
      const value = parseQuantity(found ?? "");
      // What is below the smallest tier is reported without a load, too.
      if (
        tier &&
        value !== undefined &&
        value >= quantity(limits.cloudsuiteResources[0][end][kind]) &&
        value < quantity(tier[end][kind])
      )
        faults.push(
          warning(
            "sizing-users",
            `resources.cloudsuite.${end}.${kind}`,
            `${found} is low for ${users} users.`,
            `The ${tier.tier} size has ${tier[end][kind]}.`,
          ),
        );
    }
  const row = limits.databaseSize.find(({ upToFiles }) => (files ?? 0) <= upToFiles) ?? limits.databaseSize[0];
  const size = parseQuantity(storage?.dbSize ?? "");
  if (size !== undefined && size < quantity(row.size))
    faults.push(
      warning(
        "sizing-files",
        "storage.dbSize",
        `${storage?.dbSize} is low for ${files === undefined ? "a small instance" : `${files} files`}.`,
        `Write ${row.size} or more; a volume can grow, never shrink.`,
      ),
    );
  return faults;
}

function fixedSet(path: string, found: string | undefined, allowed: readonly string[]): Fault[] {
  if (found === undefined || allowed.includes(found)) return [];
  return [error("value", path, `${shown(found)} is not allowed.`, `Write ${oneOf(allowed)}.`)];
}

function missing(path: string, what: string): Fault {
  return error(
    "missing",
    path,
    "The field is missing.",
    `${what} It is required because ${path.includes("whiteboard") ? "whiteboard" : "office"} is enabled.`,
  );
}

function quantity(text: string): number {
  return parseQuantity(text) ?? 0;
}
