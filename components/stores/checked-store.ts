import type * as pulumi from "@pulumi/pulumi";
import { widened } from "../catalogue/widening.ts";
import { checkArguments } from "../core/arguments.ts";
import { keptFromDestroy, protectedNames } from "../core/destroy-guard.ts";
import { guarded, requireValid } from "../core/guard.ts";
import type { PlatformArgs } from "../core/platform-args.ts";
import type { Store } from "./store.ts";

/** Type token of a store's component. */
export const storeType = ({ component }: Pick<Store<never, never>, "component">) => `hearth:index:${component}`;

/**
 * The options of a store's component, which refuse changes that lose data, and to be destroyed.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export function checkedStore<Args extends { readonly platform?: PlatformArgs }, Connection>(
  store: Store<Args, Connection>,
  name: string,
  args: Args,
  options?: pulumi.ComponentResourceOptions,
): pulumi.ComponentResourceOptions {
  requireValid(name, widened(checkArguments(store.schema, args, store.problems), args, args.platform?.limits));
  const kept = protectedNames(store.plan(args), args.platform?.allowDataLoss);
  return keptFromDestroy(kept, guarded<Args>(storeType(store), name, store.changes, options, store.creation));
}
