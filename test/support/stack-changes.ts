import { cloudSuiteChanges } from "@hearth-platform/hearth/cloudsuite/changes";
import { planCloudSuite } from "@hearth-platform/hearth/cloudsuite/plan";
import { cloudSuiteProblems } from "@hearth-platform/hearth/cloudsuite/rules";
import type { KubernetesObject, PlannedBucket, PlannedObject, PlannedSecret } from "@hearth-platform/hearth/core/plan";
import { errorsOf, type Problem } from "@hearth-platform/hearth/core/problems";
import { forgeChanges } from "@hearth-platform/hearth/forge/changes";
import { forgeProblems } from "@hearth-platform/hearth/forge/rules";
import { hubChanges } from "@hearth-platform/hearth/hub/changes";
import { hubProblems } from "@hearth-platform/hearth/hub/rules";
import { siteWebhookChanges } from "@hearth-platform/hearth/site-webhook/changes";
import { siteWebhookProblems } from "@hearth-platform/hearth/site-webhook/rules";
import { databaseChanges } from "@hearth-platform/hearth/stores/database/changes";
import { keystoreChanges } from "@hearth-platform/hearth/stores/keystore/rules";
import { objectStorageChanges, objectStorageProblems } from "@hearth-platform/hearth/stores/object-storage/rules";
import { planStores } from "@hearth-platform/hearth/stores/shared/plan";
import { differences } from "@hearth-platform/sandbox/plugins/kubernetes/diff";
import { contains, parsePath } from "@hearth-platform/sandbox/plugins/kubernetes/paths";
import { replacingFields } from "@hearth-platform/sandbox/plugins/kubernetes/replacements";
import { forge, hub, sharedStores, siteWebhook, suites } from "@hearth-platform/stack/arguments";
import { type StackPart, stackParts } from "@hearth-platform/stack/parts";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { type ObjectChange, type Operation, rollsPods } from "./object-changes.ts";
import { checkFiles, type StackFiles } from "./stack-files.ts";

/** What a change of a stack's files comes to. */
export interface StackChange {
  /** Who refuses it, the settings' own check or a component, with all that is said. */
  readonly refusals: ReadonlyMap<string, string>;
  /** Empty where it is refused. */
  readonly changes: readonly ObjectChange[];
}

/** A stack as it was applied, and what is in it. */
export class AppliedStack {
  readonly #stack: Stack;
  /** The components by their name, each with its arguments as text and its objects. */
  readonly #parts: ReadonlyMap<string, { readonly args: string; readonly objects: Objects }>;

  /** @throws Error with every problem of the files */
  constructor(files: StackFiles) {
    const { stack, problems } = checkFiles(files);
    if (!stack) throw new Error(errorsOf(problems).map(said).join("\n"));
    this.#stack = stack;
    this.#parts = new Map(
      stackParts(stack).map((part) => [partName(part), { args: JSON.stringify(part.args), objects: objectsOf(part) }]),
    );
  }

  /** What the engine would do with these files. */
  to(files: StackFiles): StackChange {
    const { stack, problems } = checkFiles(files);
    if (!stack) return { refusals: new Map([["the settings", errorsOf(problems).map(said).join("\n")]]), changes: [] };
    const refusals = componentRefusals(this.#stack, stack);
    if (refusals.size > 0) return { refusals, changes: [] };
    const { before, now } = this.#changedParts(stack);
    const lost = lostObjects(before, now);
    if (lost.length > 0) return { refusals: new Map([["the engine", lost.join("\n")]]), changes: [] };
    return { refusals, changes: objectChanges(before, now) };
  }

  /** The objects of the components whose arguments change, before and after: those of all others stay as they are. */
  #changedParts(stack: Stack): { before: Objects; now: Objects } {
    const parts = stackParts(stack);
    const changed = parts.filter((part) => this.#parts.get(partName(part))?.args !== JSON.stringify(part.args));
    const same = parts.filter((part) => !changed.includes(part)).map(partName);
    const before = [...this.#parts].flatMap(([name, { objects }]) => (same.includes(name) ? [] : [...objects]));
    return { before: new Map(before), now: new Map(changed.flatMap((part) => [...objectsOf(part)])) };
  }
}

function said({ path, message, remedy, code }: Problem): string {
  return `${path}: ${message} ${remedy} [${code}]`;
}

/** What the components say, of their arguments alone and of the change. */
function componentRefusals(before: Stack, now: Stack): Map<string, string> {
  const judged = [...rules(now), ...guards(before, now)].map(
    ([component, problems]) => [component, errorsOf(problems).map(said).join("\n")] as const,
  );
  return new Map(judged.filter(([, text]) => text !== ""));
}

function rules(stack: Stack): [component: string, problems: Problem[]][] {
  const judged = <T>(args: T | undefined, check: (args: T) => Problem[]) => (args ? check(args) : []);
  const shared = sharedStores(stack);
  return [
    ["the platform's storage", judged(shared && planStores(shared.args).objectStorage, objectStorageProblems)],
    ["the forge", judged(forge(stack), forgeProblems)],
    ["the hub", judged(hub(stack), hubProblems)],
    ["the webhook", judged(siteWebhook(stack), siteWebhookProblems)],
    ...suites(stack).map(({ name, args }): [string, Problem[]] => [`suite ${name}`, cloudSuiteProblems(args)]),
  ];
}

function guards(before: Stack, now: Stack): [component: string, problems: Problem[]][] {
  const pair = <T, R>(pick: (stack: Stack) => T | undefined, check: (old: T, present: T) => R[]): R[] => {
    const [old, present] = [pick(before), pick(now)];
    return old && present ? check(old, present) : [];
  };
  const stores = (stack: Stack) => {
    const shared = sharedStores(stack);
    return shared && planStores(shared.args);
  };
  const suiteNamed = (name: string) => (stack: Stack) => suites(stack).find((suite) => suite.name === name)?.args;
  return [
    ["the platform's storage", pair((stack) => stores(stack)?.objectStorage, objectStorageChanges)],
    ["the platform's database", pair((stack) => stores(stack)?.database, databaseChanges)],
    ["the platform's keystore", pair((stack) => stores(stack)?.keystore, keystoreChanges)],
    ["the forge", pair(forge, forgeChanges)],
    ["the hub", pair(hub, hubChanges)],
    ["the webhook", pair(siteWebhook, siteWebhookChanges)],
    ...suites(now).flatMap(({ name }): [string, Problem[]][] => {
      const args = suiteNamed(name);
      const part =
        <T>(pick: (plan: ReturnType<typeof planCloudSuite>) => T) =>
        (stack: Stack) => {
          const suite = args(stack);
          return suite && pick(planCloudSuite(suite));
        };
      return [
        [`suite ${name}`, pair(args, cloudSuiteChanges)],
        [
          `the storage of ${name}`,
          pair(
            part(({ objectStorage }) => objectStorage),
            objectStorageChanges,
          ),
        ],
        [
          `the database of ${name}`,
          pair(
            part(({ database }) => database),
            databaseChanges,
          ),
        ],
        [
          `the keystore of ${name}`,
          pair(
            part(({ keystore }) => keystore),
            keystoreChanges,
          ),
        ],
      ];
    }),
  ];
}

const partName = ({ kind, name }: StackPart) => `${kind}/${name}`;

type Objects = ReadonlyMap<string, PlannedObject>;

/** Everything a component makes, by its identity: who makes it, the kind, the name, the namespace. */
function objectsOf(part: StackPart): Objects {
  const name = partName(part);
  const entries = part.plans().flatMap((plan, index) => {
    const planned = [...plan.objects, ...plan.secrets.map(secretObject), ...plan.buckets.map(bucketObject)];
    return planned.map((each): [string, PlannedObject] => {
      const { apiVersion, kind, metadata } = each.object;
      // Plans after the first are of sites, made for each namespace by itself.
      const maker = index === 0 ? name : `${name}/${metadata.namespace ?? metadata.name}`;
      return [JSON.stringify([maker, apiVersion, kind, metadata.name, metadata.namespace]), each];
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

function bucketObject({ bucket, ...settings }: PlannedBucket): PlannedObject {
  const object = { apiVersion: "s3", kind: "Bucket", metadata: { name: bucket }, spec: settings };
  return { object, holdsData: true };
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
  if (JSON.stringify(old.object) === JSON.stringify(now.object)) return undefined;
  const replacing = [...replacingFields(now.object as never, mutable), ...(now.replaceOnChanges ?? [])];
  const ignored = (now.ignoreChanges ?? []).map(parsePath);
  const found = differences(plain(old.object), plain(now.object), replacing).filter(
    ([path]) => !ignored.some((pattern) => contains(pattern, path)),
  );
  if (found.length === 0) return undefined;
  if (found.some(([, { replace }]) => replace)) return "replace";
  return found.some(([[first, second]]) => rollsPods(now.object.kind, first, second)) ? "roll" : "update";
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
const plain = (object: KubernetesObject) => JSON.parse(JSON.stringify(object));
