import { parseQuantity } from "../../core/quantities.ts";
import type { ResourceSpecArgs } from "../../kubernetes/resources-args.ts";
import { limits } from "../../limits/table.ts";
import type { DatabaseArgs, DatabaseClientArgs } from "./args.ts";

/** Connections kept free for the operator, replication, metrics, backups and a person at the console. */
const reservedConnections = 20;
const mebibyte = 2 ** 20;

/** Instances of the cluster, and of its pooler. */
export function instanceCount(args: DatabaseArgs): number {
  return args.instances ?? limits.databaseInstances.least(args.platform);
}

/** Connections of a pooler in session mode, where each client holds a server connection as long as it is connected. */
export interface ConnectionSizes {
  /** Server connections a pooler instance may open for each database: the peak of that database's clients, so that none waits. */
  readonly defaultPoolSize: number;
  /** Clients a pooler instance lets in; further ones are refused. */
  readonly maxClientConnections: number;
  /** Connections PostgreSQL allows: each pooler instance may hold all pools full, beside what the operator needs. */
  readonly maxConnections: number;
}

/** Sizes for the clients' peaks. Pools are counted by pooler instance and database. */
export function connectionSizes(
  clients: readonly DatabaseClientArgs[],
  ownDatabase: string,
  poolerInstances: number,
): ConnectionSizes {
  const byDatabase = new Map<string, number>();
  for (const { database = ownDatabase, connections } of clients)
    byDatabase.set(database, (byDatabase.get(database) ?? 0) + connections);
  const pools = [...byDatabase.values()];
  const peak = pools.reduce((sum, pool) => sum + pool, 0);
  return {
    defaultPoolSize: Math.max(...pools, 1),
    maxClientConnections: Math.max(1000, 2 * peak),
    maxConnections: poolerInstances * peak + reservedConnections,
  };
}

/**
 * PostgreSQL's memory settings: of the pod's limit a quarter as shared buffers, a quarter for all connections' sorts, a sixteenth for
 * maintenance; the rest is the page cache and the processes themselves. Shared buffers stay within half of the request, since
 * the operator refuses more than is reserved.
 */
export function memoryParameters({ requests, limits: most }: ResourceSpecArgs, maxConnections: number) {
  const mebibytes = (quantity: string) => Math.floor((parseQuantity(quantity) ?? 0) / mebibyte);
  const limit = mebibytes(most.memory);
  const within = (size: number, least: number, ceiling: number) =>
    `${Math.min(ceiling, Math.max(least, Math.floor(size)))}MB`;
  return {
    shared_buffers: within(Math.min(limit / 4, mebibytes(requests.memory) / 2), 16, 8192),
    effective_cache_size: within(limit / 2, 64, 65536),
    maintenance_work_mem: within(limit / 16, 16, 1024),
    work_mem: within(limit / 4 / maxConnections, 1, 64),
  };
}
