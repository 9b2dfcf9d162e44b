import type { EnvVar, PodTemplateSpec } from "kubernetes-types/core/v1.d.ts";
import { type ContainerRequest, type PodRequest, podTemplate } from "../kubernetes/pod.ts";
import { configurationPaths, type ForgeProgram, type ScriptName } from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeUser, partOf } from "./metadata.ts";
import {
  programMounts,
  programVolumes,
  readConfiguration,
  readSecrets,
  scriptsMount,
  scriptsVolume,
} from "./program-files.ts";
import { scripts } from "./scripts.ts";
import { trustInitContainers, trustMounts, trustVolumes } from "./trust.ts";
import { knowsUsageVariable } from "./versions.ts";

/** A pod of the forge, in what it differs from the others. */
export interface ForgePodRequest
  extends Omit<
    PodRequest,
    "partOf" | "user" | "group" | "configuration" | "secrets" | "containers" | "initContainers"
  > {
  /** Programs whose configuration and secrets the pod mounts. */
  readonly programs: readonly ForgeProgram[];
  readonly containers: readonly ForgeContainerRequest[];
  readonly initContainers?: readonly ForgeContainerRequest[];
  /** Names of Secrets it reads beside those of its programs. @default none */
  readonly secrets?: readonly string[];
  /** Numeric user and group. @default those of the forge's images */
  readonly user?: number;
  readonly group?: number;
}

/** A container of the forge: the program it runs gives it files. */
export interface ForgeContainerRequest extends Omit<ContainerRequest, "exception"> {
  readonly program: ForgeProgram;
  /** Script that it runs from `scriptPath`. @default none */
  readonly script?: ScriptName;
}

/** A pod of the forge, with the files of its programs, its scripts and the private authority. */
export function forgePod(args: ResolvedForge, request: ForgePodRequest): PodTemplateSpec {
  const { programs, volumes, secrets, ...pod } = request;
  const run = [...pod.containers, ...(pod.initContainers ?? [])].flatMap(({ script }) => (script ? [script] : []));
  const container = ({ program, script, ...rest }: ForgeContainerRequest): ContainerRequest => ({
    ...rest,
    // The runner's image is none of the forge's own: it writes to its home alone.
    ...(program !== "runner" && { exception: "forge" as const }),
    volumeMounts: [
      ...programMounts(args, program),
      ...trustMounts(args),
      ...(script ? [scriptsMount] : []),
      ...(rest.volumeMounts ?? []),
    ],
  });
  return podTemplate(
    {
      user: forgeUser,
      group: forgeUser,
      ...pod,
      partOf,
      containers: pod.containers.map(container),
      initContainers: [...trustInitContainers(args), ...(pod.initContainers ?? []).map(container)],
      volumes: [
        ...programs.flatMap((program) => programVolumes(args, program)),
        ...trustVolumes(args),
        ...(run.length > 0 ? [scriptsVolume] : []),
        ...(volumes ?? []),
      ],
      configuration: {
        ...readConfiguration(args, programs),
        ...Object.fromEntries(run.map((script) => [script, scripts[script]])),
      },
      secrets: [...readSecrets(args, programs), ...(secrets ?? [])],
    },
    args.platform,
  );
}

/**
 * Go programs offer no post-quantum key exchange: their first TLS message fits one packet, and balancers before object stores and directories
 * that read no second one don't hang. The maker of the images runs and tests them so. (gitlab-org/charts/gitlab templates/_helpers.tpl, MR 4359)
 */
export const goEnvironment: readonly EnvVar[] = [{ name: "GODEBUG", value: "tlsmlkem=0,tlskyber=0" }];

/** Where the entrypoint finds a Rails program's templates and puts the files. */
export function railsEnvironment(args: ResolvedForge, program: ForgeProgram): EnvVar[] {
  const { timeZone } = args.administration;
  const silent =
    program !== "migrations" && !args.platform.privacy.forgeUsageEvents && knowsUsageVariable(args.version);
  return [
    { name: "CONFIG_TEMPLATE_DIRECTORY", value: configurationPaths[program] },
    { name: "CONFIG_DIRECTORY", value: "/srv/gitlab/config" },
    { name: "ENABLE_BOOTSNAP", value: "1" },
    ...(timeZone ? [{ name: "TZ", value: timeZone }] : []),
    ...(silent ? [{ name: "GITLAB_PRODUCT_USAGE_DATA_ENABLED", value: "false" }] : []),
  ];
}
