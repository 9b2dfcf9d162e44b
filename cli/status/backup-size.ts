import type { ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import { dataName } from "@hearth-platform/hearth/core/plan";
import { credentialsOf } from "@hearth-platform/stack/live/object-storage-keys";
import type { BucketPlace, DataNeed } from "@hearth-platform/stack/live/preflight/data-needs";
import type { DatabaseBackup } from "./facts.ts";

/** Longest time that an object store is waited for, in milliseconds. */
const patience = 5_000;

/** The newest of a database's backups that ended well. */
export function lastBackup(
  backups: readonly DatabaseBackup[],
  { namespace, name }: { readonly namespace: string; readonly name: string },
): DatabaseBackup | undefined {
  return backups
    .filter(
      ({ metadata, spec, status }) =>
        metadata.namespace === namespace && spec.cluster.name === name && status?.phase === "completed",
    )
    .sort((a, b) => endOfBackup(b) - endOfBackup(a))[0];
}

/** When a backup ended, or began; in milliseconds since the epoch. */
export function endOfBackup({ metadata, status }: DatabaseBackup): number {
  return Date.parse(status?.stoppedAt ?? status?.startedAt ?? String(metadata.creationTimestamp ?? "")) || 0;
}

/**
 * Bytes of the newest base backup of each database in its bucket, with the keys of the environment: one list each. What the keys
 * do not open, or the store does not have, is left out.
 */
export async function backupSizes(
  needs: readonly DataNeed[],
  backups: readonly DatabaseBackup[],
  environment: NodeJS.ProcessEnv,
): Promise<Map<string, number>> {
  const wanted = needs.flatMap((need) => {
    const id = lastBackup(backups, need)?.status?.backupId;
    return need.archive && id ? [{ name: dataName(need.name, need.namespace), place: need.archive, id }] : [];
  });
  const sizes = await Promise.all(
    wanted.map(async ({ name, place, id }) => [name, await sizeOf(place, id, environment)] as const),
  );
  return new Map(sizes.flatMap(([name, size]) => (size === undefined ? [] : [[name, size]])));
}

type Listing = { readonly Bucket: string; readonly Prefix: string; readonly Delimiter?: string };

async function sizeOf(
  { endpoint, region, pathStyle, bucket, folder }: BucketPlace,
  id: string,
  environment: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const { paginateListObjectsV2, S3Client } = await import("@aws-sdk/client-s3");
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    endpoint: environment.AWS_ENDPOINT_URL_S3 || endpoint,
    maxAttempts: 2,
    ...credentialsOf(environment),
  });
  const pagesOf = async (list: Listing) => {
    const pages: ListObjectsV2CommandOutput[] = [];
    for await (const page of paginateListObjectsV2({ client }, list, { abortSignal: AbortSignal.timeout(patience) }))
      pages.push(page);
    return pages;
  };
  try {
    // The folder of each major is listed by itself: below `wals/` there are far more objects.
    const majors = await pagesOf({ Bucket: bucket, Prefix: folder, Delimiter: "/" });
    const folders = majors.flatMap(({ CommonPrefixes = [] }) => CommonPrefixes.flatMap(({ Prefix }) => Prefix ?? []));
    const pages = await Promise.all(folders.map((each) => pagesOf({ Bucket: bucket, Prefix: `${each}base/${id}/` })));
    const objects = pages.flat().flatMap(({ Contents = [] }) => Contents);
    return objects.length === 0 ? undefined : objects.reduce((sum, { Size = 0 }) => sum + Size, 0);
  } catch {
    return undefined;
  } finally {
    client.destroy();
  }
}
