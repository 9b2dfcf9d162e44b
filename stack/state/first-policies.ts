import { recordedState } from "@hearth-platform/hearth/core/data-safety/recorded-state";
import { Severity } from "@hearth-platform/hearth/core/problems";
import * as pulumi from "@pulumi/pulumi";
import { type StackPart, stackParts } from "../parts.ts";
import type { LocatedProblem } from "../settings/located.ts";
import { settingsPrefix } from "../settings/setting-names.ts";
import { warn } from "../settings/warn.ts";
import type { Stack } from "../stack-settings.ts";

/** Tells of namespaces that run, and that this update closes although no setting asks for it. */
export async function tellFirstPolicies(stack: Stack): Promise<void> {
  const state = await recordedState();
  if (!state || stack.settings.networkPolicies !== undefined) return;
  const told = firstPolicies(stackParts(stack), state.made);
  if (told) warn({ ...told, file: `Pulumi.${pulumi.getStack()}.yaml` });
}

/**
 * The warning; undefined where nothing that runs gets its first policies by default.
 * @param made names in the stack's state, see `madeNames`
 */
export function firstPolicies(parts: readonly StackPart[], made: ReadonlySet<string>): LocatedProblem | undefined {
  const [policed, running] = [new Set<string>(), new Set<string>()];
  for (const [kind, place] of [...made].map((name) => name.split(" ")))
    (kind === "NetworkPolicy" ? policed : running).add(place?.split("/")[0] ?? "");
  const closed = parts
    .filter(({ args }) => !("networkPolicies" in args) || args.networkPolicies === undefined)
    .flatMap((part) => part.plans().flatMap(({ objects }) => objects))
    .flatMap(({ object: { kind, metadata } }) => (kind === "NetworkPolicy" ? [metadata.namespace ?? ""] : []));
  const first = [...new Set(closed)].filter((namespace) => running.has(namespace) && !policed.has(namespace)).sort();
  if (first.length === 0) return undefined;
  return {
    severity: Severity.warning,
    code: "first-policies",
    path: `${settingsPrefix}networkPolicies`,
    message: `The profile is production, where network policies are on by default. The next \`up\` closes the namespaces ${first.join(", ")}: their pods reach, and are reached by, what docs/reference/networks.md lists, and nothing else.`,
    remedy:
      "Look there for what of your own would be cut off. Write true to be told no more, or false to leave the network open.",
    file: "",
  };
}
