import { objectStoreKeys } from "@hearth-platform/hearth/stores/connections";
import { profiles, providerOf } from "@hearth-platform/hearth/stores/object-storage/profiles";
import { bucketSettingsOf } from "@hearth-platform/stack/providers";
import type { Stack, Suite } from "@hearth-platform/stack/stack-settings";
import type { Configuration, HeldObject } from "./contents.ts";

/** Longest time that an object store is waited for, in milliseconds. */
const patience = 30_000;

/**
 * The newest nightly copy of a suite's config.php, from the bucket of its backups: it has the keys to the suite's data.
 * @param keys the Secret with the object store's keys
 */
export async function newestConfiguration(
  stack: Stack,
  { config: { namespace, s3 } }: Suite,
  keys: HeldObject | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Configuration> {
  const gap = (reason: string): Configuration => ({
    namespace,
    gap: `The suite in namespace ${namespace} has no config.php in the kit: ${reason} Copy it with \`kubectl -n ${namespace} create job --from=cronjob/cloudsuite-config-backup config-now\`, and make the kit again.`,
  });
  const text = (key: string) => Buffer.from(keys?.data?.[key] ?? "", "base64").toString();
  const { GetObjectCommand, ListObjectsV2Command, S3Client } = await import("@aws-sdk/client-s3");
  const client = new S3Client({
    region: s3.region,
    forcePathStyle: profiles[providerOf(s3.endpoint, s3.region, bucketSettingsOf(stack.settings))].pathStyle,
    endpoint: environment.AWS_ENDPOINT_URL_S3 || s3.endpoint,
    maxAttempts: 2,
    credentials: {
      accessKeyId: text(objectStoreKeys.accessKeyId),
      secretAccessKey: text(objectStoreKeys.secretAccessKey),
    },
  });
  const options = { abortSignal: AbortSignal.timeout(patience) };
  const Bucket = s3.buckets.backups;
  try {
    const { Contents = [] } = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix: "configuration/" }),
      options,
    );
    const [newest] = Contents.filter(({ Key }) => Key?.endsWith("/config.php")).sort(
      (one, other) => Number(other.LastModified) - Number(one.LastModified),
    );
    if (!newest) return gap(`the bucket ${Bucket} has no nightly copy yet.`);
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: newest.Key }), options);
    return { namespace, content: (await Body?.transformToByteArray()) ?? new Uint8Array() };
  } catch (error) {
    return gap(`the bucket ${Bucket} can't be read (${(error as Error).name}).`);
  } finally {
    client.destroy();
  }
}
