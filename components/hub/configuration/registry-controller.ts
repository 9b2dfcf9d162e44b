import { stringify } from "yaml";
import { hubFiles } from "../configuration.ts";
import { hubPorts } from "../ports.ts";

/** `config.yml` of the registry's controller, which deletes layers where the registry's own file says they are. (goharbor/harbor src/registryctl/config) */
export function registryControllerFile(): string {
  return stringify({
    protocol: "http",
    port: String(hubPorts.registryController),
    log_level: "info",
    registry_config: hubFiles.registry,
  });
}
