import type { ObjectStoreConnection } from "../../stores/connections-args.ts";
import { phpConfiguration } from "./php.ts";

/**
 * `object-store.config.php`: the data bucket as primary storage, where every file of every user lies.
 * It has to be there before the installation and may never go: without it files vanish from view.
 * (nextcloud/docker .config/s3.config.php)
 */
export function objectStoreConfiguration(store: ObjectStoreConnection, bucket: string): string {
  const endpoint = new URL(store.endpoint);
  const ssl = endpoint.protocol === "https:";
  return phpConfiguration({
    objectstore: {
      class: "\\OC\\Files\\ObjectStore\\S3",
      arguments: {
        bucket,
        region: store.region,
        hostname: endpoint.hostname,
        port: endpoint.port === "" ? (ssl ? 443 : 80) : Number(endpoint.port),
        use_ssl: ssl,
        use_path_style: store.pathStyle,
        autocreate: false,
        // Nextcloud writes what it reads here into config.php. Without keys it asks the AWS SDK, which has them from the environment;
        // empty, they displace those that an earlier hearth let it write there. (lib/private/Files/ObjectStore/S3ConnectionTrait.php)
        key: "",
        secret: "",
      },
    },
  });
}
