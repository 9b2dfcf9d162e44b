import { keystoreDatabases } from "../../catalogue/keystore-databases.ts";
import { ports } from "../../catalogue/ports.ts";
import { type ForgeConfiguration, secretPath } from "../configuration.ts";
import { proxyObjectStore } from "./object-store.ts";
import { fileString, tomlString } from "./toml.ts";

/** Seconds open requests get when the proxy stops: one more than a web worker has for a request. */
export const proxyShutdownSeconds = 61;

/**
 * `workhorse-config.toml`. Its keystore is the database of Rails' shared state: there Rails tells that a job waits for a runner.
 * (gitlab-org/charts charts/gitlab/charts/webservice/templates/configmap.yml)
 */
export function proxyConfiguration({ keystore }: ForgeConfiguration): string {
  const password = keystore.password ? `\nPassword = ${fileString(secretPath("proxy", "keystorePassword"))}` : "";
  return `shutdown_timeout = "${proxyShutdownSeconds}s"

[redis]
URL = ${tomlString(`redis://${keystore.host}:${keystore.port}`)}
DB = ${keystoreDatabases.forgeJobQueue}${password}

${proxyObjectStore()}
[image_resizer]
max_scaler_procs = 2
max_filesize = 250000

[[listeners]]
network = "tcp"
addr = ":${ports.forgeProxy}"
`;
}
