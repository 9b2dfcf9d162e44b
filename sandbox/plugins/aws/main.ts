/**
 * Stands in for `pulumi-resource-aws`, for S3: talks to a real S3 server through the AWS SDK, with the official provider's
 * precedence of settings and environment, and passes on what the server says.
 *
 * Not simulated: the official provider's own defaults and differences, its calls to other AWS services, default
 * tags, a bucket's deprecated inline settings, `hostedZoneId` and websites; it waits for nothing. Every other type of AWS.
 */
import sdk from "@pulumi/aws/package.json" with { type: "json" };
import { containsUnknown, type ProviderImplementation, UNKNOWN } from "../grpc.ts";
import { serveProvider } from "../serve.ts";
import { bucket } from "./bucket.ts";
import { bucketObject } from "./bucket-object.ts";
import {
  bucketCorsConfiguration,
  bucketLifecycleConfiguration,
  bucketPolicy,
  bucketPublicAccessBlock,
  bucketVersioning,
} from "./bucket-settings.ts";
import { createClient, readSettings } from "./client.ts";
import { checkResource, diffResource, type S3Context, type S3Resource } from "./resource.ts";

const resources = new Map<string, S3Resource>([
  ["aws:s3/bucket:Bucket", bucket],
  ["aws:s3/bucketCorsConfiguration:BucketCorsConfiguration", bucketCorsConfiguration],
  ["aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration", bucketLifecycleConfiguration],
  ["aws:s3/bucketObjectv2:BucketObjectv2", bucketObject],
  ["aws:s3/bucketPolicy:BucketPolicy", bucketPolicy],
  ["aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", bucketPublicAccessBlock],
  ["aws:s3/bucketVersioning:BucketVersioning", bucketVersioning],
]);

function find(type: string): S3Resource {
  const found = resources.get(type);
  if (found) return found;
  const known = [...resources.keys()].join(", ");
  throw new Error(`The sandbox's stand-in for the aws provider has no ${type}; it has ${known}.`);
}

/** The provider, for {@link serveProvider}. */
export function awsProvider(): ProviderImplementation {
  let context: S3Context | undefined;
  const connected = (): S3Context => {
    if (!context) throw new Error("The aws provider's settings are not known yet.");
    return context;
  };
  return {
    name: "aws",
    version: sdk.version,
    async configure({ variables, args }) {
      // In a preview a setting may come from a resource that is not there yet; nothing is asked of S3 then.
      if (containsUnknown(args)) return;
      const settings = readSettings(variables);
      context = { client: createClient(settings), region: settings.region };
    },
    check: async (request) => checkResource(find(request.type), request),
    diff: async ({ type, oldInputs, news }) => diffResource(find(type), oldInputs, news),
    async create({ type, inputs, preview }) {
      const resource = find(type);
      if (!preview) return resource.create(connected(), inputs);
      const unknown = Object.fromEntries(resource.outputs.map((name) => [name, UNKNOWN]));
      return { id: "", state: { ...inputs, ...unknown } };
    },
    read: async ({ type, id, inputs }) => find(type).read(connected(), id, inputs),
    async update({ type, id, news, oldState, preview }) {
      if (preview) return { ...oldState, ...news };
      return find(type).update(connected(), id, news, oldState);
    },
    delete: async ({ type, id, state }) => find(type).remove(connected(), id, state),
    close: () => context?.client.destroy(),
  };
}

if (import.meta.main) await serveProvider(awsProvider);
