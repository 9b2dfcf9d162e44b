import { databaseNames } from "../../catalogue/names.ts";
import type { ObjectStore } from "../../kubernetes/custom-resources/object-store.ts";
import type { ScheduledBackup } from "../../kubernetes/custom-resources/scheduled-backup.ts";
import { objectStoreKeys } from "../connections.ts";
import type { ResolvedDatabase } from "./defaults.ts";
import { databaseLabels } from "./labels.ts";

/** Name of the operator's plugin that writes backups to an object store. */
export const barmanPlugin = "barman-cloud.cloudnative-pg.io";

type Backup = NonNullable<ResolvedDatabase["backup"]>;

/** Where a cluster's backups and write-ahead log go; each cluster has a folder of its name there. */
export function objectStore(args: ResolvedDatabase, backup: Backup): ObjectStore {
  const key = (name: string) => ({ name: backup.credentials, key: name });
  return {
    apiVersion: "barmancloud.cnpg.io/v1",
    kind: "ObjectStore",
    metadata: {
      name: databaseNames(args.name).backup,
      namespace: args.namespace,
      labels: databaseLabels(args),
    },
    spec: {
      retentionPolicy: backup.retention,
      configuration: {
        destinationPath: `s3://${backup.bucket}/`,
        endpointURL: backup.endpoint,
        ...endpointCa(args),
        s3Credentials: {
          accessKeyId: key(objectStoreKeys.accessKeyId),
          secretAccessKey: key(objectStoreKeys.secretAccessKey),
        },
        wal: { compression: "gzip", maxParallel: 4 },
        data: { compression: "gzip" },
      },
      instanceSidecarConfiguration: {
        env: [
          { name: "AWS_DEFAULT_REGION", value: backup.region },
          // S3-compatible stores refuse the checksums that newer AWS SDKs add to every request.
          { name: "AWS_REQUEST_CHECKSUM_CALCULATION", value: "when_required" },
          { name: "AWS_RESPONSE_CHECKSUM_VALIDATION", value: "when_required" },
        ],
        resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { cpu: "500m", memory: "512Mi" } },
      },
    },
  };
}

/** The authority of the object store. The plugin reads it from a Secret alone, and then trusts no other, not even a public one. */
function endpointCa({
  platform: { privateCa },
}: ResolvedDatabase): Pick<ObjectStore["spec"]["configuration"], "endpointCA"> {
  if (!privateCa?.secret) return {};
  return { endpointCA: { name: privateCa.secret, key: privateCa.key } };
}

/** Base backups of `cluster` by the clock, the first at once: the write-ahead log is of use from the first base backup on. */
export function scheduledBackup(args: ResolvedDatabase, cluster: string, backup: Backup): ScheduledBackup {
  return {
    apiVersion: "postgresql.cnpg.io/v1",
    kind: "ScheduledBackup",
    metadata: {
      name: cluster,
      namespace: args.namespace,
      labels: databaseLabels(args),
    },
    spec: {
      schedule: backup.schedule,
      immediate: true,
      backupOwnerReference: "cluster",
      cluster: { name: cluster },
      method: "plugin",
      pluginConfiguration: { name: barmanPlugin },
    },
  };
}
