import { join } from "node:path";
import { planAdmission } from "../../../components/admission/plan.ts";
import { planCloudSuite } from "../../../components/cloudsuite/plan.ts";
import { planDatabase } from "../../../components/database/plan.ts";
import { planForge } from "../../../components/forge/plan.ts";
import { planHub } from "../../../components/hub/plan.ts";
import { planKeystore } from "../../../components/keystore/plan.ts";
import { planObjectStorage } from "../../../components/object-storage/plan.ts";
import { dataName, type Plan } from "../../../components/plan.ts";
import type { PlatformArgs } from "../../../components/platform.ts";
import { siteWebhookPlans } from "../../../components/site-webhook/plan.ts";
import { planStores, type StoresPlan } from "../../../components/stores/plan.ts";
import { type RawResource, Resource } from "../../../policy/core/resource.ts";
import { type StackFacts, stackFacts } from "../../../policy/core/stack-facts.ts";
import { checkStack, type Stack } from "../../../settings/stack-settings.ts";
import { settingsPrefix, sourceFromFile } from "../../../settings/stack-source.ts";
import { admission, forge, hub, sharedStores, siteWebhook, suites } from "../../../stack.ts";
import { place, resource } from "../support/fixtures.ts";

const project = join(import.meta.dirname, "../../..");

/** The settings of a committed stack. */
export function committedStack(name: string): Stack {
  const { source } = sourceFromFile(project, name);
  const { stack } = source ? checkStack(project, source) : {};
  if (!stack) throw new Error(`The stack ${name} has faults.`);
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
