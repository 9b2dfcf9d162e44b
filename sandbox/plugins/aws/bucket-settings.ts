import { isDeepStrictEqual } from "node:util";
import {
  type CORSRule,
  DeleteBucketCorsCommand,
  DeleteBucketLifecycleCommand,
  DeleteBucketPolicyCommand,
  DeletePublicAccessBlockCommand,
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketPolicyCommand,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
  type LifecycleRule,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutPublicAccessBlockCommand,
  type S3Client,
  type VersioningConfiguration,
} from "@aws-sdk/client-s3";
import { isObject, type Properties } from "../grpc.ts";
import { attempt, isNotFound } from "./client.ts";
import type { S3Resource } from "./resource.ts";
import { pulumiShape, s3Shape } from "./shapes.ts";

/** One setting of a bucket that is a resource of its own; its id is the bucket's name. */
interface BucketSetting {
  /** As the official provider's errors call it. */
  readonly title: string;
  readonly inputs: readonly string[];
  readonly required: readonly string[];
  put(client: S3Client, Bucket: string, inputs: Properties): Promise<unknown>;
  /** The inputs that describe what is set now; undefined: nothing is. */
  get(client: S3Client, Bucket: string): Promise<Properties | undefined>;
  remove(client: S3Client, Bucket: string, state: Properties): Promise<unknown>;
  same?: S3Resource["same"];
}

function bucketSetting({ title, inputs, required, put, get, remove, same }: BucketSetting): S3Resource {
  const set = async (doing: string, client: S3Client, region: string, given: Properties) => {
    const name = String(given.bucket);
    await attempt(`${doing} ${title} (${name})`, put(client, name, given));
    return { ...given, region };
  };
  return {
    inputs: ["bucket", ...inputs],
    required: ["bucket", ...required],
    replaceOn: ["bucket"],
    outputs: [],
    ...(same && { same }),
    async create({ client, region }, given) {
      return { id: String(given.bucket), state: await set("creating", client, region, given) };
    },
    update: ({ client, region }, _, given) => set("updating", client, region, given),
    async read({ client, region }, id) {
      try {
        const found = await get(client, id);
        return found && { id, inputs: { bucket: id, ...found }, state: { bucket: id, ...found, region } };
      } catch (error) {
        if (isNotFound(error)) return undefined;
        return attempt(`reading ${title} (${id})`, Promise.reject(error));
      }
    },
    async remove({ client }, id, state) {
      const removal = remove(client, id, state).catch((error) => {
        if (!isNotFound(error)) throw error;
      });
      await attempt(`deleting ${title} (${id})`, removal);
    },
  };
}

/** `aws:s3/bucketVersioning:BucketVersioning`; its deletion suspends versioning, which can't be taken back. */
export const bucketVersioning = bucketSetting({
  title: "S3 Bucket Versioning",
  inputs: ["versioningConfiguration"],
  required: ["versioningConfiguration"],
  async put(client, Bucket, { versioningConfiguration }) {
    const VersioningConfiguration = s3Shape(versioningConfiguration) as { Status?: string };
    // "Disabled" is the state of a bucket whose versioning nobody ever set: it can't be asked for.
    if (VersioningConfiguration.Status === "Disabled") return;
    const configuration = VersioningConfiguration as VersioningConfiguration;
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: configuration }));
  },
  async get(client, Bucket) {
    const { Status = "Disabled", MFADelete } = await client.send(new GetBucketVersioningCommand({ Bucket }));
    return { versioningConfiguration: { status: Status, ...(MFADelete && { mfaDelete: MFADelete }) } };
  },
  async remove(client, Bucket, { versioningConfiguration }) {
    if (isObject(versioningConfiguration) && versioningConfiguration.status === "Disabled") return;
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Suspended" } }));
  },
});

/** `aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration`. */
export const bucketLifecycleConfiguration = bucketSetting({
  title: "S3 Bucket Lifecycle Configuration",
  inputs: ["rules"],
  required: ["rules"],
  put: (client, Bucket, { rules }) =>
    client.send(
      new PutBucketLifecycleConfigurationCommand({
        Bucket,
        LifecycleConfiguration: { Rules: s3Shape(rules) as LifecycleRule[] },
      }),
    ),
  async get(client, Bucket) {
    const { Rules } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
    return { rules: pulumiShape(Rules) };
  },
  remove: (client, Bucket) => client.send(new DeleteBucketLifecycleCommand({ Bucket })),
});

/** `aws:s3/bucketCorsConfiguration:BucketCorsConfiguration`. */
export const bucketCorsConfiguration = bucketSetting({
  title: "S3 Bucket CORS Configuration",
  inputs: ["corsRules"],
  required: ["corsRules"],
  put: (client, Bucket, { corsRules }) =>
    client.send(
      new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: s3Shape(corsRules) as CORSRule[] } }),
    ),
  async get(client, Bucket) {
    const { CORSRules } = await client.send(new GetBucketCorsCommand({ Bucket }));
    return { corsRules: pulumiShape(CORSRules) };
  },
  remove: (client, Bucket) => client.send(new DeleteBucketCorsCommand({ Bucket })),
});

const policyText = (policy: unknown) => (typeof policy === "string" ? policy : JSON.stringify(policy));

/** `aws:s3/bucketPolicy:BucketPolicy`; two texts with the same JSON are the same policy. */
export const bucketPolicy = bucketSetting({
  title: "S3 Bucket Policy",
  inputs: ["policy"],
  required: ["policy"],
  put: (client, Bucket, { policy }) => client.send(new PutBucketPolicyCommand({ Bucket, Policy: policyText(policy) })),
  async get(client, Bucket) {
    const { Policy } = await client.send(new GetBucketPolicyCommand({ Bucket }));
    return Policy ? { policy: Policy } : undefined;
  },
  remove: (client, Bucket) => client.send(new DeleteBucketPolicyCommand({ Bucket })),
  same(property, before, after) {
    if (property !== "policy") return false;
    try {
      return isDeepStrictEqual(JSON.parse(policyText(before)), JSON.parse(policyText(after)));
    } catch {
      return false;
    }
  },
});

const accessFlags = ["blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"];

/** `aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock`; a flag that is not given is false. */
export const bucketPublicAccessBlock = bucketSetting({
  title: "S3 Bucket Public Access Block",
  inputs: [...accessFlags, "skipDestroy"],
  required: [],
  put(client, Bucket, given) {
    const flags = Object.fromEntries(accessFlags.map((flag) => [flag, given[flag] ?? false]));
    return client.send(
      new PutPublicAccessBlockCommand({
        Bucket,
        PublicAccessBlockConfiguration: s3Shape(flags) as Record<string, boolean>,
      }),
    );
  },
  async get(client, Bucket) {
    const { PublicAccessBlockConfiguration } = await client.send(new GetPublicAccessBlockCommand({ Bucket }));
    const flags = pulumiShape(PublicAccessBlockConfiguration);
    return isObject(flags) ? flags : {};
  },
  async remove(client, Bucket, { skipDestroy }) {
    if (skipDestroy !== true) await client.send(new DeletePublicAccessBlockCommand({ Bucket }));
  },
  same: (property, before, after) => accessFlags.includes(property) && (before ?? false) === (after ?? false),
});
