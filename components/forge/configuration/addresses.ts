import { names, serviceHost } from "../../catalogue/names.ts";
import { ports } from "../../catalogue/ports.ts";

/** URL of the forge inside the cluster: the proxy, which serves all that the web server does and git, uploads and long polling besides. */
export function internalUrl(namespace: string): string {
  return `http://${serviceHost(names.forge.webservice, namespace)}:${ports.forgeProxy}`;
}

/** Address of the git store as its clients want it. */
export function gitstoreAddress(namespace: string): string {
  return `tcp://${serviceHost(names.forge.gitstore, namespace)}:${ports.forgeGitstore}`;
}
