import * as pulumi from "@pulumi/pulumi";
import {
  type Component,
  type GeneratedValue,
  ownPlans,
  problemsOf,
  type Stage,
  stageName,
  typeOf,
} from "./component.ts";
import { type CreatedPlan, createPlan, type GivenValue, generatedValue } from "./create.ts";
import { protectedNames, refusingChanges, refusingDestroy } from "./data-safety/hooks.ts";
import { recordedBy } from "./data-safety/refusals.ts";
import { namingConflicts } from "./field-conflicts.ts";
import { dataName, type Plan } from "./plan.ts";
import type { StorePlatformArgs } from "./platform-args.ts";
import { errorsOf, type Problem } from "./problems.ts";
import { programWords } from "./words.ts";

/** A component between its check and its creation. */
export interface Begun<Outputs> {
  /** What its class gives to `super`: type, name, recorded arguments, and options that refuse what would lose data. */
  readonly resource: [type: string, name: string, args: pulumi.Inputs, options: pulumi.ComponentResourceOptions];
  /** Creates all that the component makes, and sets its outputs, which it gives back to be registered. */
  create(self: pulumi.ComponentResource & Fields<Outputs>): Outputs;
}

/** Outputs as a class declares them: one that may be undefined may be left out. */
type Fields<Outputs> = {
  readonly [Key in keyof Outputs as undefined extends Outputs[Key] ? never : Key]: Outputs[Key];
} & {
  readonly [Key in keyof Outputs as undefined extends Outputs[Key] ? Key : never]?: Exclude<Outputs[Key], undefined>;
};

/**
 * Checks a component's arguments and decides on all that it makes, before anything is created.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 * @throws Error where a Secret has a value of another component's, and `dependsOn` does not name that component
 */
export function begin<Args extends object, Outputs extends object>(
  component: Component<Args, Outputs>,
  name: string,
  args: Args,
  opts: pulumi.ComponentResourceOptions = {},
): Begun<Outputs> {
  requireValid(name, problemsOf(component, args));
  const { allowDataLoss } = (args as { platform?: StorePlatformArgs }).platform ?? {};
  const type = typeOf(component);
  const stages = component.stages(args);
  const [own] = ownPlans(stages);
  const given = valuesOf(opts.dependsOn);
  for (const plan of ownPlans(stages)) requireGiven(plan, given);
  const { changes, creation } = component;
  const checked = changes ? refusingChanges(type, name, { changes, creation }, opts) : opts;
  return {
    resource: [
      type,
      name,
      recordedBy(component, args),
      refusingDestroy(name, protectedNames(own, allowDataLoss), checked),
    ],
    create(self) {
      const made: pulumi.Resource[] = [];
      const created: CreatedPlan[] = [];
      const hooks = namingConflicts(type, name, self);
      const createStage = (stage: Stage, dependsOn: pulumi.ComponentResourceOptions["dependsOn"]) => {
        const own = stageName(name, stage);
        if (!("plan" in stage)) return [new Inner(stage, own, { parent: self, dependsOn })];
        const plan = createPlan(self, own, stage.plan, { allowDataLoss, dependsOn, given, hooks });
        created.push(plan);
        makers.set(self, [...(makers.get(self) ?? []), { plan: stage.plan, created: plan }]);
        return [...plan.values()];
      };
      for (const stage of stages) {
        const dependsOn = made.length > 0 ? [...made] : opts.dependsOn;
        made.push(...stage.flatMap((each) => createStage(each, dependsOn)));
      }
      const generated: GeneratedValue = (secret, key) =>
        created.map((plan) => generatedValue(plan, secret, key)).find((value) => value !== undefined);
      const outputs = component.outputs(args, generated);
      Object.assign(self, outputs);
      return outputs;
    },
  };
}

/** What each component made of its own plans, for those that depend on it. */
const makers = new WeakMap<object, readonly { readonly plan: Plan; readonly created: CreatedPlan }[]>();

/** Values that components generated on which one depends. Only those are seen that are there at once, as a program's own are. */
function valuesOf(dependsOn: pulumi.ComponentResourceOptions["dependsOn"] = []): GivenValue {
  return ({ namespace, name, key }) =>
    [dependsOn]
      .flat()
      .flatMap((component) => makers.get(component) ?? [])
      .filter(({ plan: { secrets } }) => secrets.some((made) => made.namespace === namespace && made.name === name))
      .map(({ created }) => generatedValue(created, name, key))[0];
}

/** @throws Error where a Secret has a value of another component's that is not given */
function requireGiven({ secrets }: Plan, given: GivenValue): void {
  for (const secret of secrets)
    for (const value of Object.values(secret.data))
      if ("copyOf" in value && given(value.copyOf) === undefined) {
        const { namespace, name, key } = value.copyOf;
        throw new Error(
          `Secret ${dataName(secret.name, secret.namespace)} has the value ${key} of Secret ${dataName(name, namespace)}, which no component generates that it depends on. ` +
            "Create that component first, in the same program, and name it in dependsOn. Or name a Secret that exists in secrets.existing.",
        );
      }
}

/**
 * Refuses wrong arguments of a component, all errors in one report.
 * @throws pulumi.InputPropertiesError with the path of each
 */
export function requireValid(name: string, problems: readonly Problem[]): void {
  const words = programWords();
  const errors = errorsOf(problems).map(({ path, message, remedy }) => ({
    propertyPath: path,
    reason: words(`${message} ${remedy}`),
  }));
  if (errors.length === 0) return;
  // Pulumi shows the message, and the list of errors only for components of a package.
  const lines = errors.map(({ propertyPath, reason }) => `\n  ${[propertyPath, reason].filter(Boolean).join(": ")}`);
  throw new pulumi.InputPropertiesError({ message: `${name} can't be deployed:${lines.join("")}`, errors });
}

/** A component within another one. */
class Inner extends pulumi.ComponentResource {
  constructor(
    { component, args }: { readonly component: Component; readonly args: object },
    name: string,
    opts: pulumi.ComponentResourceOptions,
  ) {
    const begun = begin(component, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
