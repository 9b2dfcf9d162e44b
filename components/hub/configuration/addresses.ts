import { keystoreDatabases } from "../../catalogue/keystore-databases.ts";
import { ports } from "../../catalogue/ports.ts";
import { keystoreUrl } from "../../stores/connections.ts";
import type { KeystoreConnection } from "../../stores/connections-args.ts";
import { secretVariables } from "../configuration.ts";
import { hubNames } from "../hub-names.ts";
import { hubPorts } from "../ports.ts";

/** URLs of the hub's parts inside its namespace. */
export const internalUrls = {
  core: `http://${hubNames.core}:${ports.hubCore}`,
  registry: `http://${hubNames.registry}:${ports.hubRegistry}`,
  registryController: `http://${hubNames.registry}:${hubPorts.registryController}`,
  jobservice: `http://${hubNames.jobservice}:${ports.hubJobservice}`,
  portal: `http://${hubNames.portal}:${ports.hubPortal}`,
  tokenService: `http://${hubNames.core}:${ports.hubCore}/service/token`,
} as const;

/** A variable that the kubelet puts in the place of `$(NAME)`. */
export function variable(name: keyof typeof secretVariables): string {
  return `$(${secretVariables[name]})`;
}

/** Text for an environment variable, escaped: Kubernetes replaces what looks like a reference to another variable. */
export function literal(text: string): string {
  return text.replaceAll("$", "$$$$");
}

/** URL of the hub's keystore database; its keys don't clash: sessions, the registry's cache and the job queue have prefixes of their own. */
export function hubKeystoreUrl(keystore: KeystoreConnection): string {
  return keystoreUrl("redis", keystore, keystoreDatabases.hub, keystore.password && variable("keystorePassword"));
}
