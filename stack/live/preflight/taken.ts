import { dataName, type KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { counted } from "../../settings/report.ts";
import { type LiveCluster, Refusal } from "../cluster/cluster.ts";
import { placeOf, type QuickFacts } from "./facts.ts";
import { type Finding, findings } from "./finding.ts";
import { mark } from "./lost-state.ts";

/**
 * An update stops at an object that exists and that the state does not know. When a provider dies, the engine takes its
 * call for failed and forgets the object that the call made. Others may have made one of the same name.
 */

/** How many objects are looked for at most. An update that adds a suite looks for none of them: its namespace is new. */
const mostLooked = 100;

/** How many objects a message names. */
const mostNamed = 10;

/**
 * Objects that the update would make and that could exist: none of a first update, whose state is empty, and none in a
 * namespace that does not exist.
 * @param objects of the stack's plans
 */
export function newObjects(objects: readonly KubernetesObject[], facts: QuickFacts): KubernetesObject[] {
  const { objects: seen, made, isEmpty } = facts;
  if (!made || isEmpty) return [];
  return objects
    .filter(({ kind, metadata: { name, namespace } }) => {
      if (made.has(`${kind} ${dataName(name, namespace)}`)) return false;
      // Namespaces are looked at anyway.
      if (kind === "Namespace") return isMarked(seen.get(placeOf({ kind, name })));
      return namespace === undefined || seen.get(placeOf({ kind: "Namespace", name: namespace })) !== "absent";
    })
    .slice(0, mostLooked);
}

const isMarked = (found: unknown) => typeof found === "object" && labelOf(found as KubernetesObject) === "hearth";
const labelOf = ({ metadata }: KubernetesObject) => metadata.labels?.[mark];

/** Those of the objects that exist, as they are: one request each, all at once, and one for each of their API's versions. */
export async function lookForNew(
  cluster: LiveCluster,
  objects: readonly KubernetesObject[],
): Promise<KubernetesObject[]> {
  const found = await Promise.all(
    objects.map(async (object) => {
      try {
        const kind = await cluster.kind(object);
        return kind && (await cluster.get(object, kind));
      } catch (error) {
        if (error instanceof Refusal) return undefined;
        throw error;
      }
    }),
  );
  return found.filter((object) => object !== undefined);
}

/** Under which name Pulumi manages an object; undefined where it does not. */
export function pulumiManager({ metadata }: KubernetesObject): string | undefined {
  const { managedFields = [] } = metadata as { managedFields?: readonly { manager?: string }[] };
  return managedFields.map(({ manager = "" }) => manager).find((manager) => manager.startsWith("pulumi-kubernetes"));
}

/** What to do about an object of others, for heal too. */
export const leaveInPlace =
  "Leave what exists in place: it may hold data of others. Find out whose it is, then give this stack's object another name in its settings, or use an existing namespace with hearth:existingNamespaces.";

/** The same of a claim, for heal too: a volume is given back to the stack by its own claim. */
export const restoredVolume =
  'If you restored it for this stack, docs/explanation/data.md, "When a volume is gone", says how the stack gets it.';

/** Objects at which an update would stop. @param there those of the new objects that exist, as they are */
export function takenFindings(there: readonly KubernetesObject[], stack: string): Finding[] {
  const { taken } = findings("taken");
  const live = there.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const [own, others] = [true, false].map((isOwn) =>
    live.filter((object) => (pulumiManager(object) !== undefined) === isOwn),
  ) as [KubernetesObject[], KubernetesObject[]];
  return [
    ...(own.length === 0
      ? []
      : [
          taken(
            counted(own.length, "object"),
            `Pulumi made ${listed(own)}, and the state does not know of it: an earlier update could not record it.`,
            `Run \`./hearth heal --stack ${stack}\`: it takes what this stack made into the state. If the state is an older copy that was put back, add \`--lost-state\`. Then run \`pulumi up\`.`,
          ),
        ]),
    ...others.map((object) =>
      taken(
        nameOf(object),
        "It exists and is not this stack's.",
        object.kind === "PersistentVolumeClaim" ? `${leaveInPlace} ${restoredVolume}` : leaveInPlace,
      ),
    ),
  ];
}

const nameOf = ({ kind, metadata: { name, namespace } }: KubernetesObject) => `${kind} ${dataName(name, namespace)}`;

function listed(objects: readonly KubernetesObject[]): string {
  const more = objects.length - mostNamed;
  return [...objects.slice(0, mostNamed).map(nameOf), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
