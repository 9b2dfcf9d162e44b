import { readFile } from "node:fs/promises";
import { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { isObject, type Properties } from "../grpc.ts";
import { attempt, isNotFound } from "./client.ts";
import type { S3Context, S3Resource } from "./resource.ts";

/** `aws:s3/bucketObjectv2:BucketObjectv2`; its id is `bucket/key`. Its content is text, base64, or a text or file asset. */
export const bucketObject: S3Resource = {
  inputs: [
    "bucket",
    "key",
    "content",
    "contentBase64",
    "source",
    "contentType",
    "cacheControl",
    "metadata",
    "forceDestroy",
  ],
  required: ["bucket"],
  replaceOn: ["bucket", "key"],
  outputs: ["arn", "etag", "versionId"],
  check: ({ name, news }) => ({ inputs: { ...news, key: news.key ?? name } }),
  create: async (context, inputs) => ({ id: `${inputs.bucket}/${inputs.key}`, state: await put(context, inputs) }),
  update: (context, _, inputs) => put(context, inputs),

  async read({ client, region }, id, inputs) {
    const [Bucket = "", ...key] = id.split("/");
    const Key = key.join("/");
    try {
      const found = await client.send(new HeadObjectCommand({ Bucket, Key }));
      const now = { ...inputs, bucket: Bucket, key: Key };
      return { id, inputs: now, state: { ...now, region, ...outputs(Bucket, Key, found) } };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      return attempt(`reading S3 Object (${id})`, Promise.reject(error));
    }
  },

  async remove({ client }, id, { bucket, key }) {
    const removal = client.send(new DeleteObjectCommand({ Bucket: String(bucket), Key: String(key) }));
    await attempt(`deleting S3 Object (${id})`, removal);
  },
};

async function put({ client, region }: S3Context, inputs: Properties): Promise<Properties> {
  const [Bucket, Key] = [String(inputs.bucket), String(inputs.key)];
  const text = (name: string) => (typeof inputs[name] === "string" ? inputs[name] : undefined);
  const request = new PutObjectCommand({
    Bucket,
    Key,
    Body: await body(inputs),
    ContentType: text("contentType"),
    CacheControl: text("cacheControl"),
    ...(isObject(inputs.metadata) && { Metadata: inputs.metadata as Record<string, string> }),
  });
  const stored = await attempt(`uploading S3 Object (${Bucket}/${Key})`, client.send(request));
  return { ...inputs, region, ...outputs(Bucket, Key, stored) };
}

function outputs(bucket: string, key: string, { ETag, VersionId }: { ETag?: string; VersionId?: string }): Properties {
  return { arn: `arn:aws:s3:::${bucket}/${key}`, etag: ETag?.replaceAll('"', ""), versionId: VersionId };
}

async function body({ content, contentBase64, source }: Properties): Promise<Buffer> {
  if (typeof content === "string") return Buffer.from(content);
  if (typeof contentBase64 === "string") return Buffer.from(contentBase64, "base64");
  if (isObject(source) && typeof source.text === "string") return Buffer.from(source.text);
  if (isObject(source) && typeof source.path === "string") return readFile(source.path);
  if (source !== undefined) throw new Error("source: the sandbox's stand-in takes text and file assets only");
  return Buffer.alloc(0);
}
