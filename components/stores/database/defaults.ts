import type { Resolved } from "../../core/resolve.ts";
import type { database } from "./schema.ts";

/** A database's arguments with their defaults. */
export interface ResolvedDatabase extends ReturnType<typeof databaseDefaults> {}

/** Defaults that follow from other arguments. */
export function databaseDefaults(args: Resolved<typeof database>) {
  const clients = args.clients.map(({ database = args.database, ...client }) => ({ ...client, database }));
  return { ...args, partOf: args.partOf ?? args.name, clients };
}
