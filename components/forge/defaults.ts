import { limits } from "../catalogue/limits.ts";
import type { Known } from "../core/known.ts";
import { mirrored } from "../core/platform.ts";
import { Profile } from "../core/platform-args.ts";
import { resourceSpec } from "../kubernetes/resources.ts";
import type { ForgeArgs, ForgeReplicasArgs, ForgeResourcesArgs } from "./args.ts";
import { forgeBuckets } from "./buckets.ts";
import type { ForgeConfiguration, ForgeRunnerSettings } from "./configuration.ts";
import { forgeNames } from "./forge-names.ts";
import { images } from "./images.ts";
import { forgeVersion } from "./versions.ts";

/** Arguments of the forge with their defaults filled in. */

const defaultResources: Required<ForgeResourcesArgs> = {
  webservice: resourceSpec("500m", "2560Mi", "2000m", "4Gi"),
  proxy: resourceSpec("50m", "128Mi", "500m", "512Mi"),
  jobs: resourceSpec("500m", "2Gi", "1500m", "3Gi"),
  gitstore: resourceSpec("200m", "512Mi", "2000m", "2Gi"),
  shell: resourceSpec("50m", "64Mi", "500m", "256Mi"),
  toolbox: resourceSpec("100m", "1Gi", "1500m", "3Gi"),
  runner: resourceSpec("50m", "64Mi", "500m", "256Mi"),
};

/** Resources of a static-site pod. */
export const defaultPagesResources = resourceSpec("50m", "64Mi", "500m", "256Mi");

/** Volume of the repositories. */
export const defaultRepositorySize = "50Gi";

/** Room for an archive while a backup is made. */
export const defaultScratchSize = "20Gi";

/** Addresses of pods, nodes and load balancers in most clusters. */
const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fd00::/8"];

/** Resources of each part. */
export function forgeResources(args: ForgeArgs): Required<ForgeResourcesArgs> {
  return { ...defaultResources, ...args.resources };
}

/** Pods of each part; under maintenance nothing that writes. */
export function forgeReplicas(
  args: Pick<ForgeArgs, "platform" | "replicas" | "pages" | "maintenance">,
): Required<ForgeReplicasArgs> & { pages: number } {
  const production = args.platform.profile === Profile.production;
  const usual = production ? 2 : 1;
  const counts = {
    webservice: production ? limits.forgeWebReplicas : 1,
    jobs: usual,
    shell: usual,
    autoscaleFactor: 1,
    pages: args.pages?.replicas ?? usual,
    ...args.replicas,
  };
  return args.maintenance ? { ...counts, webservice: 0, jobs: 0 } : counts;
}

/** Namespace the runner's jobs run in. */
export function jobNamespace({ namespace, runner }: Known<Pick<ForgeArgs, "namespace" | "runner">>): string {
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
    concurrent: runner.concurrent ?? 10,
    defaultImage: mirrored(runner.defaultImage ?? "docker.io/library/alpine:3.22", platform.images),
    // Unnamed, it is of the runner's architecture; a mirrored one can only be named whole.
    helperImage: helper === usualHelper ? undefined : helper,
    pullSecrets: platform.images?.pullSecrets ?? [],
    tags: runner.tags ?? [],
    jobResources: runner.jobResources ?? resourceSpec("200m", "512Mi", "2000m", "2Gi"),
    jobServiceAccount: forgeNames.runnerJobs,
  };
}

/** What the configuration files are rendered from. */
export function forgeConfiguration(args: ForgeArgs): ForgeConfiguration {
  const { namespace, domain, ssh, pages, database, keystore, objectStore, bucketSuffix, administration } = args;
  return {
    namespace,
    version: forgeVersion(args),
    domain,
    ssh,
    pages,
    runner: runnerSettings(args),
    database,
    keystore,
    objectStore,
    buckets: forgeBuckets(bucketSuffix, namespace),
    administration: administration ?? {},
    trustedProxies: args.platform.ingress.trustedProxies ?? privateRanges,
  };
}
