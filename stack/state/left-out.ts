import type { NamedPlan } from "@hearth-platform/hearth/core/component";
import { plainValuesRefusal } from "@hearth-platform/hearth/core/data-safety/plain-values";
import { type RecordedResource, recordedState } from "@hearth-platform/hearth/core/data-safety/recorded-state";
import { dataName } from "@hearth-platform/hearth/core/plan";
import * as pulumi from "@pulumi/pulumi";
import { type StackPart, stackParts } from "../parts.ts";
import type { Stack } from "../stack-settings.ts";
import { changesRefusal, type RecordedComponents } from "./changes.ts";

/** An object that the state protects and the settings no longer have. */
export interface LeftOut {
  /** Its name in `allowDataLoss`. */
  readonly data: string;
  /** Name of its component in Pulumi's state. */
  readonly component: string;
}

/**
 * Refuses changes of what holds data, or else a stack that leaves it out, all at once: the engine would stop at one
 * component after another, and propose to take a resource out of the state. Components that are left out and hold none
 * may go. A state with secret values in plain text is refused too, before anything could make others.
 * @throws pulumi.RunError with every refused change, every name to unlock, or every such value
 */
export async function refuseDataLoss(stack: Stack): Promise<void> {
  const state = await recordedState();
  if (!state) return;
  const parts = stackParts(stack);
  const refusal =
    // A component that refuses its own change says better what to do.
    changesRefusal(argumentsOf(state.resources), parts, state.made) ??
    twiceRefusal(recordedTwice(state.resources, parts)) ??
    leftOutRefusal(leftOut(state.resources, parts), stack.settings.allowDataLoss) ??
    plainValuesRefusal(state.resources);
  if (refusal !== undefined) throw new pulumi.RunError(refusal);
  // Pulumi deletes no component whose hook nobody runs.
  for (const name of hooksOfLeftOut(state.resources, parts)) new pulumi.ResourceHook(name, () => undefined);
}

function argumentsOf(resources: readonly RecordedResource[]): RecordedComponents {
  return new Map(
    resources
      .filter(({ type }) => type.startsWith("hearth:index:"))
      .map((each) => [logicalName(each), each.inputs ?? {}]),
  );
}

/** The refusal, or undefined if nothing is missing. */
export function leftOutRefusal(found: readonly LeftOut[], allowed: readonly string[] = []): string | undefined {
  if (found.length === 0) return undefined;
  const names = [...new Set([...allowed, ...found.map(({ data }) => data)])];
  return [
    "Nothing was created. These objects hold data and are missing in the settings:",
    ...found.map(({ data, component }) => `- ${data}, of ${component}`),
    "Restore the settings. If all of this data may be lost, add the next line to the restored settings and run `pulumi up`. Then remove the objects from the settings.",
    `hearth:allowDataLoss: [${names.join(", ")}]`,
  ].join("\n");
}

/** What to do about entries of the state whose objects another component has; undefined where there are none. */
export function twiceRefusal(urns: readonly string[]): string | undefined {
  if (urns.length === 0) return undefined;
  return [
    "Nothing was created. The state has these objects under two names, one of them of a component that is not in the settings, as after a rename by mistake.",
    "The objects stay as they are, under their other name. Take these entries out of the state, and no others; it changes no object:",
    ...urns.map((urn) => `pulumi state delete '${urn}' --force`),
  ].join("\n");
}

/** Entries that the stack does not make, of objects and buckets that it makes and has under another name in the state, too. */
export function recordedTwice(recorded: readonly RecordedResource[], parts: readonly StackPart[]): string[] {
  const made = new Set(parts.flatMap((part) => part.named().flatMap(identities)));
  const present = recorded.filter((each) => each.protect && !each.delete);
  const kept = new Set(present.filter((each) => made.has(identityOf(each))).map(objectOf));
  return present.filter((each) => !made.has(identityOf(each)) && kept.has(objectOf(each))).map(({ urn }) => urn);
}

/** The object or bucket itself, whoever has it in the state; the entry alone where it is neither. */
function objectOf({ urn, inputs: { bucket, kind, metadata } = {} }: RecordedResource): string {
  if (bucket !== undefined) return `bucket ${bucket}`;
  return metadata ? `${kind} ${dataName(metadata.name, metadata.namespace)}` : urn;
}

/** Protected objects of the state that no component of the stack makes. */
export function leftOut(recorded: readonly RecordedResource[], parts: readonly StackPart[]): LeftOut[] {
  const made = new Set(parts.flatMap((part) => part.named().flatMap(identities)));
  const byUrn = new Map(recorded.map((each) => [each.urn, each]));
  const found = recorded
    .filter((each) => each.protect && !each.delete && !made.has(identityOf(each)))
    .map((each) => {
      const component = byUrn.get(each.parent ?? "");
      return { data: nameOf(each, component), component: component ? logicalName(component) : "" };
    });
  return [...new Map(found.map((each) => [`${each.component} ${each.data}`, each])).values()].sort((one, other) =>
    one.data.localeCompare(other.data),
  );
}

/** Names of the hooks that keep components which the stack has no more. */
export function hooksOfLeftOut(recorded: readonly RecordedResource[], parts: readonly StackPart[]): string[] {
  const kept = parts.flatMap((part) => part.all().map(({ name }) => name));
  const gone = recorded.filter((each) => !kept.includes(logicalName(each)));
  return [...new Set(gone.flatMap(({ resourceHooks }) => resourceHooks?.BeforeDelete ?? []))];
}

const logicalName = ({ urn }: RecordedResource) => urn.split("::").slice(3).join("::");

/** Generated values are told by the Secret that they are for, which is named before the first dot. */
const secretOf = (logical: string) => logical.replace(/(\/[^/.]+)\.[^/]*$/, "$1");

/** The identity of a resource, in the form that plans use too. */
function identityOf(resource: RecordedResource): string {
  const { inputs } = resource;
  const logical = logicalName(resource);
  if (inputs?.bucket !== undefined) return `bucket ${logical}`;
  if (inputs?.kind === undefined) return `v1/Secret ${secretOf(logical)}`;
  return `${inputs.apiVersion}/${inputs.kind} ${logical}`;
}

function nameOf(resource: RecordedResource, component: RecordedResource | undefined): string {
  const { bucket, kind, metadata } = resource.inputs ?? {};
  if (bucket !== undefined) return bucket;
  // A bucket that is made in the cluster is named as the other buckets are.
  if (metadata) return kind?.endsWith("Bucket") ? metadata.name : dataName(metadata.name, metadata.namespace);
  return dataName(secretOf(logicalName(resource)).split("/").at(-1) ?? "", component?.inputs?.namespace);
}

/** Identities of all objects of a plan. */
function identities({ name: component, plan: { objects, secrets, buckets } }: NamedPlan): string[] {
  return [
    ...objects.map(
      ({ object: { apiVersion, kind, metadata } }) => `${apiVersion}/${kind} ${component}/${metadata.name}`,
    ),
    ...secrets.map(({ name }) => `v1/Secret ${component}/${name}`),
    ...buckets.map(({ bucket }) => `bucket ${component}/${bucket}`),
  ];
}
