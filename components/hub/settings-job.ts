import type { Volume } from "kubernetes-types/core/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { secretName } from "../core/secrets.ts";
import { applyingJob } from "../kubernetes/job.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { internalUrls } from "./configuration/addresses.ts";
import { hubState } from "./configuration/settings.ts";
import {
  administratorPassword,
  proxyCachePassword,
  robotPassword,
  scriptNames,
  scriptsPath,
  settingsFile,
  settingsSecrets,
} from "./configuration.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames, robotSecret } from "./hub-names.ts";
import { configMap, configMount, configVolume, fileName, hubPod, scriptsMount } from "./hub-pod.ts";
import { images } from "./images.ts";
import { hubMetadata } from "./metadata.ts";
import { scripts } from "./scripts.ts";
import { accountKeys, administrator } from "./secrets.ts";

const name = hubNames.settings;
const deadlineSeconds = 1800;
const { applySettings, applyProjects, applyRobots, hubApi } = scriptNames;
/** The scripts that the Job runs. */
const jobScripts = [applySettings, applyProjects, applyRobots, hubApi];
/** The user that Node's images have beside root. */
const nodeUser = 1000;

/**
 * The Job that gives a running hub its projects, quotas, retention, collection and robots, by its API. It makes true what the settings say
 * however often it runs; a change of them, of the script or of a Secret's revision makes a new one.
 */
export function settingsObjects(args: ResolvedHub): PlannedObject[] {
  const settings = JSON.stringify(hubState(args), null, 2);
  const parts = [hubNames.core, hubNames.registry, hubNames.jobservice].map((part) => `Deployment/${part}`);
  return [
    configMap(args, name, name, { [fileName(settingsFile)]: settings }),
    {
      object: applyingJob({ metadata: hubMetadata(args, name), template: pod(args, settings), deadlineSeconds }),
      after: parts,
    },
  ];
}

function pod(args: ResolvedHub, settings: string) {
  const files = secretFiles(args);
  return hubPod(args, {
    name,
    user: nodeUser,
    group: nodeUser,
    gracePeriodSeconds: 30,
    restartPolicy: "OnFailure",
    configuration: { settings, ...Object.fromEntries(jobScripts.map((script) => [script, scripts[script] ?? ""])) },
    secrets: [...new Set(files.map(({ platformName }) => platformName))],
    containers: [
      {
        name: "settings",
        image: images(args).settings,
        command: ["node", `${scriptsPath}/${applySettings}`],
        env: [
          { name: "HUB_URL", value: internalUrls.core },
          { name: "HUB_USER", value: administrator },
        ],
        resources: resourceRequirements(args.resources.jobs),
        volumeMounts: [
          scriptsMount,
          configMount(name, settingsFile),
          { name: "secrets", mountPath: settingsSecrets, readOnly: true },
        ],
      },
    ],
    volumes: [configVolume(hubNames.scripts), configVolume(name), secretsVolume(files)],
  });
}

/** A file of the Job's secrets: its path, the key of a Secret, and the platform's name of that Secret. */
interface JobSecret {
  readonly path: string;
  readonly secret: string;
  readonly key: string;
  readonly platformName: string;
}

function secretFiles({ platform, projects, robots }: ResolvedHub): JobSecret[] {
  const own = (path: string, platformName: string): JobSecret => ({
    path,
    platformName,
    secret: secretName(platform.secrets, platformName),
    key: accountKeys.password,
  });
  return [
    own(administratorPassword, hubNames.administrator),
    ...robots.map((robot) => own(robotPassword(robot.name), robotSecret(robot.name))),
    ...projects.flatMap((project) => {
      const password = project.proxyCache?.password;
      if (!password) return [];
      const { name: secret, key } = password;
      return [{ path: proxyCachePassword(project.name), secret, key, platformName: secret }];
    }),
  ];
}

function secretsVolume(files: readonly JobSecret[]): Volume {
  const sources = files.map(({ path, secret, key }) => ({ secret: { name: secret, items: [{ key, path }] } }));
  return { name: "secrets", projected: { defaultMode: 0o440, sources } };
}
