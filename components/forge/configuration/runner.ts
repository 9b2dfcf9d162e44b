import { type ForgeConfiguration, type ForgeRunnerSettings, type SecretFile, secretPath } from "../configuration.ts";
import { internalUrl } from "./addresses.ts";
import { forgeContainerPorts } from "./ports.ts";
import { tomlString } from "./toml.ts";

/**
 * Template of the runner's `config.toml`; the runner's start script puts the mounted files' content in the place of each `@file:<path>@`.
 * Jobs clone inside the cluster too: their images know neither a private authority nor, in each network, the public host.
 * Job pods get no token of the cluster and no privileges. (gitlab-org/gitlab-runner docs/executors/kubernetes, docs/configuration/advanced-configuration.md)
 */
export function runnerConfiguration(configuration: ForgeConfiguration, runner: ForgeRunnerSettings): string {
  const { objectStore, buckets, namespace } = configuration;
  const { host, protocol } = new URL(objectStore.endpoint);
  const { requests, limits } = runner.jobResources;
  const pullSecrets = runner.pullSecrets.length > 0 && `[${runner.pullSecrets.map(tomlString).join(", ")}]`;
  return `concurrent = ${runner.concurrent}
check_interval = 3
listen_address = ":${forgeContainerPorts.runnerMetrics}"
log_format = "json"

[[runners]]
name = "forge-runner"
url = ${tomlString(internalUrl(namespace))}
clone_url = ${tomlString(internalUrl(namespace))}
token = ${mounted("runnerToken")}
executor = "kubernetes"

[runners.kubernetes]
namespace = ${tomlString(runner.jobNamespace)}
image = ${tomlString(runner.defaultImage)}
${optional("helper_image", runner.helperImage && tomlString(runner.helperImage))}${optional("image_pull_secrets", pullSecrets)}service_account = ${tomlString(runner.jobServiceAccount)}
automount_service_account_token = false
privileged = false
allow_privilege_escalation = false
poll_timeout = 600
cpu_request = ${tomlString(requests.cpu)}
memory_request = ${tomlString(requests.memory)}
cpu_limit = ${tomlString(limits.cpu)}
memory_limit = ${tomlString(limits.memory)}

[runners.cache]
Type = "s3"
Shared = true

[runners.cache.s3]
AuthenticationType = "access-key"
ServerAddress = ${tomlString(host)}
Insecure = ${protocol !== "https:"}
PathStyle = ${objectStore.pathStyle}
BucketName = ${tomlString(buckets.runnerCache)}
BucketLocation = ${tomlString(objectStore.region)}
AccessKey = ${mounted("objectStoreKeyId")}
SecretKey = ${mounted("objectStoreKey")}
`;
}

/** A line of the file, or nothing. */
function optional(key: string, value: string | false | undefined): string {
  return value ? `${key} = ${value}\n` : "";
}

function mounted(file: SecretFile): string {
  return `"@file:${secretPath("runner", file)}@"`;
}
