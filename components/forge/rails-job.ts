import type { EnvVar, Volume } from "kubernetes-types/core/v1.d.ts";
import { applyingJob } from "../kubernetes/job.ts";
import type { ScriptName } from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgePod } from "./forge-pod.ts";
import { forgeMetadata } from "./metadata.ts";
import { toolboxContainer } from "./toolbox.ts";

/** A Job in the forge's Rails application. */
export interface RailsJobRequest {
  /** Its name without the hash. */
  readonly name: string;
  readonly script: ScriptName;
  readonly scriptArguments?: readonly string[];
  readonly environment?: readonly EnvVar[];
  /** A folder with files that the script reads beside those of the toolbox. @default none */
  readonly mount?: { readonly path: string; readonly source: Omit<Volume, "name"> };
  /** Platform names of Secrets whose raised revision runs it again. @default those of the toolbox */
  readonly secrets?: readonly string[];
  /** ServiceAccount whose token it uses. @default none */
  readonly serviceAccount?: string;
  /** Plain values beside the pod's that make it run again when they change. @default none */
  readonly inputs?: Readonly<Record<string, string>>;
}

/** Rails takes a minute or two to start, and a busy database some more. */
const deadlineSeconds = 1800;

/** A Job that runs a script in the forge's Rails application, on the toolbox's image; it may run at any time and any number of times. */
export function railsJob(args: ResolvedForge, request: RailsJobRequest) {
  const { name, script, scriptArguments, environment, mount, secrets, serviceAccount, inputs } = request;
  const container = toolboxContainer(args, "run", script, environment, scriptArguments);
  const files = mount && { name: "files", mountPath: mount.path, readOnly: true };
  const template = forgePod(args, {
    name,
    programs: ["toolbox"],
    restartPolicy: "OnFailure",
    containers: [{ ...container, volumeMounts: [...(container.volumeMounts ?? []), ...(files ? [files] : [])] }],
    volumes: [{ name: "scratch", emptyDir: {} }, ...(mount ? [{ name: "files", ...mount.source }] : [])],
    ...(secrets && { secrets }),
    ...(serviceAccount !== undefined && { serviceAccount }),
  });
  return applyingJob({ metadata: forgeMetadata(args, name), template, deadlineSeconds, ...(inputs && { inputs }) });
}
