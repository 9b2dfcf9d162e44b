import type * as components from "@hearth-platform/hearth";
import { admissionComponent } from "@hearth-platform/hearth/admission/component";
import { cloudSuiteComponent } from "@hearth-platform/hearth/cloudsuite/component";
import {
  allPlans,
  type Component,
  innerComponents,
  type NamedPlan,
  namedPlans,
  ownPlans,
  planOf,
  type Stages,
} from "@hearth-platform/hearth/core/component";
import type { Plan } from "@hearth-platform/hearth/core/plan";
import { forgeComponent } from "@hearth-platform/hearth/forge/component";
import { hubComponent } from "@hearth-platform/hearth/hub/component";
import { serviceImageComponent } from "@hearth-platform/hearth/service-image/component";
import { siteWebhookComponent } from "@hearth-platform/hearth/site-webhook/component";
import type { StoresArgs } from "@hearth-platform/hearth/stores/shared/args";
import { storesComponent } from "@hearth-platform/hearth/stores/shared/component";
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
    admissionComponent,
    [],
    once("admission", ({ admission }) => admission),
  ),
  stores: part(storesComponent, ["admission"], sharedStores),
  forge: part(
    forgeComponent,
    ["stores"],
    once("forge", ({ forge }) => forge),
  ),
  serviceImage: part(
    serviceImageComponent,
    [],
    once("service-image", ({ serviceImage }) => serviceImage),
  ),
  // The forge makes the client that the hub signs on with.
  hub: part(
    hubComponent,
    ["stores", "forge", "serviceImage"],
    once("hub", ({ hub }) => hub),
  ),
  suites: part(cloudSuiteComponent, ["admission"], ({ suites }) => suites),
  siteWebhook: part(
    siteWebhookComponent,
    ["serviceImage"],
    once("site-webhook", ({ siteWebhook }) => siteWebhook),
  ),
};

/** Components that hold data. */
export const dataBearers: readonly Component[] = [parts.stores.component, parts.suites.component];

/** Kind of a part: a key of the list. */
export type PartKind = keyof typeof parts | Complete<Unlisted>;

/** Components that only stand within others. */
type Within = "Database" | "Keystore" | "ObjectStorage";
/** What the component package exports and the list lacks: with such a component the program does not compile. */
type Unlisted = Exclude<ComponentName, (typeof parts)[keyof typeof parts]["component"]["name"] | Within>;
type Complete<Missing extends never> = Missing;

/** A component of a stack before it is created. */
export interface StackPart {
  readonly kind: PartKind;
  /** Its name in Pulumi's state. */
  readonly name: string;
  readonly component: Component;
  /** All that the plans follow from. */
  readonly args: object;
  /** Name of its object store's provider. */
  readonly objectStore?: string | undefined;
  /** Its own plans, without those of the components in it. */
  readonly own: () => readonly Plan[];
  /** The components in it, by their own names in Pulumi's state. */
  readonly inner: () => readonly NamedComponent[];
  /** Its plans and those of the components in it. Plans after the first belong to sites, each in its own namespace. */
  readonly plans: () => readonly Plan[];
  /** The same in the order of creation: the plans of a stage come after all of the stages before it. */
  readonly stages: () => readonly (readonly Plan[])[];
  /** All of its plans, each by what the names of its resources in Pulumi's state begin with. */
  readonly named: () => readonly NamedPlan[];
  /** The component and those in it. */
  readonly all: () => readonly NamedComponent[];
}

/** A component with its arguments, by its name in Pulumi's state. */
export interface NamedComponent {
  readonly name: string;
  readonly component: Component;
  readonly args: object;
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

/** @param after kinds that come first, where the stack has them */
function part<Name extends ComponentName>(
  component: Component<ArgsOf<Name>, object, Name>,
  after: readonly string[],
  described: (args: StackArguments) => readonly Described<ArgsOf<Name>>[],
) {
  return {
    component,
    after,
    /** Those of a stack. */
    of: (stackArgs: StackArguments) =>
      described(stackArgs).map(({ name, args, objectStore }) => {
        // Who asks for one thing that follows from the stages often asks for the next.
        let made: Stages | undefined;
        const stages = () => {
          made ??= component.stages(args);
          return made;
        };
        const inner = () => innerComponents(name, stages());
        return {
          name,
          component,
          args,
          objectStore,
          own: () => ownPlans(stages()),
          inner,
          plans: () => allPlans(stages()),
          stages: () => stages().map((stage) => stage.map((each) => ("plan" in each ? each.plan : planOf(each)))),
          named: () => namedPlans(name, stages()),
          all: () => [{ name, component, args }, ...inner()],
          create: (classes: ComponentClasses, options: ComponentResourceOptions) =>
            new classes[component.name](name, args, options),
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
