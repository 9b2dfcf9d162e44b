import { defineComponent } from "../../core/component.ts";
import { recorded } from "../../core/data-safety/recorded.ts";
import { alerts } from "../../kubernetes/alerts.ts";
import type { StoresArgs } from "./args.ts";
import { sharedStages, storeConnections } from "./plan.ts";
import { type ResolvedStores, stores } from "./schema.ts";

/** The namespace that forge and hub share, with their database, keystore and buckets. */
export const storesComponent = defineComponent({
  name: "Stores",
  schema: stores,
  // Each store refuses its own problems and losses, and records its own arguments.
  rules: () => [],
  recorded: ({ namespace, platform }: StoresArgs) => recorded({ namespace, platform }) as never,
  alerts,
  stages: sharedStages,
  outputs: (args: ResolvedStores) => storeConnections(args),
});
