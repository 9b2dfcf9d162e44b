import { resolve } from "../core/resolve.ts";
import type { DatabaseClientArgs } from "../stores/database/args.ts";
import type { HubArgs } from "./args.ts";
import { databaseConnections } from "./configuration/core.ts";
import { hubNames } from "./hub-names.ts";
import { hub } from "./schema.ts";

/** A hub's requirements of its stores. */

/** Name of the hub's database. */
export const hubDatabase = "hub";

/** The hub's connections at their peak, during a roll: one pod more than usual of each kind, and the migrations. */
export function hubClients({ platform, replicas }: Pick<HubArgs, "platform" | "replicas">): DatabaseClientArgs[] {
  const { core, jobservice } = resolve(hub.shape.replicas, replicas, platform.profile);
  const client = (name: string, pods: number) => ({
    name,
    database: hubDatabase,
    connections: pods * databaseConnections,
  });
  return [client(hubNames.core, core + 1), client(hubNames.jobservice, jobservice + 1), client(hubNames.migrations, 1)];
}
