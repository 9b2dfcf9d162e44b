import { credentialsOf } from "../object-storage-keys.ts";
import { bucketKey, type Contents, type SeenBuckets } from "./data-checks.ts";
import type { BucketPlace } from "./data-needs.ts";

/** Longest time that an object store is waited for, in milliseconds. */
const patience = 5_000;

/**
 * Looks whether buckets, or folders of them, hold anything: one request each, all at once, with the keys of the environment.
 * A bucket that is not there is empty; one that can't be read is `unseen`.
 */
export async function lookIntoBuckets(
  places: readonly BucketPlace[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<SeenBuckets> {
  if (places.length === 0) return new Map();
  // Loading the client takes longer than the requests, and a stack that runs needs none.
  const { ListObjectsV2Command, S3Client, S3ServiceException } = await import("@aws-sdk/client-s3");
  const see = async ({ endpoint, region, pathStyle, bucket, folder }: BucketPlace): Promise<Contents> => {
    const client = new S3Client({
      region,
      forcePathStyle: pathStyle,
      endpoint: environment.AWS_ENDPOINT_URL_S3 || endpoint,
      maxAttempts: 2,
      ...credentialsOf(environment),
    });
    try {
      const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: folder, MaxKeys: 1 });
      const { KeyCount, Contents } = await client.send(list, { abortSignal: AbortSignal.timeout(patience) });
      return (KeyCount ?? Contents?.length ?? 0) > 0 ? "used" : "empty";
    } catch (error) {
      return error instanceof S3ServiceException && error.name === "NoSuchBucket" ? "empty" : "unseen";
    } finally {
      client.destroy();
    }
  };
  const seen = await Promise.all(places.map(async (place) => [bucketKey(place), await see(place)] as const));
  return new Map(seen);
}
