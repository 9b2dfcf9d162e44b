import type { EnvVar } from "kubernetes-types/core/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { applyingJob } from "../kubernetes/job.ts";
import { fromSecret } from "../kubernetes/pod.ts";
import { appSettingsFile, appSwitches } from "./app-settings.ts";
import { appParts, appSecrets, appServers, appSwitchVariables } from "./apps/registry.ts";
import { jobResources } from "./job-resources.ts";
import { suiteMetadata } from "./metadata.ts";
import type { ResolvedSuite } from "./schema.ts";
import { scriptsPath } from "./scripts.ts";
import { suiteNames } from "./suite-names.ts";
import { suitePod } from "./suite-pod.ts";

const settingsPath = "/apps";
const deadlineSeconds = 1800;

/**
 * The Job that turns apps on and off and gives them their settings, after the web and the servers of the apps are up. Jobs never change, so a
 * change of what it does or of the suite's version makes one of another name. Under maintenance there is none: no apps are loaded then.
 */
export function configureObjects(args: ResolvedSuite): PlannedObject[] {
  if (args.maintenance) return [];
  const settings = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: suiteMetadata(args, suiteNames.configure, suiteNames.appSettings),
    data: { "apps.json": appSettingsFile(args) },
  };
  const servers = [...appServers(args).map(({ workload }) => workload), suiteNames.web];
  return [{ object: settings }, { object: job(args), after: servers.map((name) => `Deployment/${name}`) }];
}

function job(args: ResolvedSuite) {
  const { on, off } = appSwitches(args);
  const switches = appSwitchVariables(args);
  const name = suiteNames.configure;
  const pod = suitePod(args, {
    name,
    besideWeb: true,
    restartPolicy: "OnFailure",
    volumes: [{ name: "apps", configMap: { name: suiteNames.appSettings, defaultMode: 0o444 } }],
    mounts: [{ name: "apps", mountPath: settingsPath, readOnly: true }],
    secrets: [...appSecrets, ...appParts(args).flatMap(({ copied = [] }) => copied)],
    container: {
      command: ["sh", `${scriptsPath}/${switches.length > 0 ? "configure-further.sh" : "configure.sh"}`],
      env: [
        ...list("APPS_ON", on),
        ...list("APPS_OFF", off),
        ...switches,
        { name: "SETTINGS", value: `${settingsPath}/apps.json` },
        ...appParts(args).flatMap(({ variables = {}, environment = {} }) => [
          ...Object.entries(variables).map(([name, secret]) => fromSecret(name, secret)),
          ...Object.entries(environment).map(([name, value]) => ({ name, value })),
        ]),
      ],
      resources: jobResources,
    },
  });
  return applyingJob({
    metadata: suiteMetadata(args, name),
    template: pod,
    inputs: { settings: appSettingsFile(args) },
    deadlineSeconds,
  });
}

/** A list as a variable; the API server keeps no empty value. */
function list(name: string, values: readonly string[]): EnvVar[] {
  return values.length > 0 ? [{ name, value: values.join(" ") }] : [];
}
