import { join } from "node:path";
import { planOf } from "@hearth-platform/hearth/core/component";
import { dataName, type Plan } from "@hearth-platform/hearth/core/plan";
import type { PlatformArgs } from "@hearth-platform/hearth/core/platform-args";
import { PolicyResource, type RawResource } from "@hearth-platform/policy/core/resource";
import { type StackFacts, stackFacts } from "@hearth-platform/policy/core/stack-facts";
import { type StackPart, stackParts } from "@hearth-platform/stack/parts";
import { settingsPrefix } from "@hearth-platform/stack/settings/setting-names";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack, type Stack } from "@hearth-platform/stack/stack-settings";
import { place, resource } from "../support/fixtures.ts";

const project = join(import.meta.dirname, "../../..");

/** The settings of a committed stack. */
export function committedStack(name: string): Stack {
  const { source } = sourceFromFile(project, name);
  const { stack } = source ? checkStack(project, source) : {};
  if (!stack) throw new Error(`The stack ${name} has problems.`);
  return stack;
}

/** What policies are told of a stack. */
export function factsOfStack({ settings }: Stack): StackFacts {
  const config = Object.entries(settings).map(([key, value]) => [
    `${settingsPrefix}${key}`,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return stackFacts({ PULUMI_CONFIG: JSON.stringify(Object.fromEntries(config)) });
}

/** All that policies judge of a stack: its components with their arguments, and the objects and buckets in them. */
export function resourcesOf(stack: Stack): PolicyResource[] {
  return stackParts(stack).flatMap(resourcesOfPart);
}

/** What they judge of one part of it. */
export function resourcesOfPart(part: StackPart): PolicyResource[] {
  const [parent, ...own] = component(part.component.name, part.name, part.args, part.own());
  const inner = part
    .inner()
    .flatMap((each) => component(each.component.name, each.name, each.args, [planOf(each)], parent));
  return [...(parent ? [parent] : []), ...own, ...inner].map((each) => new PolicyResource(each));
}

function component(
  type: string,
  name: string,
  args: object,
  plans: readonly Plan[],
  above?: RawResource,
): RawResource[] {
  const parent = place(`hearth:index:${type}`, name, args, { parent: above });
  const { platform } = args as { platform?: PlatformArgs };
  const mayBeLost = (data: string) => platform?.allowDataLoss?.includes(data) ?? false;
  const objects = plans.flatMap((plan) => plan.objects);
  const buckets = plans.flatMap((plan) => plan.buckets);
  return [
    parent,
    ...objects.map(({ object, holdsData, dataName: own }) =>
      resource(object as typeof object & Record<string, unknown>, {
        parent,
        protect: holdsData && !mayBeLost(own ?? dataName(object.metadata.name, object.metadata.namespace)),
      }),
    ),
    ...buckets.map(({ bucket }) =>
      place("aws:s3/bucket:Bucket", bucket, { bucket }, { parent, protect: !mayBeLost(bucket) }),
    ),
  ];
}
