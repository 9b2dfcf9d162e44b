import { type ForgeConfiguration, type RailsProgram, repositoriesFolder, secretPath } from "../configuration.ts";
import { erb, fileContent, readFile, type YamlMap } from "./erb.ts";
import { fileString } from "./toml.ts";

/**
 * `object_store` of gitlab.yml: one connection and a bucket for each type of objects. Signed streaming is off, which not every store has.
 * (gitlabhq config/object_store_settings.rb)
 */
export function railsObjectStore(program: RailsProgram, { objectStore, buckets }: ForgeConfiguration): YamlMap {
  return {
    enabled: true,
    proxy_download: true,
    connection: {
      provider: "AWS",
      region: objectStore.region,
      endpoint: objectStore.endpoint,
      path_style: objectStore.pathStyle,
      aws_signature_version: 4,
      enable_signature_v4_streaming: false,
      aws_access_key_id: fileContent(secretPath(program, "objectStoreKeyId")),
      aws_secret_access_key: fileContent(secretPath(program, "objectStoreKey")),
    },
    objects: Object.fromEntries(Object.entries(buckets.objects).map(([type, bucket]) => [type, { bucket }])),
  };
}

/** The proxy's part of `workhorse-config.toml`: the keys alone, since Rails tells endpoint and region with each upload. */
export function proxyObjectStore(): string {
  return `[object_storage]
provider = "AWS"

[object_storage.s3]
aws_access_key_id = ${fileString(secretPath("proxy", "objectStoreKeyId"))}
aws_secret_access_key = ${fileString(secretPath("proxy", "objectStoreKey"))}
`;
}

/** `s3cfg`: how the toolbox's backup tool (s3cmd) reaches the buckets. (gitlab-org/charts charts/gitlab/charts/toolbox/templates/configmap.yaml) */
export function s3cfg({ objectStore }: ForgeConfiguration): string {
  const { host, protocol } = new URL(objectStore.endpoint);
  const read = (file: "objectStoreKeyId" | "objectStoreKey") => erb(readFile(secretPath("toolbox", file)));
  const settings = {
    access_key: read("objectStoreKeyId"),
    secret_key: read("objectStoreKey"),
    bucket_location: objectStore.region,
    host_base: host,
    host_bucket: objectStore.pathStyle ? `${host}/%(bucket)` : `%(bucket)s.${host}`,
    use_https: protocol === "https:" ? "True" : "False",
    signature_v2: "False",
    multipart_chunk_size_mb: "128",
    preserve_attrs: "False",
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  return `[default]\n${lines.join("\n")}\n`;
}

/**
 * Where the git store puts copies of its repositories, as a URL of the Go CDK, which refuses parameters that it does not know. The keys are in
 * its environment. (gitaly internal/backup/sink.go; gocloud.dev 0.40.1 to 0.47 blob/s3blob, aws and blob.PrefixedBucket)
 */
export function backupUrl({ objectStore, buckets }: ForgeConfiguration): string {
  const { region, endpoint, pathStyle } = objectStore;
  const parameters = new URLSearchParams({
    region,
    endpoint,
    use_path_style: String(pathStyle),
    prefix: `${repositoriesFolder}/`,
  });
  return `s3://${buckets.backups}?${parameters}`;
}
