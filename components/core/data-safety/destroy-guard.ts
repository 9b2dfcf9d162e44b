import * as pulumi from "@pulumi/pulumi";
import { dataName, type Plan } from "../plan.ts";
import { recordedState } from "./recorded-state.ts";

/**
 * Names of what a plan protects, as `allowDataLoss` has them; none that may be lost. Buckets are left out: one that is to be
 * kept is taken out of the state by hand before its component goes.
 */
export function protectedNames(plan: Plan, allowDataLoss: readonly string[] = []): string[] {
  const objects = plan.objects.filter(({ holdsData, dataName: other }) => holdsData && other === undefined);
  const secrets = plan.secrets.filter(({ neverChanges }) => neverChanges);
  const names = [
    ...objects.map(({ object: { metadata } }) => dataName(metadata.name, metadata.namespace)),
    ...secrets.map(({ name, namespace }) => dataName(name, namespace)),
  ];
  return [...new Set(names)].filter((name) => !allowDataLoss.includes(name)).sort();
}

/**
 * The options of a component with a hook that stops `destroy` before it deletes anything, also with `--skip-preview`: the
 * engine refuses a state that has hooks on deletion, and names them (pkg/engine/destroy.go). So the hook's name is the message.
 * @param names what the component protects; none: it may go
 */
export function keptFromDestroy(
  names: readonly string[],
  options: pulumi.ComponentResourceOptions = {},
): pulumi.ComponentResourceOptions {
  if (names.length === 0) return options;
  const message = `holds data. To delete it, first set \`hearth:allowDataLoss: [${names.join(", ")}]\` and run \`up\`. --run-program does not help (docs/explanation/data.md)`;
  const hook = new pulumi.ResourceHook(
    message,
    async ({ name }) => {
      const state = await recordedState();
      if (!state || names.some((each) => state.made.has(each))) throw new Error(`${name} ${message}.`);
    },
    { onDryRun: true },
  );
  return pulumi.mergeOptions(options, { hooks: { beforeDelete: [hook] } });
}
