import { databaseNames } from "../../catalogue/names.ts";
import type { DatabaseConnection } from "../connections-args.ts";
import type { Store } from "../store.ts";
import type { DatabaseArgs } from "./args.ts";
import { databaseChanges, databaseCreation } from "./changes.ts";
import { databaseConnection, planDatabase } from "./plan.ts";
import { databaseProblems } from "./rules.ts";
import { database } from "./schema.ts";

/** The database as a store. Applications reach it through its pooler. */
export const databaseStore: Store<DatabaseArgs, DatabaseConnection> = {
  component: "Database",
  suffix: "db",
  schema: database,
  problems: databaseProblems,
  changes: databaseChanges,
  creation: databaseCreation,
  plan: planDatabase,
  connection: (args) => databaseConnection(args),
  secrets: ({ name }) => [databaseNames(name).credentials],
};
