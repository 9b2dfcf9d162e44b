import { keystoreClaim, names } from "../catalogue/names.ts";
import { resourceSpec } from "../kubernetes/resources.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";
import { clusterKind, type IntervalLimit, type ResourcesLimit, type SizeLimit, suiteKind } from "./limit.ts";

/**
 * Rows of the table "Limits" on amounts: of storage, of CPU and memory, of time.
 * CPU in the millicore form, memory and storage in the binary-suffix form, as the specification writes them.
 */

/** Volume per database instance by the number of files; the last row has no upper bound. */
export const databaseSizes = [
  { upToFiles: 10_000, size: "10Gi" },
  { upToFiles: 100_000, size: "20Gi" },
  { upToFiles: Number.POSITIVE_INFINITY, size: "50Gi" },
] as const;

/** Bytes by which a database grows with each file. */
export const databaseGrowthPerFile = 30_000;

/** Web pod of a suite by its number of users; the last row has no upper bound. */
export const suiteTiers = [
  { tier: "small", upToUsers: 9, ...resourceSpec("200m", "512Mi", "1000m", "2Gi") },
  { tier: "medium", upToUsers: 50, ...resourceSpec("500m", "1Gi", "2000m", "4Gi") },
  { tier: "large", upToUsers: Number.POSITIVE_INFINITY, ...resourceSpec("1000m", "2Gi", "4000m", "8Gi") },
] as const;

/** Time between two syncs of a site that nothing triggers. */
export const usualSyncInterval = "5m";

const enoughForKeystore = "5Gi";

export const syncInterval: IntervalLimit = {
  measure: "interval",
  id: "sync-interval",
  title: "Time between two syncs of a site",
  rule: `A site's syncInterval is a Go duration and not too short. The default is ${usualSyncInterval}.`,
  remedy: `Write a duration such as ${usualSyncInterval}; the webhook syncs a site at once.`,
  required: false,
  severity: "low",
  tags: ["static sites"],
  fields: {},
  object: { kind: "StaticSite" },
  // The specification names none: each sync costs a clone.
  least: () => 60,
  inCluster: "a duration of {least} or more, such as 5m.",
};

export const databaseSize: SizeLimit = {
  measure: "size",
  id: "database-volume",
  title: "Volume of a database",
  rule: databaseSizes
    .map(({ upToFiles, size }) =>
      Number.isFinite(upToFiles) ? `Up to ${upToFiles} files need ${size}.` : `More files need ${size}.`,
    )
    .join(" "),
  remedy: "Write that size or more. A volume can grow but never shrink.",
  required: false,
  severity: "medium",
  tags: ["database", "storage"],
  fields: {
    [suiteKind]: ["storage", "dbSize"],
    "hearth/Database": ["storageSize"],
    [clusterKind]: ["spec", "storage", "size"],
  },
  object: { kind: clusterKind },
  by: "files",
  least: ({ files = 0 } = {}) => (databaseSizes.find(({ upToFiles }) => files <= upToFiles) ?? databaseSizes[0]).size,
  low: {
    code: "sizing-files",
    message: (size, { files }) => `${size} is low for ${files === undefined ? "a small instance" : `${files} files`}.`,
  },
  advice: (of) => `Write ${databaseSize.least(of)} or more; a volume can grow, never shrink.`,
  told: (least) => `This number of files needs ${least}.`,
  inCluster: "{least} or more for the number of files.",
};

export const keystoreSize: SizeLimit = {
  measure: "size",
  id: "keystore-volume",
  title: "Volume of a keystore",
  rule: `A keystore's volume has ${enoughForKeystore} or more.`,
  remedy: `Write ${enoughForKeystore}.`,
  required: false,
  severity: "low",
  tags: ["keystore", "storage"],
  fields: { [suiteKind]: ["storage", "keystoreSize"], "hearth/Keystore": ["storageSize"] },
  object: { kind: "PersistentVolumeClaim", name: keystoreClaim },
  least: () => enoughForKeystore,
  low: { code: "keystore-size", message: (size) => `${size} is below the recommended ${enoughForKeystore}.` },
  advice: () => `Write ${enoughForKeystore}.`,
  told: (least) => `A keystore's volume needs ${least} or more.`,
  inCluster: "{least} is sufficient, and less is not.",
};

/** Requests and limits in a sentence. */
function amounts({ requests, limits }: ResourceSpecArgs): string {
  return `requests ${requests.cpu} and ${requests.memory}, limits ${limits.cpu} and ${limits.memory}`;
}

export const cloudsuiteResources: ResourcesLimit = {
  measure: "resources",
  id: "cloudsuite-resources",
  title: "Resources of a suite's web pods",
  rule: suiteTiers
    .map((row) => `${Number.isFinite(row.upToUsers) ? `Up to ${row.upToUsers}` : "More"} users need ${amounts(row)}.`)
    .join(" "),
  remedy: "Write the amounts for the number of users, or more.",
  required: false,
  severity: "medium",
  tags: ["cloudsuite", "resources"],
  owner: "suite",
  fields: { [suiteKind]: ["resources", "cloudsuite"] },
  object: { kind: "apps/Deployment", name: names.cloudsuite.web },
  by: "users",
  least: ({ users = 0 } = {}) => suiteTiers.find(({ upToUsers }) => users <= upToUsers) ?? suiteTiers[0],
};

/** Recommended resources of a part of a suite, the same in every suite: requests of CPU and memory, then their limits. */
function resourcesOf(
  part: string,
  what: string,
  path: readonly string[],
  object: ResourcesLimit["object"],
  ...recommended: Parameters<typeof resourceSpec>
): ResourcesLimit {
  const least = resourceSpec(...recommended);
  return {
    measure: "resources",
    id: `${part}-resources`,
    title: `Resources of ${what}`,
    rule: `For ${what} of a suite the table recommends ${amounts(least)}.`,
    remedy: "Write the recommended amounts, or more.",
    required: false,
    severity: "low",
    tags: [part, "resources"],
    owner: "suite",
    fields: { [suiteKind]: path },
    object,
    least: () => least,
  };
}

const database = { kind: clusterKind } as const;
const keystore = { kind: "apps/StatefulSet", name: names.keystore } as const;
const office = { kind: "apps/Deployment", name: names.cloudsuite.office } as const;
const whiteboard = { kind: "apps/Deployment", name: names.cloudsuite.whiteboard } as const;

export const [databaseResources, keystoreResources, officeResources, whiteboardResources] = [
  resourcesOf("database", "the database", ["resources", "db"], database, "100m", "256Mi", "500m", "512Mi"),
  resourcesOf("keystore", "the keystore", ["resources", "keystore"], keystore, "50m", "128Mi", "200m", "256Mi"),
  resourcesOf("office", "the office server", ["office", "resources"], office, "100m", "512Mi", "1000m", "1Gi"),
  resourcesOf("whiteboard", "the whiteboard", ["whiteboard", "resources"], whiteboard, "50m", "256Mi", "500m", "512Mi"),
] as const;
