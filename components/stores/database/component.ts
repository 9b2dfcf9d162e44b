import { programs } from "../../catalogue/releases.ts";
import { type Component, defineComponent, innerComponents } from "../../core/component.ts";
import { recordedWithDefault } from "../../core/data-safety/recorded.ts";
import { alerts } from "./alerts.ts";
import type { DatabaseArgs } from "./args.ts";
import { databaseChanges, databaseCreation } from "./changes.ts";
import { databaseDefaults } from "./defaults.ts";
import { databaseConnection, planDatabase } from "./plan.ts";
import { clusterName } from "./recovery.ts";
import { databaseProblems } from "./rules.ts";
import { database } from "./schema.ts";

/** A PostgreSQL cluster of CloudNativePG with its databases, pooler and backups. */
export const databaseComponent = defineComponent({
  name: "Database",
  schema: database,
  rules: databaseProblems,
  recorded: (args) => recordedWithDefault(args, "version", programs.postgresql.deployed),
  changes: databaseChanges,
  creation: databaseCreation,
  alerts,
  defaults: databaseDefaults,
  stages: (args) => [[{ plan: planDatabase(args) }]],
  outputs: (args) => ({ connection: databaseConnection(args), cluster: clusterName(args) }),
});

/** The databases that a component makes for itself, each by the arguments that it is given. */
export function databasesIn<Args extends object>(
  { stages }: Pick<Component<Args>, "stages">,
  args: Args,
): DatabaseArgs[] {
  const inner = innerComponents("", stages(args));
  return inner.flatMap(({ component, args }) => (component === databaseComponent ? [args as DatabaseArgs] : []));
}
