import { ports } from "../../catalogue/ports.ts";
import { type ForgeConfiguration, repositoriesPath, secretPath } from "../configuration.ts";
import { internalUrl } from "./addresses.ts";
import { backupUrl } from "./object-store.ts";
import { fileString, tomlString } from "./toml.ts";

/** Seconds running git commands get when the git store stops; the pod's grace period has to be longer. */
export const gitstoreShutdownSeconds = 25;

/**
 * `config.toml` of the git store. The storage's name stands in the forge's database with each repository: it never changes.
 * (gitlab-org/charts charts/gitlab/charts/gitaly/templates/_configmap_spec.yaml)
 */
export function gitstoreConfiguration(configuration: ForgeConfiguration): string {
  return `bin_dir = "/usr/local/bin"
listen_addr = ":${ports.forgeGitstore}"
prometheus_listen_addr = ":${ports.forgeGitstoreMetrics}"
graceful_restart_timeout = "${gitstoreShutdownSeconds}s"

[[storage]]
name = "default"
path = ${tomlString(repositoriesPath)}

[logging]
level = "info"
format = "json"
dir = "/var/log/gitaly"

[auth]
token = ${fileString(secretPath("gitstore", "gitstoreToken"))}

[git]
use_bundled_binaries = true

[gitlab-shell]
dir = "/srv/gitlab-shell"

[gitlab]
url = ${tomlString(`${internalUrl(configuration.namespace)}/`)}
secret_file = ${tomlString(secretPath("gitstore", "shellSecret"))}

[hooks]
custom_hooks_dir = "/home/git/custom_hooks"

[backup]
go_cloud_url = ${tomlString(backupUrl(configuration))}
`;
}
