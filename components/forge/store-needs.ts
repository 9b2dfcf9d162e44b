import { resolve } from "../core/resolve.ts";
import type { DatabaseClientArgs } from "../stores/database/args.ts";
import type { BucketArgs } from "../stores/object-storage/args.ts";
import type { ForgeArgs } from "./args.ts";
import { forgeBuckets } from "./buckets.ts";
import { forgeNames } from "./forge-names.ts";
import { jobThreads } from "./jobs.ts";
import { forge } from "./schema.ts";
import { webWorkers } from "./web.ts";

/** A forge's requirements of its stores. */

/** Name of the forge's database. */
export const forgeDatabase = "forge";

/** PostgreSQL extensions of that database; the forge's own user may not create the last. (gitlabhq doc/install/requirements.md) */
export const forgeExtensions = ["pg_trgm", "btree_gist", "amcheck"];

/** Rails has a pool of connections for its own tables and one for those of CI; each thread uses both. */
const pools = 2;
/** Threads of a web process or job pod beside those that serve: load balancing, metrics, health. */
const headroom = 2;
/** Connections of the toolbox, the migrations and a backup together. */
const toolConnections = 20;

/** The forge's connections at their peak, during a roll: one pod more than usual of each kind. */
export function forgeClients({ platform, replicas }: Pick<ForgeArgs, "platform" | "replicas">): DatabaseClientArgs[] {
  const { webservice, jobs, autoscaleFactor } = resolve(forge.shape.replicas, replicas, platform.profile);
  const most = (pods: number) => Math.ceil(pods * autoscaleFactor) + 1;
  const { processes, threads } = webWorkers;
  return [
    { name: forgeNames.webservice, connections: most(webservice) * processes * (threads + headroom) * pools },
    { name: forgeNames.jobs, connections: most(jobs) * (jobThreads + headroom) * pools },
    { name: forgeNames.toolbox, connections: toolConnections },
  ];
}

/** The forge's buckets, to be made with the stores. Its objects keep former versions; backups, caches and scratch space don't. */
export function forgeBucketArgs(...of: Parameters<typeof forgeBuckets>): BucketArgs[] {
  const { objects, backups, others } = bucketsByUse(...of);
  return [
    ...objects.map((name) => ({ name })),
    ...[others.cache, backups, others.temporary, others.runnerCache].map((name) => ({ name, versioning: false })),
  ];
}

/** Those whose content is nowhere else: the objects and the backups, without caches and scratch space. */
export function lastingForgeBuckets(...of: Parameters<typeof forgeBuckets>): string[] {
  const { objects, backups } = bucketsByUse(...of);
  return [...objects, backups];
}

function bucketsByUse(...of: Parameters<typeof forgeBuckets>) {
  const { objects, backups, ...others } = forgeBuckets(...of);
  const { dependency_proxy: cache, ...lasting } = objects;
  return { objects: Object.values(lasting), backups, others: { cache, ...others } };
}
