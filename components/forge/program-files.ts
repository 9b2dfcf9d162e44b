import type { ConfigMap, Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { mirrored, proxies } from "../core/platform.ts";
import { tellsCallers } from "../exposure/rendering.ts";
import { forgeBuckets } from "./buckets.ts";
import { initializerNames } from "./configuration/initializers.ts";
import { podConfiguration } from "./configuration/pod-configuration.ts";
import {
  configurationPaths,
  type ForgeConfiguration,
  type ForgeProgram,
  type ForgeRunnerSettings,
  ldapPasswordFile,
  mountedSecrets,
  readsSignOn,
  scriptsPath,
  secretFiles,
  secretsPath,
  signInFile,
} from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { images } from "./images.ts";
import { forgeMetadata } from "./metadata.ts";
import { scripts } from "./scripts.ts";
import { type SecretSource, secretSource } from "./secrets.ts";

/** Readable by the pod's group: the images run as another user than the one that files are mounted by. */
const groupReadable = 0o440;

/** The workload that each program's configuration belongs to, and the name of its ConfigMap. */
const configMaps: Readonly<Record<ForgeProgram, { workload: string; name: string }>> = {
  webservice: { workload: forgeNames.webservice, name: forgeNames.webservice },
  proxy: { workload: forgeNames.webservice, name: forgeNames.proxy },
  jobs: { workload: forgeNames.jobs, name: forgeNames.jobs },
  toolbox: { workload: forgeNames.toolbox, name: forgeNames.toolbox },
  migrations: { workload: forgeNames.migrations, name: forgeNames.migrations },
  gitstore: { workload: forgeNames.gitstore, name: forgeNames.gitstore },
  shell: { workload: forgeNames.shell, name: forgeNames.shell },
  pages: { workload: forgeNames.pages, name: forgeNames.pages },
  runner: { workload: forgeNames.runner, name: forgeNames.runner },
};

/** The ConfigMaps of the programs this forge has, and that of the scripts. */
export function configMapObjects(args: ResolvedForge): PlannedObject[] {
  const configMap = (workload: string, name: string, data: Record<string, string>) => {
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: forgeMetadata(args, workload, name),
      data,
    } satisfies ConfigMap;
    return { object };
  };
  const present = (Object.keys(configMaps) as ForgeProgram[]).filter(
    (program) => (program !== "pages" || args.pages) && (program !== "runner" || args.runner),
  );
  return [
    ...present.map((program) =>
      configMap(configMaps[program].workload, configMaps[program].name, files(args, program)),
    ),
    configMap(forgeNames.toolbox, forgeNames.scripts, { ...scripts }),
  ];
}

const madeFiles = new WeakMap<ResolvedForge, Partial<Record<ForgeProgram, Record<string, string>>>>();

/** A program's configuration files by name. ConfigMap, mounts and hash ask for them: made once, a plan takes half as long. */
function files(args: ResolvedForge, program: ForgeProgram): Record<string, string> {
  const made = madeFiles.get(args) ?? {};
  madeFiles.set(args, made);
  made[program] ??= podConfiguration(program, forgeConfiguration(args));
  return made[program];
}

/** Files that the pods of these programs read. A change rolls the pods. */
export function readConfiguration(args: ResolvedForge, programs: readonly ForgeProgram[]): Record<string, string> {
  return Object.fromEntries(
    programs.flatMap((program) =>
      Object.entries(files(args, program)).map(([name, content]) => [`${program}/${name}`, content]),
    ),
  );
}

/** Names of the Secrets that the pods of some programs read. */
export function readSecrets(args: ResolvedForge, programs: readonly ForgeProgram[]): string[] {
  const named = programs.flatMap((program) =>
    secretSources(args, program).map(([, { key, platformName }]) => platformName ?? key.name),
  );
  return [...new Set(named)];
}

/** Volumes of a program's configuration and secrets. */
export function programVolumes(args: ResolvedForge, program: ForgeProgram): Volume[] {
  const bySecret = new Map<string, { key: string; path: string }[]>();
  for (const [path, { key }] of secretSources(args, program))
    bySecret.set(key.name, [...(bySecret.get(key.name) ?? []), { key: key.key, path }]);
  return [
    { name: `${program}-configuration`, configMap: { name: configMaps[program].name, defaultMode: 0o444 } },
    {
      name: `${program}-secrets`,
      projected: {
        defaultMode: groupReadable,
        sources: [...bySecret].map(([name, items]) => ({
          // The runner's start waits for its token, which the forge makes later than the pod may start.
          secret: {
            name,
            items,
            ...(items.some(({ path }) => path === secretFiles.runnerToken) && { optional: true }),
          },
        })),
      },
    },
  ];
}

/** Mounts of a program's configuration and secrets, where the program looks for them. */
export function programMounts(args: ResolvedForge, program: ForgeProgram): VolumeMount[] {
  const secrets = `${program}-secrets`;
  const configuration = `${program}-configuration`;
  const configured = files(args, program);
  const file = (name: string, mountPath: string) =>
    name in configured ? [{ name: configuration, mountPath, subPath: name, readOnly: true }] : [];
  return [
    { name: configuration, mountPath: configurationPaths[program], readOnly: true },
    { name: secrets, mountPath: secretsPath(program), readOnly: true },
    ...(mountedSecrets(program, forgeConfiguration(args)).includes("railsSecrets")
      ? [
          {
            name: secrets,
            mountPath: "/srv/gitlab/config/secrets.yml",
            subPath: secretFiles.railsSecrets,
            readOnly: true,
          },
        ]
      : []),
    // Rails reads these elsewhere than where the entrypoint puts what it renders.
    ...["smtp_settings.rb", ...initializerNames].flatMap((name) =>
      file(name, `/srv/gitlab/config/initializers/${name}`),
    ),
    ...file("installation_type", "/srv/gitlab/INSTALLATION_TYPE"),
  ];
}

/** Volume of the scripts. */
export const scriptsVolume: Volume = {
  name: "scripts",
  configMap: { name: forgeNames.scripts, defaultMode: 0o555 },
};

/** Mount of the scripts. */
export const scriptsMount: VolumeMount = { name: scriptsVolume.name, mountPath: scriptsPath, readOnly: true };

/** Inputs of the configuration files. */
export function forgeConfiguration(args: ResolvedForge): ForgeConfiguration {
  const { namespace, version, domain, ssh, pages, database, keystore, objectStore, administration, platform } = args;
  return {
    namespace,
    version,
    domain,
    ssh,
    clientAddress: ssh?.proxyProtocol ?? tellsCallers(platform.ingress),
    pages,
    runner: args.runner && runnerSettings(args, args.runner),
    database,
    keystore,
    objectStore,
    buckets: forgeBuckets(args.bucketSuffix, namespace, args),
    administration,
    privacy: platform.privacy,
    trustedProxies: proxies(platform.ingress),
  };
}

function runnerSettings(
  args: ResolvedForge,
  { jobNamespace, concurrent, defaultImage, tags, jobResources }: NonNullable<ResolvedForge["runner"]>,
): ForgeRunnerSettings {
  const { pullSecrets = [] } = args.platform.images ?? {};
  const usualHelper = images(args).runnerHelper;
  const helper = mirrored(usualHelper, args.platform.images);
  return {
    jobNamespace,
    concurrent,
    defaultImage: mirrored(defaultImage, args.platform.images),
    // Unnamed, it is of the runner's architecture; a mirrored one can only be named whole.
    helperImage: helper === usualHelper ? undefined : helper,
    pullSecrets,
    tags,
    jobResources,
    jobServiceAccount: forgeNames.runnerJobs,
  };
}

/** A program's secret files: path below its folder, and where each comes from. */
function secretSources(args: ResolvedForge, program: ForgeProgram): [string, SecretSource][] {
  const configuration = forgeConfiguration(args);
  const { providers, ldap } = configuration.administration.signOn;
  const own = mountedSecrets(program, configuration).map(
    (file) => [secretFiles[file], secretSource(file, configuration, args.platform.secrets)] as const,
  );
  const signOn = readsSignOn(program)
    ? [
        ...providers.map(({ name, provider }) => [signInFile(name), { key: provider }] as const),
        ...ldap.map(({ name, password }) => [ldapPasswordFile(name), password && { key: password }] as const),
      ]
    : [];
  return [...own, ...signOn].flatMap(([path, source]) => (source ? [[path, source]] : []));
}
