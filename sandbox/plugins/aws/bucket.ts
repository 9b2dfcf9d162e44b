import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteBucketTaggingCommand,
  DeleteObjectsCommand,
  GetBucketTaggingCommand,
  HeadBucketCommand,
  ListObjectVersionsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketTaggingCommand,
  paginateListObjectsV2,
  type S3Client,
} from "@aws-sdk/client-s3";
import { type CheckRequest, type CheckResult, isObject, type Properties } from "../grpc.ts";
import { attempt, isNotFound } from "./client.ts";
import type { S3Context, S3Resource } from "./resource.ts";

const nameLimit = 63;

/** `aws:s3/bucket:Bucket`; its id is its name. Settings of a bucket are resources of their own, but for lifecycle rules. */
export const bucket: S3Resource = {
  inputs: ["bucket", "bucketPrefix", "forceDestroy", "lifecycleRules", "objectLockEnabled", "tags"],
  required: [],
  replaceOn: ["bucket", "bucketPrefix", "objectLockEnabled"],
  outputs: ["arn", "bucketDomainName", "bucketRegion", "bucketRegionalDomainName", "tagsAll"],
  check: nameBucket,
  // Rules that are no longer given stay as they are.
  same: (property, _, after) => property === "lifecycleRules" && after === undefined,

  async create({ client, region }, inputs) {
    const Bucket = String(inputs.bucket);
    await attempt(
      `creating S3 Bucket (${Bucket})`,
      client.send(
        new CreateBucketCommand({
          Bucket,
          ...(inputs.objectLockEnabled === true && { ObjectLockEnabledForBucket: true }),
          ...(region !== "us-east-1" && { CreateBucketConfiguration: { LocationConstraint: region as "eu-west-1" } }),
        }),
      ),
    );
    await setTags(client, Bucket, inputs.tags, undefined);
    await setLifecycle(client, Bucket, inputs.lifecycleRules);
    return { id: Bucket, state: stateOf(region, inputs) };
  },

  async read({ client, region }, id, inputs) {
    try {
      await client.send(new HeadBucketCommand({ Bucket: id }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      return attempt(`reading S3 Bucket (${id})`, Promise.reject(error));
    }
    const now: Properties = { ...inputs, bucket: id };
    // A store need not know tags: it is asked only about those the program set.
    if (inputs.tags) now.tags = await readTags(client, id);
    return { id, inputs: now, state: stateOf(region, now) };
  },

  async update({ client, region }, id, inputs, before) {
    await setTags(client, id, inputs.tags, before.tags);
    if (!isDeepStrictEqual(inputs.lifecycleRules, before.lifecycleRules))
      await setLifecycle(client, id, inputs.lifecycleRules);
    return stateOf(region, inputs);
  },

  async remove(context, id, state) {
    if (state.forceDestroy === true) await emptyBucket(context, id);
    const removal = context.client.send(new DeleteBucketCommand({ Bucket: id }));
    await attempt(
      `deleting S3 Bucket (${id})`,
      removal.catch((error) => {
        if (!isNotFound(error)) throw error;
      }),
    );
  },
};

function stateOf(region: string, inputs: Properties): Properties {
  const name = String(inputs.bucket);
  return {
    ...inputs,
    forceDestroy: inputs.forceDestroy ?? false,
    objectLockEnabled: inputs.objectLockEnabled ?? false,
    region,
    arn: `arn:aws:s3:::${name}`,
    bucketDomainName: `${name}.s3.amazonaws.com`,
    bucketRegion: region,
    bucketRegionalDomainName: `${name}.s3.${region}.amazonaws.com`,
    tagsAll: inputs.tags ?? {},
  };
}

/** A bucket without a name gets the resource's, in lower case, with seven random characters; it keeps it. */
function nameBucket({ name, olds, news, randomSeed }: CheckRequest): CheckResult {
  if (news.bucket !== undefined) return { inputs: news };
  const defaulted = Array.isArray(olds?.__defaults) && olds.__defaults.includes("bucket");
  if (defaulted) return { inputs: { ...news, bucket: olds?.bucket, __defaults: ["bucket"] } };
  const seed = randomSeed.length > 0 ? randomSeed : crypto.getRandomValues(new Uint8Array(32));
  const suffix = createHash("sha256").update(seed).digest("hex").slice(0, 7);
  const prefix = typeof news.bucketPrefix === "string" ? news.bucketPrefix : `${name.toLowerCase()}-`;
  if (prefix.length + suffix.length > nameLimit)
    return {
      inputs: news,
      failures: [
        { property: "bucket", reason: `no name can be made of "${name}": set one of at most ${nameLimit} characters` },
      ],
    };
  return { inputs: { ...news, bucket: prefix + suffix, __defaults: ["bucket"] } };
}

async function readTags(client: S3Client, Bucket: string): Promise<Record<string, string>> {
  try {
    const { TagSet = [] } = await client.send(new GetBucketTaggingCommand({ Bucket }));
    return Object.fromEntries(TagSet.map(({ Key = "", Value = "" }) => [Key, Value]));
  } catch (error) {
    if (isNotFound(error)) return {};
    return attempt(`reading tags of S3 Bucket (${Bucket})`, Promise.reject(error));
  }
}

async function setTags(client: S3Client, Bucket: string, wanted: unknown, before: unknown): Promise<void> {
  const tags = isObject(wanted) ? Object.entries(wanted) : [];
  const had = isObject(before) && Object.keys(before).length > 0;
  const TagSet = tags.map(([Key, value]) => ({ Key, Value: String(value) }));
  if (TagSet.length > 0)
    await attempt(
      `setting tags of S3 Bucket (${Bucket})`,
      client.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } })),
    );
  else if (had)
    await attempt(`removing tags of S3 Bucket (${Bucket})`, client.send(new DeleteBucketTaggingCommand({ Bucket })));
}

/**
 * Sets the lifecycle rules that stand in the bucket itself; without any the store keeps those it has. The sandbox's store
 * has none: there they are only recorded.
 */
async function setLifecycle(client: S3Client, Bucket: string, wanted: unknown): Promise<void> {
  if (!Array.isArray(wanted) || wanted.length === 0) return;
  const Rules = wanted.map(({ id, enabled, prefix = "", noncurrentVersionExpiration }) => ({
    ID: id,
    Status: enabled ? ("Enabled" as const) : ("Disabled" as const),
    Filter: { Prefix: prefix },
    ...(noncurrentVersionExpiration && {
      NoncurrentVersionExpiration: { NoncurrentDays: noncurrentVersionExpiration.days },
    }),
  }));
  const put = client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
  await attempt(
    `setting lifecycle rules of S3 Bucket (${Bucket})`,
    put.catch((error) => {
      if (error.name !== "NotImplemented") throw error;
    }),
  );
}

/** Removes every version and delete marker; where the store keeps no versions, every object. */
async function emptyBucket({ client }: S3Context, Bucket: string): Promise<void> {
  const doing = `emptying S3 Bucket (${Bucket})`;
  const remove = async (Objects: { Key: string; VersionId?: string }[]) => {
    if (Objects.length === 0) return;
    const { Errors = [] } = await attempt(
      doing,
      client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } })),
    );
    const first = Errors[0];
    if (first) throw new Error(`${doing}: ${first.Key}: ${first.Code}: ${first.Message} (${Errors.length} in all)`);
  };
  for (;;) {
    const page = await attempt(doing, client.send(new ListObjectVersionsCommand({ Bucket })));
    const found = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])];
    if (found.length === 0) break;
    await remove(found.map(({ Key = "", VersionId }) => ({ Key, VersionId })));
  }
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
    await remove(Contents.map(({ Key = "" }) => ({ Key })));
}
