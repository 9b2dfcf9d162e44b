import { basename, dirname } from "node:path";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { scriptNames, settingsPath } from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { forgeMetadata } from "./metadata.ts";
import { railsJob } from "./rails-job.ts";
import { knowsUsageVariable } from "./versions.ts";

const name = forgeNames.settings;

/**
 * Settings that the forge keeps in its database, where its configuration files count at the installation only: a Job applies them, anew where
 * they change.
 */
export function settingsObjects(args: ResolvedForge, migrated: string): PlannedObject[] {
  const data = { [basename(settingsPath)]: settingsFile(args) };
  const configMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: forgeMetadata(args, name),
    data,
  } satisfies ConfigMap;
  return [{ object: configMap }, { object: job(args, data), after: [migrated] }];
}

/** The settings by the forge's own names; what the arguments don't say stays the administrators' in the user interface. */
function settingsFile({ administration, ssh, platform: { privacy }, version }: ResolvedForge): string {
  const { signUp, defaultProjectVisibility } = administration;
  return JSON.stringify({
    // Without a way in no clone address by SSH is shown; empty is both.
    enabled_git_access_protocol: ssh ? "" : "http",
    usage_ping_enabled: privacy.forgeServicePing,
    // From 18.9 on the variable turns it off, and the setting can't be changed while it does.
    ...((privacy.forgeUsageEvents || !knowsUsageVariable(version)) && {
      gitlab_product_usage_data_enabled: privacy.forgeUsageEvents,
    }),
    version_check_enabled: privacy.forgeVersionCheck,
    update_runner_versions_enabled: privacy.forgeRunnerReleases,
    gravatar_enabled: privacy.forgeGravatar,
    ...(signUp !== undefined && { signup_enabled: signUp }),
    ...(defaultProjectVisibility && { default_project_visibility: defaultProjectVisibility }),
  });
}

function job(args: ResolvedForge, data: Record<string, string>) {
  return railsJob(args, {
    name,
    script: scriptNames.applySettings,
    scriptArguments: [settingsPath],
    mount: { path: dirname(settingsPath), source: { configMap: { name, defaultMode: 0o444 } } },
    inputs: data,
  });
}
