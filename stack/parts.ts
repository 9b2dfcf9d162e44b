import type * as components from "@hearth-platform/hearth";
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
import { inWordsOf } from "@hearth-platform/hearth/core/words";
import type { OwnStores } from "@hearth-platform/hearth/stores/set/own-stores";
import type { ComponentResource, ComponentResourceOptions } from "@pulumi/pulumi";
import type { Area, AreaPart, ArgsOf, ComponentName } from "./areas/area.ts";
import { type AreaName, areas } from "./areas/index.ts";
import { sharedOf } from "./areas/shared.ts";
import { inSettings } from "./settings/setting-names.ts";
import type { Stack } from "./stack-settings.ts";

/**
 * What a stack deploys: the components of its areas, in the order of creation. The program creates it, render writes it, the
 * image list and the docs read it. A class stands in an area by its name in the component package: plans are made without Pulumi.
 */

/** Area of a component. */
export type PartKind = AreaName | Complete<Unlisted>;

/** Components that only stand within others: their stores. */
type Within = Capitalize<keyof OwnStores>;
/** What the component package exports and no area has: with such a component the program does not compile. */
type Unlisted = Exclude<ComponentName, ClassOf<AreaName> | Within>;
type Complete<Missing extends never> = Missing;
type ClassOf<Kind extends AreaName> = (typeof areas)[Kind]["component"]["name"];

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
  /** Kinds that come before it, where the stack has them. */
  readonly after: readonly PartKind[];
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

/** The components of a stack, in the order of creation. @throws Error where areas wait for one another */
export function stackParts(stack: Stack, list: Readonly<Record<AreaName, Area>> = areas): StackPart[] {
  const shared = sharedOf(stack);
  const kinds = Object.keys(list) as PartKind[];
  return inOrder(
    new Map(
      kinds.map((kind) => [kind, list[kind].parts(stack, shared).map((part) => stackPart(kind, list[kind], part))]),
    ),
  );
}

/** Each after all that it waits for, otherwise as they are. */
function inOrder(byKind: ReadonlyMap<PartKind, readonly StackPart[]>): StackPart[] {
  const ordered = new Set<StackPart>();
  const add = (kind: PartKind, waiting: readonly PartKind[]) => {
    if (waiting.includes(kind)) throw new Error(`Areas wait for one another: ${[...waiting, kind].join(", ")}.`);
    for (const part of byKind.get(kind) ?? [])
      if (!ordered.has(part)) {
        for (const earlier of part.after) add(earlier, [...waiting, kind]);
        ordered.add(part);
      }
  };
  for (const kind of byKind.keys()) add(kind, []);
  return [...ordered];
}

function stackPart(kind: PartKind, area: Area, { name, args, objectStore, after = [] }: AreaPart<object>): StackPart {
  const component: Component = area.component;
  // Who asks for one thing that follows from the stages often asks for the next.
  let made: Stages | undefined;
  const stages = () => {
    made ??= component.stages(args);
    return made;
  };
  const inner = () => innerComponents(name, stages());
  return {
    kind,
    name,
    component,
    args,
    objectStore,
    after: [...area.after, ...after] as PartKind[],
    own: () => ownPlans(stages()),
    inner,
    plans: () => allPlans(stages()),
    stages: () => stages().map((stage) => stage.map((each) => ("plan" in each ? each.plan : planOf(each)))),
    named: () => namedPlans(name, stages()),
    all: () => [{ name, component, args }, ...inner()],
  };
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
  readonly [Kind in PartKind]: ReadonlyMap<string, InstanceType<(typeof components)[ClassOf<Kind>]>>;
};

/**
 * Creates the components of a stack, each after those it waits for.
 * @param providers of a component, by the name of its object store where it has one
 * @param transformations of every component
 */
export function createParts(
  parts: readonly StackPart[],
  classes: ComponentClasses,
  providers: (objectStore: string | undefined) => ComponentResourceOptions["providers"],
  transformations: ComponentResourceOptions["transformations"] = [],
): CreatedParts {
  const created = Object.fromEntries(
    Object.keys(areas).map((kind) => [kind, new Map<string, ComponentResource>()]),
  ) as Readonly<Record<PartKind, Map<string, ComponentResource>>>;
  for (const { kind, name, component, args, objectStore, after } of parts) {
    const create = classes[component.name as ComponentName] as new (
      ...args: [string, object, ComponentResourceOptions]
    ) => ComponentResource;
    const dependsOn = after.flatMap((earlier) => [...created[earlier].values()]);
    const options = { providers: providers(objectStore), dependsOn, transformations };
    created[kind].set(
      name,
      inWordsOf(inSettings, () => new create(name, args, options)),
    );
  }
  const made: Readonly<Record<PartKind, ReadonlyMap<string, ComponentResource>>> = created;
  return made as CreatedParts;
}
