import { Cluster } from "@hearth-platform/stack/live/cluster/cluster";
import { credentialsOf } from "@hearth-platform/stack/live/object-storage-keys";
import type { Inputs } from "./deployment.ts";
import type { BucketState, OpenPlaces } from "./finding.ts";

/** Clusters and object stores as the stack's own providers reach them. */
export function openPlaces(environment: NodeJS.ProcessEnv): OpenPlaces {
  const clusters = new Map<string, Promise<Cluster>>();
  return {
    cluster(provider) {
      const { kubeconfig, context } = provider as { kubeconfig?: string; context?: string };
      const key = JSON.stringify([kubeconfig, context]);
      const opened = clusters.get(key) ?? Cluster.open({ kubeconfig, context }, environment);
      clusters.set(key, opened);
      return opened;
    },
    bucket: (name, provider) => bucketState(name, provider, environment),
    async close() {
      for (const opened of clusters.values()) (await opened.catch(() => undefined))?.close();
    },
  };
}

/** What a bucket holds. Reached as the AWS provider reaches it: its endpoint, or that of the environment. */
async function bucketState(name: string, provider: Inputs, environment: NodeJS.ProcessEnv): Promise<BucketState> {
  const { ListBucketsCommand, ListObjectsV2Command, S3Client, S3ServiceException } = await import("@aws-sdk/client-s3");
  const [place] = JSON.parse(String(provider.endpoints ?? "[]")) as { s3?: string }[];
  const client = new S3Client({
    region: String(provider.region),
    forcePathStyle: String(provider.s3UsePathStyle) === "true",
    endpoint: environment.AWS_ENDPOINT_URL_S3 || place?.s3,
    ...credentialsOf(environment),
  });
  try {
    const { KeyCount = 0 } = await client.send(new ListObjectsV2Command({ Bucket: name, MaxKeys: 1 }));
    if (KeyCount > 0) return { holds: "objects" };
    // Keys may be for buckets alone, and not for their list.
    const { Buckets = [] } = await client.send(new ListBucketsCommand({})).catch(() => ({ Buckets: undefined }));
    return { holds: "nothing", made: Buckets.find(({ Name }) => Name === name)?.CreationDate };
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === "NoSuchBucket") return { holds: "no bucket" };
    throw new Error(`The bucket ${name} can't be read: ${(error as Error).message}`, { cause: error });
  } finally {
    client.destroy();
  }
}
