import { mirrored, proxies } from "../core/platform.ts";
import { defaultOf, defaultsOf } from "../core/schema.ts";
import { tellsCallers } from "../exposure/rendering.ts";
import type { ForgeArgs, ForgeReplicasArgs, ForgeResourcesArgs } from "./args.ts";
import { forgeBuckets } from "./buckets.ts";
import type { ForgeConfiguration, ForgeRunnerSettings } from "./configuration.ts";
import { forgeNames } from "./forge-names.ts";
import { images } from "./images.ts";
import {
  forgePages,
  forgeReplicas as forgeReplicasSchema,
  forgeResources as forgeResourcesSchema,
  forgeRunner,
  forge as forgeSchema,
} from "./schema.ts";
import { forgeVersion } from "./versions.ts";

/** Arguments of the forge with their defaults filled in. */

/** Volume of the repositories. */
export const defaultRepositorySize = defaultOf(forgeSchema.shape.repositorySize);

/** Resources of each part. */
export function forgeResources(args: ForgeArgs): Required<ForgeResourcesArgs> {
  return { ...defaultsOf(forgeResourcesSchema, args.platform.profile), ...args.resources };
}

/** Pods of each part; under maintenance nothing that writes. */
export function forgeReplicas(
  args: Pick<ForgeArgs, "platform" | "replicas" | "pages" | "maintenance">,
): Required<ForgeReplicasArgs> & { pages: number } {
  const { profile } = args.platform;
  const counts = {
    ...defaultsOf(forgeReplicasSchema, profile),
    pages: args.pages?.replicas ?? defaultsOf(forgePages, profile).replicas,
    ...args.replicas,
  };
  return args.maintenance ? { ...counts, webservice: 0, jobs: 0 } : counts;
}

/** Namespace the runner's jobs run in. */
export function jobNamespace({ namespace, runner }: Pick<ForgeArgs, "namespace" | "runner">): string {
  return runner?.jobNamespace ?? `${namespace}-jobs`;
}

/** The runner's settings; none without a runner. */
export function runnerSettings(args: ForgeArgs): ForgeRunnerSettings | undefined {
  const { runner, namespace, platform } = args;
  if (!runner) return undefined;
  const usualHelper = images(args).runnerHelper;
  const helper = mirrored(usualHelper, platform.images);
  return {
    jobNamespace: jobNamespace({ namespace, runner }),
    concurrent: runner.concurrent ?? defaultOf(forgeRunner.shape.concurrent),
    defaultImage: mirrored(runner.defaultImage ?? defaultOf(forgeRunner.shape.defaultImage), platform.images),
    // Unnamed, it is of the runner's architecture; a mirrored one can only be named whole.
    helperImage: helper === usualHelper ? undefined : helper,
    pullSecrets: platform.images?.pullSecrets ?? [],
    tags: runner.tags ?? [],
    jobResources: runner.jobResources ?? defaultOf(forgeRunner.shape.jobResources),
    jobServiceAccount: forgeNames.runnerJobs,
  };
}

/** Inputs of the configuration files. */
export function forgeConfiguration(args: ForgeArgs): ForgeConfiguration {
  const { namespace, domain, ssh, pages, database, keystore, objectStore, bucketSuffix, administration } = args;
  return {
    namespace,
    version: forgeVersion(args),
    domain,
    ssh,
    clientAddress: tellsCallers(args.platform.ingress),
    pages,
    runner: runnerSettings(args),
    database,
    keystore,
    objectStore,
    buckets: forgeBuckets(bucketSuffix, namespace, args),
    administration: administration ?? {},
    trustedProxies: proxies(args.platform.ingress),
  };
}
