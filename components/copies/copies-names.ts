/** Names of the objects that copy. */
export const copiesNames = {
  /** The pods that copy. */
  copy: "copies",
  /** What Prometheus reads of the last copies. */
  metrics: "copies-metrics",
  scripts: "copies-scripts",
  alerts: "copies-alerts",
  /** Keys of the store of the copies. */
  credentials: "copies-s3-credentials",
} as const;

/** The CronJob of a source. Its name has to leave room for what Kubernetes adds to that of a Job. */
export function copyName(source: string): string {
  return `copy-${source}`;
}

/** The Secret with the keys that read a source. */
export function sourceCredentials(source: string): string {
  return `source-${source}-s3-credentials`;
}

/** Namespace of the copies when none is named. */
export const copiesNamespace = "copies";

/** The `part-of` label of the objects that copy. */
export const partOf = "copies";
