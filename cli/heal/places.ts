import { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { credentialsOf } from "@hearth-platform/stack/live/object-storage-keys";
import type { StateInputs } from "./deployment.ts";
import type { BucketState, OpenPlaces } from "./finding.ts";

/** Clusters and object stores as the stack's own providers reach them. */
export function openPlaces(environment: NodeJS.ProcessEnv): OpenPlaces {
  const clusters = new Map<string, Promise<LiveCluster>>();
  return {
    cluster(provider) {
      const { kubeconfig, context } = provider as { kubeconfig?: string; context?: string };
      const key = JSON.stringify([kubeconfig, context]);
      const opened = clusters.get(key) ?? LiveCluster.open({ kubeconfig, context }, environment);
      clusters.set(key, opened);
      return opened;
    },
    bucket: (name, provider) => bucketState(name, provider, environment),
    digest: (image) => digestOf(image, environment),
    async close() {
      for (const opened of clusters.values()) (await opened.catch(() => undefined))?.close();
    },
  };
}

/** What a bucket holds. Reached as the AWS provider reaches it: its endpoint, or that of the environment. */
async function bucketState(name: string, provider: StateInputs, environment: NodeJS.ProcessEnv): Promise<BucketState> {
  const { HeadBucketCommand, ListBucketsCommand, ListObjectsV2Command, S3Client, S3ServiceException } = await import(
    "@aws-sdk/client-s3"
  );
  const [place] = JSON.parse(String(provider.endpoints ?? "[]")) as { s3?: string }[];
  const client = new S3Client({
    region: String(provider.region),
    forcePathStyle: String(provider.s3UsePathStyle) === "true",
    endpoint: environment.AWS_ENDPOINT_URL_S3 || place?.s3,
    ...credentialsOf(environment),
  });
  try {
    const { KeyCount = 0 } = await client.send(new ListObjectsV2Command({ Bucket: name, MaxKeys: 1 }));
    const { BucketRegion: region } = await client.send(new HeadBucketCommand({ Bucket: name }));
    // Keys may be for buckets alone, and not for their list.
    const { Buckets = [] } = await client.send(new ListBucketsCommand({})).catch(() => ({ Buckets: undefined }));
    const listed = Buckets.find(({ Name }) => Name === name);
    const owner = { isOwn: listed !== undefined, region };
    return KeyCount > 0 ? { holds: "objects", ...owner } : { holds: "nothing", made: listed?.CreationDate, ...owner };
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === "NoSuchBucket") return { holds: "no bucket" };
    throw new Error(`The bucket ${name} can't be read: ${(error as Error).message}`, { cause: error });
  } finally {
    client.destroy();
  }
}

/** Longest time that a registry is waited for, in milliseconds. */
const registryPatience = 20_000;

/** The sandbox's registry answers for every host. */
async function digestOf(image: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const [{ registryDigest }, { dockerCredentials }] = await Promise.all([
    import("../images/registry.ts"),
    import("../images/credentials.ts"),
  ]);
  const registry = environment.HEARTH_SANDBOX_REGISTRY;
  const named = registry ? image.replace(/^[^/]+/, registry) : image;
  const signal = AbortSignal.timeout(registryPatience);
  return registryDigest(named, dockerCredentials(environment), signal).catch(() => undefined);
}
