import type * as components from "@hearth-platform/hearth";
import { planAdmission } from "@hearth-platform/hearth/admission/plan";
import { cloudSuiteChanges } from "@hearth-platform/hearth/cloudsuite/changes";
import { planCloudSuite } from "@hearth-platform/hearth/cloudsuite/plan";
import { joinPlans, type Plan } from "@hearth-platform/hearth/core/plan";
import type { ChangeGuard } from "@hearth-platform/hearth/core/refusals";
import { forgeGuard } from "@hearth-platform/hearth/forge/changes";
import { planForge } from "@hearth-platform/hearth/forge/plan";
import { hubGuard } from "@hearth-platform/hearth/hub/changes";
import { planHub } from "@hearth-platform/hearth/hub/plan";
import { siteWebhookChanges } from "@hearth-platform/hearth/site-webhook/changes";
import { planSiteWebhook } from "@hearth-platform/hearth/site-webhook/plan";
import {
  planOfStores,
  type StoreOfSet,
  type StoreSet,
  storeStages,
  storesOf,
} from "@hearth-platform/hearth/stores/set/store-set";
import type { StoresArgs } from "@hearth-platform/hearth/stores/shared/args";
import { planStores } from "@hearth-platform/hearth/stores/shared/plan";
import type { ComponentResource, ComponentResourceOptions } from "@pulumi/pulumi";
import { type StackArguments, stackArguments } from "./arguments.ts";
import type { Stack } from "./stack-settings.ts";

/**
 * What a stack deploys, in the order of creation: the one list. The program creates it, render writes it, the image list and
 * the docs read it. A class stands here by its name in the component package: plans are made without Pulumi.
 */
export const parts = {
  // A limit that was raised is raised in the cluster before anything makes use of it.
  admission: part(
    "Admission",
    [],
    once("admission", ({ admission }) => admission),
    (args) => ({ foundation: planAdmission(args) }),
  ),
  stores: part("Stores", ["admission"], sharedStores, planStores),
  forge: part(
    "Forge",
    ["stores"],
    once("forge", ({ forge }) => forge),
    (args) => ({ foundation: planForge(args) }),
    forgeGuard,
  ),
  serviceImage: part(
    "ServiceImage",
    [],
    once("service-image", ({ serviceImage }) => serviceImage),
    () => ({}),
  ),
  // The forge makes the client that the hub signs on with.
  hub: part(
    "Hub",
    ["stores", "forge", "serviceImage"],
    once("hub", ({ hub }) => hub),
    (args) => ({ foundation: planHub(args) }),
    hubGuard,
  ),
  suites: part("CloudSuite", ["admission"], ({ suites }) => suites, planCloudSuite, { changes: cloudSuiteChanges }),
  siteWebhook: part(
    "SiteWebhook",
    ["serviceImage"],
    once("site-webhook", ({ siteWebhook }) => siteWebhook),
    planSiteWebhook,
    { changes: siteWebhookChanges },
  ),
};

/** Components of parts that hold data. */
export const dataBearers: readonly PartComponent[] = [parts.stores.component, parts.suites.component];

/** Kind of a part: a key of the list. */
export type PartKind = keyof typeof parts;

/** Classes of what can be deployed, by their names in the component package. */
export type PartComponent = (typeof parts)[PartKind]["component"];

/** A component of a stack before it is created. */
export interface StackPart {
  readonly kind: PartKind;
  /** Its name in Pulumi's state. */
  readonly name: string;
  /** Class of the component. */
  readonly component: PartComponent;
  /** All that the plans follow from. */
  readonly args: object;
  /** Name of its object store's provider. */
  readonly objectStore?: string | undefined;
  /** Its own plans, without those of its stores. */
  readonly own: () => Plan[];
  /** The stores in it, which are components of their own. */
  readonly stores: () => StoreOfSet[];
  /** Its plans and those of its stores. Plans after the first belong to sites, each in its own namespace. */
  readonly plans: () => Plan[];
  /** The same in the order of creation: the plans of a stage come after all of the stages before it. */
  readonly stages: () => Plan[][];
  /** Recorded arguments of the component and of its stores, each with the guard of later changes. */
  readonly records: () => RecordedArguments[];
}

/** A component's arguments, and the guard of their changes. */
export interface RecordedArguments {
  /** Name of the component in Pulumi's state. */
  readonly name: string;
  readonly args: object;
  /** None where nothing of it can lose data. */
  readonly guard?: ChangeGuard<object> | undefined;
}

/** A component's plans in the order of creation; the stores of the set come after the foundation. */
interface PartPlans extends StoreSet {
  readonly foundation?: Plan;
  readonly application?: Plan;
  /** Beside all others, in namespaces of their own. */
  readonly sites?: readonly { readonly plan: Plan }[];
}

/** The components of a stack. */
export function stackParts(stack: Stack): StackPart[] {
  const args = stackArguments(stack);
  return partKinds().flatMap((kind) => parts[kind].of(args).map((each) => ({ kind, ...each })));
}

/** The plans of all components of a stack. */
export function stackPlans(stack: Stack): Plan[] {
  return stackParts(stack).flatMap(({ plans }) => plans());
}

/** Classes of the component package by their names. */
export type ComponentClasses = {
  readonly [Name in ComponentName]: new (
    name: string,
    args: ArgsOf<Name>,
    options?: ComponentResourceOptions,
  ) => InstanceType<(typeof components)[Name]>;
};

/** The components of a stack, by kind and name. */
export type CreatedParts = {
  readonly [Kind in PartKind]: ReadonlyMap<
    string,
    ReturnType<ReturnType<(typeof parts)[Kind]["of"]>[number]["create"]>
  >;
};

/**
 * Creates the components of a stack, each after those it waits for.
 * @param providers of a component, by the name of its object store where it has one
 * @param transformations of every component
 */
export function createParts(
  stack: Stack,
  classes: ComponentClasses,
  providers: (objectStore: string | undefined) => ComponentResourceOptions["providers"],
  transformations: ComponentResourceOptions["transformations"] = [],
): CreatedParts {
  const args = stackArguments(stack);
  const created = new Map<string, ReadonlyMap<string, ComponentResource>>();
  for (const kind of partKinds()) {
    const { after, of } = parts[kind];
    const dependsOn = after.flatMap((earlier) => [...(created.get(earlier)?.values() ?? [])]);
    const made = of(args).map(({ name, objectStore, create }) => {
      const resource = create(classes, { providers: providers(objectStore), dependsOn, transformations });
      return [name, resource] as const;
    });
    created.set(kind, new Map<string, ComponentResource>(made));
  }
  return Object.fromEntries(created) as CreatedParts;
}

function partKinds(): PartKind[] {
  return Object.keys(parts) as PartKind[];
}

type ComponentName = {
  [Name in keyof typeof components]: (typeof components)[Name] extends new (
    ...args: never
  ) => ComponentResource
    ? Name
    : never;
}[keyof typeof components];
type ArgsOf<Name extends ComponentName> = ConstructorParameters<(typeof components)[Name]>[1];

/** One of a kind as the settings describe it. */
interface Described<Args> {
  readonly name: string;
  readonly args: Args;
  /** Name of its object store's provider. */
  readonly objectStore?: string;
}

function part<Name extends ComponentName>(
  component: Name,
  after: readonly string[],
  described: (args: StackArguments) => readonly Described<ArgsOf<Name>>[],
  planned: (args: ArgsOf<Name>) => PartPlans,
  guard?: ChangeGuard<ArgsOf<Name>>,
) {
  const none = joinPlans();
  const sitesOf = ({ sites = [] }: PartPlans) => sites.map(({ plan }) => plan);
  const joined = ({ foundation = none, application = none }: PartPlans, stores: Partial<Plan> = {}) =>
    joinPlans(foundation, stores, application);
  return {
    /** The component's class, by its name in the component package. */
    component,
    /** Kinds that come first, where the stack has them. */
    after,
    /** Those of a stack. */
    of: (stackArgs: StackArguments) =>
      described(stackArgs).map(({ name, args, objectStore }) => {
        // Who asks for one thing that follows from the plans often asks for the next.
        let made: PartPlans | undefined;
        const plans = () => {
          made ??= planned(args);
          return made;
        };
        return {
          name,
          component,
          args,
          objectStore,
          own: () => [joined(plans()), ...sitesOf(plans())],
          stores: () => storesOf(plans()),
          plans: () => [joined(plans(), planOfStores(plans())), ...sitesOf(plans())],
          stages: () => {
            const { foundation = none, application = none } = plans();
            const stores = storeStages(plans()).map((stage) => stage.map((each) => each.store.plan(each.args)));
            return [[foundation, ...sitesOf(plans())], ...stores, [application]];
          },
          records: () => [
            { name, args, guard: guard as ChangeGuard<object> | undefined },
            ...storesOf(plans()).map((each) => ({
              name: `${name}-${each.store.suffix}`,
              args: each.args,
              guard: each.store,
            })),
          ],
          create: (classes: ComponentClasses, options: ComponentResourceOptions) =>
            new classes[component](name, args, options),
        };
      }),
  };
}

/** A part that a stack has at most once. */
function once<Args>(name: string, described: (args: StackArguments) => Args | undefined) {
  return (stackArgs: StackArguments): Described<Args>[] => {
    const args = described(stackArgs);
    return args ? [{ name, args }] : [];
  };
}

function sharedStores({ stores }: StackArguments): Described<StoresArgs>[] {
  return stores ? [{ name: "platform", ...stores }] : [];
}
