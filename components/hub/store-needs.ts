import type { DatabaseClientArgs } from "../stores/database/args.ts";
import type { HubArgs } from "./args.ts";
import { databaseConnections, hubReplicas } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";

/** A hub's requirements of its stores. */

/** Name of the hub's database. */
export const hubDatabase = "hub";

/** The hub's connections at their peak, during a roll: one pod more than usual of each kind, and the migrations. */
export function hubClients(args: Pick<HubArgs, "platform" | "replicas">): DatabaseClientArgs[] {
  const { core, jobservice } = hubReplicas(args);
  const client = (name: string, pods: number) => ({
    name,
    database: hubDatabase,
    connections: pods * databaseConnections,
  });
  return [client(hubNames.core, core + 1), client(hubNames.jobservice, jobservice + 1), client(hubNames.migrations, 1)];
}
