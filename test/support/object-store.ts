import { S3Client } from "@aws-sdk/client-s3";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";

/** The object store of the tests' sandbox, with its keys. */
export async function sandboxObjectStore(): Promise<S3Client> {
  const environment = sandboxEnvironment(await openSandbox());
  return new S3Client({
    endpoint: environment.AWS_ENDPOINT_URL_S3,
    region: environment.AWS_REGION,
    forcePathStyle: true,
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? "",
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? "",
    },
  });
}
