import { basename, dirname } from "node:path";
import type { Job } from "kubernetes-types/batch/v1.d.ts";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import type { PlannedObject } from "../plan.ts";
import { configurationHash } from "../pod.ts";
import type { ForgeArgs } from "./args.ts";
import { scriptNames, settingsPath } from "./configuration.ts";
import { forgeNames } from "./forge-names.ts";
import { forgePod } from "./forge-pod.ts";
import { forgeMetadata } from "./metadata.ts";
import { scriptsVolume } from "./program-files.ts";
import { toolboxContainer } from "./toolbox.ts";

const name = forgeNames.settings;
const deadlineSeconds = 1800;

/**
 * Settings that the forge keeps in its database, where its configuration files count at the installation only: a Job applies them. Jobs never
 * change, so other settings make one of another name.
 */
export function settingsObjects(args: ForgeArgs, migrated: string): PlannedObject[] {
  const data = { [basename(settingsPath)]: settingsFile(args) };
  const configMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: forgeMetadata(args, name),
    data,
  } satisfies ConfigMap;
  return [{ object: configMap }, { object: job(args, data), after: [migrated] }];
}

/** The settings by the forge's own names; what is not set here stays the administrators' in the user interface. */
function settingsFile({ administration }: ForgeArgs): string {
  return JSON.stringify({
    signup_enabled: administration?.signUp ?? false,
    ...(administration?.defaultProjectVisibility && {
      default_project_visibility: administration.defaultProjectVisibility,
    }),
  });
}

function job(args: ForgeArgs, data: Record<string, string>) {
  const container = toolboxContainer(args, "apply", scriptNames.applySettings, [], [settingsPath]);
  const mount = { name: "settings", mountPath: dirname(settingsPath), readOnly: true };
  const pod = forgePod(args, {
    name,
    programs: ["toolbox"],
    restartPolicy: "OnFailure",
    containers: [{ ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] }],
    volumes: [
      scriptsVolume,
      { name: "scratch", emptyDir: {} },
      { name: "settings", configMap: { name, defaultMode: 0o444 } },
    ],
  });
  const hash = configurationHash({ ...data, pod: JSON.stringify(pod) }).slice(0, 8);
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      ...forgeMetadata(args, name, `${name}-${hash}`),
      annotations: { "pulumi.com/timeoutSeconds": String(deadlineSeconds) },
    },
    spec: { backoffLimit: 5, activeDeadlineSeconds: deadlineSeconds, template: pod },
  } satisfies Job;
}
