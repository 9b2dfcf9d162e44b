import { join } from "node:path";
import { planAdmission } from "@hearth-platform/hearth/admission/plan";
import { planCloudSuite } from "@hearth-platform/hearth/cloudsuite/plan";
import { dataName, type Plan } from "@hearth-platform/hearth/core/plan";
import type { PlatformArgs } from "@hearth-platform/hearth/core/platform-args";
import { planForge } from "@hearth-platform/hearth/forge/plan";
import { planHub } from "@hearth-platform/hearth/hub/plan";
import { siteWebhookPlans } from "@hearth-platform/hearth/site-webhook/plan";
import { planDatabase } from "@hearth-platform/hearth/stores/database/plan";
import { planKeystore } from "@hearth-platform/hearth/stores/keystore/plan";
import { planObjectStorage } from "@hearth-platform/hearth/stores/object-storage/plan";
import { planStores, type StoresPlan } from "@hearth-platform/hearth/stores/shared/plan";
import { type RawResource, Resource } from "@hearth-platform/policy/core/resource";
import { type StackFacts, stackFacts } from "@hearth-platform/policy/core/stack-facts";
import { admission, forge, hub, sharedStores, siteWebhook, suites } from "@hearth-platform/stack/arguments";
import { checkStack, type Stack } from "@hearth-platform/stack/stack-settings";
import { settingsPrefix, sourceFromFile } from "@hearth-platform/stack/stack-source";
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
export function resourcesOf(stack: Stack): Resource[] {
  const limits = admission(stack);
  const stores = sharedStores(stack);
  const forgeArgs = forge(stack);
  const hubArgs = hub(stack);
  const webhookArgs = siteWebhook(stack);
  const raw = [
    ...(limits ? component("Admission", "admission", limits, [planAdmission(limits)]) : []),
    ...(stores ? withStores("Stores", "platform", stores.args, planStores(stores.args)) : []),
    ...(forgeArgs ? component("Forge", "forge", forgeArgs, [planForge(forgeArgs)]) : []),
    ...(hubArgs ? component("Hub", "hub", hubArgs, [planHub(hubArgs)]) : []),
    ...suites(stack).flatMap(({ name, args }) => withStores("CloudSuite", name, args, planCloudSuite(args))),
    ...(webhookArgs ? component("SiteWebhook", "site-webhook", webhookArgs, siteWebhookPlans(webhookArgs)) : []),
  ];
  return raw.map((each) => new Resource(each));
}

/** A component that has stores, with the components of these in it. */
function withStores(type: string, name: string, args: object, plan: Partial<StoresPlan> & { application?: Plan }) {
  const [parent, ...own] = component(
    type,
    name,
    args,
    [plan.foundation, plan.application].filter((each) => each !== undefined),
  );
  const { objectStorage, database, keystore } = plan;
  const inner = [
    ...(objectStorage
      ? component("ObjectStorage", `${name}-storage`, objectStorage, [planObjectStorage(objectStorage)], parent)
      : []),
    ...(database ? component("Database", `${name}-db`, database, [planDatabase(database)], parent) : []),
    ...(keystore ? component("Keystore", `${name}-keystore`, keystore, [planKeystore(keystore)], parent) : []),
  ];
  return [...(parent ? [parent] : []), ...own, ...inner];
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
