import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { Alert } from "./alert.ts";
import { checkArguments } from "./arguments.ts";
import type { ChangeChecks } from "./data-safety/refusals.ts";
import type { LimitsArgs } from "./limits-args.ts";
import { joinPlans, type Plan } from "./plan.ts";
import type { StorePlatformArgs } from "./platform-args.ts";
import type { Problem } from "./problems.ts";
import { type Resolved, resolve } from "./resolve.ts";

/**
 * A component as one value. Its class, the check of its arguments, what the state records of it, what is refused of a
 * change, the rendering, the waves of a delivery, the graph and the tests' model follow from it.
 */
export interface Component<Args extends object = object, Outputs extends object = object, Name extends string = string>
  extends Partial<ChangeChecks<Args>> {
  /** Its class, by its name in the component package. */
  readonly name: Name;
  readonly schema: z.ZodType;
  /**
   * What is wrong with arguments of the right types.
   * @param limits what the stack allows beside the specification
   */
  rules(args: unknown, limits: LimitsArgs | undefined): Problem[];
  /** What its users are told, each with its runbook. Its plan makes the rules. @default none */
  readonly alerts?: readonly Alert<never>[];
  /** All that it makes, in the order of creation: what stands in one list comes after everything in the lists before it. */
  stages(args: Args): Stages;
  /** What users of the component read from it. @param generated a value of a Secret that its own plans generate */
  outputs(args: Args, generated: GeneratedValue): Outputs;
}

export type Stages = readonly (readonly Stage[])[];

/** A part of what a component makes: objects of its own, or a component within it. */
export type Stage = PlanStage | InnerComponent;

/** Objects of a component's own. */
export interface PlanStage {
  readonly plan: Plan;
  /** After the component's name in the names of the resources, where names of objects repeat in several plans. */
  readonly suffix?: string;
}

/** A component within another one. */
export interface InnerComponent {
  readonly component: Component;
  readonly args: object;
  /** End of its name in Pulumi's state, after the name of the component it is in. */
  readonly suffix: string;
}

/** A value of a generated Secret, itself a secret; undefined where the Secret comes from a store or exists already. */
export type GeneratedValue = (secret: string, key: string) => pulumi.Output<string> | undefined;

/** A component as its folder defines it: what it makes, and what users read of it, is decided from resolved arguments. */
interface Definition<
  S extends z.ZodType<unknown, object>,
  Args extends object,
  Outputs extends object,
  Name extends string,
> extends Pick<Component<z.input<S>, Outputs, Name>, "name" | "rules">,
    Partial<ChangeChecks<z.input<S>>> {
  readonly schema: S;
  readonly alerts?: readonly Alert<NoInfer<Args>>[];
  /** Fills in defaults that follow from other arguments. @default there are none */
  defaults?(args: Resolved<S>): Args;
  /** @param given the arguments before they were resolved: those of components within are made from them, and recorded so */
  stages(args: Args, given: z.input<S>): Stages;
  outputs(args: Args, generated: GeneratedValue): Outputs;
}

/** A component from its definition. Its arguments are resolved here and nowhere else. */
export function defineComponent<
  S extends z.ZodType<unknown, object>,
  Outputs extends object,
  const Name extends string,
  Args extends object = Resolved<S> & object,
>({ defaults, stages, outputs, ...rest }: Definition<S, Args, Outputs, Name>): Component<z.input<S>, Outputs, Name> {
  const resolved = (given: z.input<S>): Args => {
    const args = resolve(rest.schema, given, (given as { platform?: StorePlatformArgs }).platform?.profile);
    return defaults ? defaults(args) : (args as Args);
  };
  return {
    ...rest,
    stages: (given) => stages(resolved(given), given),
    outputs: (given, generated) => outputs(resolved(given), generated),
  };
}

/** Pulumi's type token of a component. */
export function typeOf({ name }: Pick<Component, "name">): string {
  return `hearth:index:${name}`;
}

/** Everything wrong with the arguments of a component, before anything is created. @param args none count as empty ones */
export function problemsOf<Args extends object>(component: Component<Args>, args: Args | undefined): Problem[] {
  return checkArguments(component.schema, args ?? {}, (values) => {
    const { limits } = (values as { platform?: StorePlatformArgs } | undefined)?.platform ?? {};
    return component.rules(values, limits);
  });
}

/** The plans of a component's own: what has no suffix as one, then each that has one. */
export function ownPlans(stages: Stages): [Plan, ...Plan[]] {
  const plans = stages.flat().filter((stage) => "plan" in stage);
  return [
    joinPlans(...plans.filter(({ suffix }) => suffix === undefined).map(({ plan }) => plan)),
    ...plans.filter(({ suffix }) => suffix !== undefined).map(({ plan }) => plan),
  ];
}

/** The same with all that the components within make, in the order of creation. */
export function allPlans(stages: Stages): [Plan, ...Plan[]] {
  const [, ...others] = ownPlans(stages);
  const parts = stages.flat().map((stage) => ("plan" in stage ? stage : { plan: planOf(stage) }));
  const joined = parts.filter((stage) => !("suffix" in stage && stage.suffix !== undefined));
  return [joinPlans(...joined.map(({ plan }) => plan)), ...others];
}

/** Everything that a component within makes, as one plan. */
export function planOf({ component, args }: Pick<InnerComponent, "component" | "args">): Plan {
  return joinPlans(...allPlans(component.stages(args)));
}

/** A plan, and what the names of its resources in Pulumi's state begin with. */
export interface NamedPlan {
  readonly name: string;
  readonly plan: Plan;
}

/** What the names of a stage's resources begin with in Pulumi's state, where the component is called `name`. */
export function stageName(name: string, stage: Stage): string {
  if (!("plan" in stage)) return `${name}-${stage.suffix}`;
  return stage.suffix === undefined ? name : `${name}/${stage.suffix}`;
}

/** Plans by the names that their resources begin with in Pulumi's state: those of the component called `name`, and of all within it. */
export function namedPlans(name: string, stages: Stages): NamedPlan[] {
  return stages.flat().flatMap((stage) => {
    const own = stageName(name, stage);
    return "plan" in stage ? { name: own, plan: stage.plan } : namedPlans(own, stage.component.stages(stage.args));
  });
}

/** The components within one that is called `name`, each with its own name in Pulumi's state. */
export function innerComponents(name: string, stages: Stages): (InnerComponent & { readonly name: string })[] {
  return stages.flat().flatMap((stage) => ("plan" in stage ? [] : [{ ...stage, name: stageName(name, stage) }]));
}
