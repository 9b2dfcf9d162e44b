import type { RecordedResource } from "@hearth-platform/hearth/core/data-safety/recorded-state";
import type { PlannedBucket, PlannedObject, PlannedSecret } from "@hearth-platform/hearth/core/plan";
import { errorsOf, type Problem } from "@hearth-platform/hearth/core/problems";
import { differences } from "@hearth-platform/sandbox/plugins/kubernetes/diff";
import { contains, parsePath } from "@hearth-platform/sandbox/plugins/kubernetes/paths";
import { replacingFields } from "@hearth-platform/sandbox/plugins/kubernetes/replacements";
import { type StackPart, stackParts } from "@hearth-platform/stack/parts";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { changesRefusal, type RecordedComponents, recordedComponents } from "@hearth-platform/stack/state/changes";
import { leftOut, leftOutRefusal } from "@hearth-platform/stack/state/left-out";
import { type ObjectChange, type Operation, rollsPods } from "./object-changes.ts";
import { checkFiles, type StackFiles } from "./stack-files.ts";

/** Who refuses a change, with all that is said. */
export interface Refusal {
  readonly by: string;
  readonly text: string;
}

/** What a change of a stack's files comes to. */
export interface StackChange {
  readonly refusal?: Refusal;
  /** Empty where it is refused. */
  readonly changes: readonly ObjectChange[];
}

/** A stack as it was applied, and what is in it. */
export class AppliedStack {
  /** The components by their name, each with its arguments as text and its objects. */
  readonly #parts: ReadonlyMap<string, AppliedPart>;
  /** What holds data, as the state has it. */
  readonly #recorded: readonly RecordedResource[];
  readonly #components: RecordedComponents;

  /** @throws Error with every problem of the files */
  constructor(files: StackFiles) {
    const { stack, problems } = checkFiles(files);
    if (!stack) throw new Error(errorsOf(problems).map(said).join("\n"));
    this.#parts = new Map(
      stackParts(stack).map((part) => [
        partName(part),
        { part, args: JSON.stringify(part.args), objects: objectsOf(part) },
      ]),
    );
    const parts = [...this.#parts.values()].map(({ part }) => part);
    this.#recorded = parts.flatMap(recordedOf);
    // As JSON, which the state is.
    this.#components = new Map(JSON.parse(JSON.stringify([...recordedComponents(parts)])));
  }

  /** What the engine would do with these files. */
  to(files: StackFiles): StackChange {
    const { stack, problems } = checkFiles(files);
    if (!stack) return refused("the settings", errorsOf(problems).map(said).join("\n"));
    const parts = stackParts(stack).map((part) => this.#same(part) ?? part);
    const changes = changesRefusal(this.#components, parts);
    if (changes !== undefined) return refused("the guards", changes);
    const gone = leftOutRefusal(leftOut(this.#recorded, parts));
    if (gone !== undefined) return refused("the program", gone);
    return componentRefusal(parts, stack) ?? this.#changed(parts);
  }

  /** The component that runs with the same arguments: what follows from them is known of it. */
  #same(part: StackPart): StackPart | undefined {
    const running = this.#parts.get(partName(part));
    return running?.args === JSON.stringify(part.args) ? running.part : undefined;
  }

  /** What the engine does to the objects of the components whose arguments change: those of all others stay as they are. */
  #changed(parts: readonly StackPart[]): StackChange {
    const gone = [...this.#parts.values()].filter(({ part }) => !parts.includes(part));
    const made = parts.filter((part) => this.#parts.get(partName(part))?.part !== part);
    const before = new Map(gone.flatMap(({ objects }) => [...objects]));
    const now = new Map(made.flatMap((part) => [...objectsOf(part)]));
    const lost = lostObjects(before, now);
    return lost.length > 0 ? refused("the engine", lost.join("\n")) : { changes: objectChanges(before, now) };
  }
}

interface AppliedPart {
  readonly part: StackPart;
  readonly args: string;
  readonly objects: Objects;
}

function said({ path, message, remedy, code }: Problem): string {
  return `${path}: ${message} ${remedy} [${code}]`;
}

function refused(by: string, text: string): StackChange {
  return { refusal: { by, text }, changes: [] };
}

/** What the first component says that does not take its arguments. */
function componentRefusal(parts: readonly StackPart[], { settings: { limits } }: Stack): StackChange | undefined {
  const judged = parts.map((part) => {
    const problems = part.component.rules(part.args, limits);
    return refused(partName(part), errorsOf(problems).map(said).join("\n"));
  });
  return judged.find(({ refusal }) => refusal?.text !== "");
}

const partName = ({ kind, name }: StackPart) => `${kind}/${name}`;

/** What a part makes that holds data, as the state has it. */
function recordedOf(part: StackPart): RecordedResource[] {
  return part.named().flatMap(({ name: component, plan: { objects, secrets, buckets } }) => {
    const urn = (type: string, name: string) => `urn:pulumi:dev::hearth::${type}::${name}`;
    const resource = (inputs: NonNullable<RecordedResource["inputs"]>, name: string): RecordedResource => ({
      ...{ urn: urn("x", `${component}/${name}`), type: "x", parent: urn("c", component), inputs, protect: true },
    });
    return [
      { urn: urn("c", component), type: "c" },
      ...[...objects, ...secrets.map(secretObject)]
        .filter(({ holdsData }) => holdsData)
        .map(({ object: { apiVersion, kind, metadata } }) => resource({ apiVersion, kind, metadata }, metadata.name)),
      ...buckets.map(({ bucket }) => resource({ bucket }, bucket)),
    ];
  });
}

type Objects = ReadonlyMap<string, PlannedObject>;

/** Everything a component makes, by its identity: who makes it, the kind, the name, the namespace. */
function objectsOf(part: StackPart): Objects {
  const name = partName(part);
  const entries = part.plans().flatMap((plan, index) => {
    const planned = [...plan.objects, ...plan.secrets.map(secretObject), ...plan.buckets.flatMap(bucketObjects)];
    return planned.map((each): [string, PlannedObject] => {
      const { apiVersion, kind, metadata } = each.object;
      // Plans after the first are of sites, made for each namespace by itself.
      const maker = index === 0 ? name : `${name}/${metadata.namespace ?? metadata.name}`;
      // An alias makes it one resource in each of its versions.
      const versions = [apiVersion, ...(each.otherVersions ?? [])].sort();
      return [JSON.stringify([maker, versions, kind, metadata.name, metadata.namespace]), each];
    });
  });
  return new Map(entries);
}

/** A generated Secret as an object that changes when its values do. */
function secretObject({ name, namespace, type, labels, data, neverChanges, revision }: PlannedSecret): PlannedObject {
  const object = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace, labels: { ...labels } },
    type: type ?? "Opaque",
    data: { values: JSON.stringify([data, neverChanges ? 0 : revision]) },
  };
  return { object, holdsData: neverChanges };
}

/** A bucket and its versioning. Lifecycle rules that leave the program stay in the store. */
function bucketObjects({ bucket, versioning, expireVersionsAfterDays: days }: PlannedBucket): PlannedObject[] {
  const s3 = (kind: string, spec: object) => ({ apiVersion: "s3", kind, metadata: { name: bucket }, spec });
  return [
    { object: s3("Bucket", { days }), holdsData: true, ...(days === undefined && { ignoreChanges: ["spec"] }) },
    ...(versioning ? [{ object: s3("BucketVersioning", {}) }] : []),
  ];
}

const missingIn = (objects: Objects, from: Objects) => [...from].filter(([key]) => !objects.has(key));

/** What the engine says of objects that hold data and would be deleted or replaced. */
function lostObjects(before: Objects, now: Objects): string[] {
  const replaced = [...before].flatMap(([key, old]) => {
    const planned = now.get(key);
    return planned && updateOf(old, planned) === "replace" ? [old] : [];
  });
  const lost = (what: string, objects: PlannedObject[]) =>
    objects
      .filter(({ holdsData }) => holdsData)
      .map(({ object }) => `/${object.metadata.name}" cannot be ${what} because it is protected`);
  return [
    ...lost(
      "deleted",
      missingIn(now, before).map(([, planned]) => planned),
    ),
    ...lost("replaced", replaced),
  ];
}

function objectChanges(before: Objects, now: Objects): ObjectChange[] {
  const gone = missingIn(now, before);
  const made = missingIn(before, now);
  /** An object that moves to another namespace keeps its name in Pulumi's state: it is replaced. */
  const stateName = (key: string) => JSON.stringify(JSON.parse(key).slice(0, 4));
  const moves = (key: string, others: typeof gone) => others.some(([other]) => stateName(other) === stateName(key));
  return [
    ...[...now].flatMap(([key, planned]) => {
      const old = before.get(key);
      const operation = old && updateOf(old, planned);
      return operation ? [changed(operation, planned)] : [];
    }),
    ...made.map(([key, planned]) => changed(moves(key, gone) ? "replace" : "create", planned)),
    ...gone.filter(([key]) => !moves(key, made)).map(([, planned]) => changed("delete", planned)),
  ];
}

function changed(operation: Operation, { object: { kind, metadata } }: PlannedObject): ObjectChange {
  return { operation, kind, namespace: metadata.namespace, name: metadata.name };
}

function updateOf(old: PlannedObject, now: PlannedObject): Operation | undefined {
  if (textOf(old) === textOf(now)) return undefined;
  const replacing = [...replacingFields(now.object as never, mutable), ...(now.replaceOnChanges ?? [])];
  const ignored = (now.ignoreChanges ?? []).map(parsePath);
  const found = differences(plain(old), plain(now), replacing).filter(
    ([path]) => !ignored.some((pattern) => contains(pattern, path)),
  );
  if (found.length === 0) return undefined;
  if (found.some(([, { replace }]) => replace)) return "replace";
  return found.some(([[first, second]]) => rollsPods(now.object.kind, first, second)) ? "roll" : "update";
}

const texts = new WeakMap<PlannedObject, string>();

/** The object as JSON, made once: what runs is compared with many others. */
function textOf(planned: PlannedObject): string {
  const text = texts.get(planned) ?? JSON.stringify(planned.object);
  texts.set(planned, text);
  return text;
}

/** The settings of the stack's own provider that decide on replacements. */
const mutable = {
  enablePatchForce: false,
  upsertExistingObjects: false,
  enableConfigMapMutable: true,
  enableSecretMutable: true,
  deleteUnreachable: false,
};

/** Without keys of no value, which never reach the engine. */
const plain = (planned: PlannedObject) => JSON.parse(textOf(planned));
