import { defineComponent } from "../core/component.ts";
import { alerts } from "./alerts.ts";
import { drillNames } from "./drill-names.ts";
import { planDrill } from "./plan.ts";
import { drillProblems } from "./rules.ts";
import { drill } from "./schema.ts";

/** A regular proof that a database comes back from its backups. */
export const drillComponent = defineComponent({
  name: "Drill",
  schema: drill,
  rules: drillProblems,
  alerts,
  stages: (args, given) => [[{ plan: planDrill(args, given.database) }]],
  outputs: ({ database }) => ({ cronJob: drillNames(database.name).drill }),
});
