import { objectStoreKeys } from "../../connections.ts";
import type { CloudSuiteS3Args } from "../args.ts";
import { environmentVariable, phpConfiguration } from "./php.ts";

/**
 * `object-store.config.php`: the data bucket as primary storage, where every file of every user lies.
 * It has to be there before the installation and may never go: without it files vanish from view.
 * (nextcloud/docker .config/s3.config.php)
 */
export function objectStoreConfiguration(s3: CloudSuiteS3Args): string {
  const endpoint = new URL(s3.endpoint);
  const ssl = endpoint.protocol === "https:";
  return phpConfiguration({
    objectstore: {
      class: "\\OC\\Files\\ObjectStore\\S3",
      arguments: {
        bucket: s3.buckets.data,
        region: s3.region,
        hostname: endpoint.hostname,
        port: endpoint.port === "" ? (ssl ? 443 : 80) : Number(endpoint.port),
        use_ssl: ssl,
        use_path_style: true,
        autocreate: false,
        key: environmentVariable(objectStoreKeys.accessKeyId),
        secret: environmentVariable(objectStoreKeys.secretAccessKey),
      },
    },
  });
}
