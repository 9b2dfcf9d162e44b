import { resourceRequirements } from "../kubernetes/resources.ts";
import type { ResolvedForge } from "./defaults.ts";
import { type ForgeContainerRequest, railsEnvironment } from "./forge-pod.ts";
import { startUpArgs, startUpEnvironment } from "./start-up.ts";

/** The container that waits for the stores and the migrations, so that old pods keep serving until new ones can. */
export function dependencies(
  args: ResolvedForge,
  program: "webservice" | "jobs",
  image: string,
): ForgeContainerRequest {
  return {
    name: "dependencies",
    program,
    image,
    args: startUpArgs,
    env: [...railsEnvironment(args, program), ...startUpEnvironment],
    resources: resourceRequirements({
      requests: { cpu: "50m", memory: "256Mi" },
      limits: { cpu: "1000m", memory: args.resources[program].limits.memory },
    }),
  };
}
