import { resourceSpec } from "../kubernetes/resources.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";

/**
 * The specification's table "Limits" as data. Components, settings, policies, docs and tests read it here and nowhere else.
 * CPU in the millicore form, memory and storage in the binary-suffix form, as the specification writes them.
 */
export const storageClasses = {
  /** Replicated block storage: single-writer, recommended. */
  replicatedBlock: "replicated-block",
  /** Network storage: multi-writer. */
  smb: "smb-csi",
} as const;

export const limits = {
  databaseMajor: { min: 12, max: 16 },
  /** Highest count of web pods by storage class. */
  cloudsuiteReplicas: { [storageClasses.replicatedBlock]: 1, [storageClasses.smb]: 3 } as Readonly<
    Record<string, number>
  >,
  /** 2: primary and standby; 1: no failover. */
  databaseReplicas: { production: 2, development: 1 },
  keystoreReplicas: 1,
  /** Web pods of the forge in normal operation. */
  forgeWebReplicas: 2,
  /** Minutes between two syncs of a site that nothing triggers. */
  syncIntervalMinutes: 5,
  /** Shortest time between two such syncs. The specification names none: each sync costs a clone. */
  syncIntervalLeastSeconds: 60,
  /** Volume per database replica by the number of files; the last row has no upper bound. Growth is about 30 KB a file. */
  databaseSize: [
    { upToFiles: 10_000, size: "10Gi" },
    { upToFiles: 100_000, size: "20Gi" },
    { upToFiles: Number.POSITIVE_INFINITY, size: "50Gi" },
  ],
  databaseGrowthPerFile: 30_000,
  keystoreSize: "5Gi",
  /** Web pod of a suite by its number of users; the last row has no upper bound. */
  cloudsuiteResources: [
    { tier: "small", upToUsers: 9, ...resourceSpec("200m", "512Mi", "1000m", "2Gi") },
    { tier: "medium", upToUsers: 50, ...resourceSpec("500m", "1Gi", "2000m", "4Gi") },
    { tier: "large", upToUsers: Number.POSITIVE_INFINITY, ...resourceSpec("1000m", "2Gi", "4000m", "8Gi") },
  ],
  databaseResources: resourceSpec("100m", "256Mi", "500m", "512Mi"),
  keystoreResources: resourceSpec("50m", "128Mi", "200m", "256Mi"),
  officeResources: resourceSpec("100m", "512Mi", "1000m", "1Gi"),
  whiteboardResources: resourceSpec("50m", "256Mi", "500m", "512Mi"),
} as const;

/** Resources of a suite's web pod for a number of users; 0 if nobody knows it. */
export function cloudsuiteResources(users: number): ResourceSpecArgs {
  return limits.cloudsuiteResources.find(({ upToUsers }) => users <= upToUsers) ?? limits.cloudsuiteResources[0];
}

/** Volume of a database instance for a number of files; 0 if nobody knows it. */
export function databaseSize(files: number): string {
  return (limits.databaseSize.find(({ upToFiles }) => files <= upToFiles) ?? limits.databaseSize[0]).size;
}
