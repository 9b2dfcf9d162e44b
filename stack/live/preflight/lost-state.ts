import type { DataNeed } from "./data-needs.ts";
import { placeOf, type QuickFacts } from "./facts.ts";
import { type Needs, namespacesOf } from "./needs.ts";

/** First words of the refusal, by which heal knows it. */
export const lostState = "This platform is in the cluster already, and this stack's state does not know it:";

/** Label of the namespaces that a stack makes. */
export const mark = "app.kubernetes.io/managed-by";

/**
 * Refuses a stack that the cluster has and the state does not: the state is lost, or another stack has the platform. One
 * that a first update began is in the state as far as it came: there `heal` is right.
 * @param stack its name
 * @returns the refusal, with what was seen; undefined where there is none, or the state can't be read
 */
export function lostStateRefusal(
  needs: Needs,
  data: readonly DataNeed[],
  facts: QuickFacts,
  stack: string,
): string | undefined {
  const seen = unknownToState(needs, data, facts);
  if (seen.length === 0) return undefined;
  return [
    `Nothing was created. ${lostState}`,
    ...seen,
    "Its state is lost, or another stack has it. Data and keys that can't be had again are in it: leave every object in place.",
    "- Look for the state: `pulumi whoami --verbose` names the backend that you are logged in to, `pulumi stack ls --all` its stacks. If another stack has this platform, select that one.",
    "- If the state is lost, put back its copy: docs/how-to/state.md says where copies are, and how.",
    `- If there is no copy, run \`./hearth heal --lost-state --stack ${stack}\`: it makes the state anew from the cluster, with the same keys and passwords, and shows first what it would do.`,
    "- For a second platform, change namespaces, domains and buckets in its settings.",
  ].join("\n");
}

/** Whether no update has begun anything: the engine itself adds the stack, before its program runs. */
export function isEmptyState(resources: readonly { readonly type: string }[]): boolean {
  return resources.every(({ type }) => type === "pulumi:pulumi:Stack");
}

/** Namespaces of the stack that the state has no word of, a line each, with the data in them. */
function unknownToState(needs: Needs, data: readonly DataNeed[], { objects, made, isEmpty }: QuickFacts): string[] {
  if (!made) return [];
  const live = (place: string) => {
    const found = objects.get(place);
    return typeof found === "object" && found.metadata.deletionTimestamp === undefined ? found : undefined;
  };
  const known = new Set([...made].map((name) => name.replace(/^\S+ /, "").split("/")[0]));
  return namespacesOf(needs)
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const held = data.filter((need) => need.namespace === name && live(placeOf(need)));
      const isMarked = live(placeOf({ kind: "Namespace", name }))?.metadata.labels?.[mark] === "hearth";
      const isOwn = isMarked && needs.made.some((each) => each.name === name);
      // An update records a namespace before it makes data in it, so that data tells. A bare namespace may be what an
      // update made and could not record.
      if (held.length === 0 && !(isEmpty && isOwn)) return [];
      const label = isMarked ? `, with the label ${mark}: hearth` : "";
      const content = held.map((need) => `${need.what} ${need.name}`).join(", ");
      return `- namespace ${name}${label}${content && `: ${content}`}`;
    });
}
