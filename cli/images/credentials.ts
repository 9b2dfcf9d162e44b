import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { RegistryCredentials } from "./registry.ts";

/** Docker Hub's key in the file, which is older than its name. */
const dockerHub = "https://index.docker.io/v1/";

/**
 * What `docker login` wrote to `~/.docker/config.json`, or into the folder of DOCKER_CONFIG; passwords that it handed to a
 * helper program are not there. Without a file that can be read nobody has signed in.
 */
export function dockerCredentials(environment: NodeJS.ProcessEnv = process.env): RegistryCredentials {
  const folder = environment.DOCKER_CONFIG || join(homedir(), ".docker");
  const entries = signIns(join(folder, "config.json"));
  return (host) => {
    const auth = entries[host === "docker.io" ? dockerHub : host]?.auth;
    return typeof auth === "string" && auth !== "" ? auth : undefined;
  };
}

function signIns(file: string): Record<string, { auth?: unknown }> {
  try {
    return JSON.parse(readFileSync(file, "utf8"))?.auths ?? {};
  } catch {
    return {};
  }
}
