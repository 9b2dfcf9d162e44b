import {
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { credentialsOf } from "@hearth-platform/stack/live/object-storage-keys";
import { objectStores } from "@hearth-platform/stack/providers";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import type { BucketFacts, StoreFacts } from "./object-storage.ts";

/**
 * Asks each object store of a stack about its buckets; every request reads.
 * @param buckets by the name of their store
 */
export function lookAtObjectStores(
  stack: Stack,
  buckets: ReadonlyMap<string, readonly string[]>,
  environment: NodeJS.ProcessEnv,
): Promise<StoreFacts[]> {
  return Promise.all(
    objectStores(stack).map(async ({ name, endpoint, args }) => {
      const elsewhere = environment.AWS_ENDPOINT_URL_S3;
      const isElsewhere = Boolean(elsewhere) && elsewhere !== endpoint;
      const client = new S3Client({
        region: String(args.region),
        forcePathStyle: args.s3UsePathStyle === true,
        endpoint: elsewhere || endpoint,
        maxAttempts: 2,
        ...credentialsOf(environment),
      });
      try {
        const names = buckets.get(name) ?? [];
        return { name, isElsewhere, buckets: await Promise.all(names.map((bucket) => lookAtBucket(client, bucket))) };
      } catch (error) {
        // What the store itself says is an answer; a missing key is told before anything is sent.
        const isAway = !(error instanceof S3ServiceException) && "code" in (error as Error);
        return { name, buckets: [], isAway, failure: `${(error as Error).message || (error as Error).name}.` };
      } finally {
        client.destroy();
      }
    }),
  );
}

async function lookAtBucket(client: S3Client, name: string): Promise<BucketFacts> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: name }));
  } catch (error) {
    const code = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (code === 404) return { name, state: "absent" };
    if (code === 403) return { name, state: "denied" };
    throw error;
  }
  const Bucket = name;
  return {
    ...{ name, state: "there" },
    versioning: await isKnown(client.send(new GetBucketVersioningCommand({ Bucket }))),
    lifecycle: await isKnown(client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))),
    multipart: await isKnown(client.send(new ListMultipartUploadsCommand({ Bucket, MaxUploads: 1 }))),
  };
}

/** Whether a store knows a request, whatever it answers: NoSuchLifecycleConfiguration is an answer. */
async function isKnown(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer;
    return true;
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    return !(error.name === "NotImplemented" || [405, 501].includes(error.$metadata.httpStatusCode ?? 0));
  }
}
