import { resourceRequirements } from "../resources.ts";
import type { ForgeArgs } from "./args.ts";
import { scriptNames, scriptPath } from "./configuration.ts";
import { forgeResources } from "./defaults.ts";
import { type ForgeContainerRequest, railsEnvironment } from "./forge-pod.ts";

/** Seconds a pod waits for the stores and the schema before it starts over: as long as a long migration. */
const waitSeconds = 3600;

/** The container that waits for the stores and the migrations, so that old pods keep serving until new ones can. */
export function dependencies(args: ForgeArgs, program: "webservice" | "jobs", image: string): ForgeContainerRequest {
  return {
    name: "dependencies",
    program,
    image,
    script: scriptNames.waitForSchema,
    // Not `command`: the entrypoint renders the configuration first.
    args: ["bash", scriptPath(scriptNames.waitForSchema)],
    env: [
      ...railsEnvironment(args, program),
      { name: "WAIT_FOR_TIMEOUT", value: String(waitSeconds) },
      { name: "SLEEP_DURATION", value: "1" },
    ],
    resources: resourceRequirements({
      requests: { cpu: "50m", memory: "256Mi" },
      limits: { cpu: "1000m", memory: forgeResources(args)[program].limits.memory },
    }),
  };
}
