import type { ProviderArgs } from "@pulumi/aws/provider.js";
import type { ObjectStorageArgs } from "./args.ts";
import { profiles, providerOf } from "./profiles.ts";

/**
 * Arguments of an `aws.Provider` that reaches an S3-compatible endpoint with nothing but the S3 API: no account, no
 * identity service, no metadata service. Credentials come from the environment and never enter the state.
 * @param environment `AWS_ENDPOINT_URL_S3` in it decides on the endpoint, as for every AWS tool; then the state has none
 */
export function awsProviderArgs(
  { endpoint, region, settings }: Pick<ObjectStorageArgs, "endpoint" | "region" | "settings">,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ProviderArgs {
  return {
    region,
    s3UsePathStyle: profiles[providerOf(endpoint, region, settings)].pathStyle,
    skipCredentialsValidation: true,
    skipMetadataApiCheck: true,
    skipRegionValidation: true,
    // With an account id the provider would tag buckets through S3 Control, which only AWS has.
    skipRequestingAccountId: true,
    ...(environment.AWS_ENDPOINT_URL_S3 ? {} : { endpoints: [{ s3: endpoint, s3control: endpoint }] }),
  };
}
