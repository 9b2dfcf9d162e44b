import { S3Client } from "@aws-sdk/client-s3";

/** The provider's own settings, as far as they matter for S3. */
export interface AwsSettings {
  readonly region: string;
  /** Where S3 answers; undefined: the SDK's own choice, from AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL or the region. */
  readonly endpoint?: string;
  readonly usePathStyle: boolean;
  /** Undefined: the SDK's own chain, environment first. */
  readonly credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

/**
 * Reads the settings as `@pulumi/aws` sends them: strings, everything else as JSON. Where several places may name a value,
 * the order is the official provider's: its own settings, then the environment.
 * @param variables keyed `aws:config:<name>`
 * @throws when no region is given, or when the official provider would ask AWS itself about the account
 */
export function readSettings(variables: Record<string, string>, environment = process.env): AwsSettings {
  const text = (name: string) => variables[`aws:config:${name}`] || undefined;
  const flag = (name: string) => text(name) === "true";
  const region = text("region") ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  if (!region) throw new Error("Missing region: set it in the aws provider's settings (region) or as AWS_REGION.");

  const own: { s3?: string }[] = JSON.parse(text("endpoints") ?? "[]");
  const endpoint = own.find(({ s3 }) => s3)?.s3 ?? (environment.TF_AWS_S3_ENDPOINT || environment.AWS_S3_ENDPOINT);
  const redirected = endpoint || environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL;
  if (redirected && !(flag("skipRequestingAccountId") && flag("skipCredentialsValidation")))
    throw new Error(
      `S3 is at ${redirected}, yet the aws provider would ask AWS itself for the account and fail: ` +
        "set skipCredentialsValidation and skipRequestingAccountId to true in its settings.",
    );

  const [accessKeyId, secretAccessKey, sessionToken] = [text("accessKey"), text("secretKey"), text("token")];
  return {
    region,
    ...(endpoint && { endpoint }),
    usePathStyle: flag("s3UsePathStyle"),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey, sessionToken } }),
  };
}

/** A client for these settings. */
export function createClient({ region, endpoint, usePathStyle, credentials }: AwsSettings): S3Client {
  return new S3Client({
    region,
    forcePathStyle: usePathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
  });
}

/** An error of the S3 server: its code, its words, and the HTTP status. */
interface S3Error {
  readonly name: string;
  readonly message: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Whether the server says that what was asked for is not there. */
export function isNotFound(error: unknown): boolean {
  const { name, $metadata } = error as S3Error;
  return $metadata?.httpStatusCode === 404 || name === "NoSuchBucket" || name === "NotFound";
}

/**
 * What `work` answers.
 * @param doing such as `creating S3 Bucket (name)`, the words the official provider begins its errors with
 * @throws with those words and the server's own code, message and status
 */
export async function attempt<T>(doing: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { name, message, $metadata } = error as S3Error;
    const status = $metadata?.httpStatusCode ? `https response error StatusCode: ${$metadata.httpStatusCode}, ` : "";
    throw new Error(`${doing}: ${status}api error ${name}: ${message}`, { cause: error });
  }
}
