import { planAdmission } from "@hearth-platform/hearth/admission/plan";
import { cloudSuitePlan } from "@hearth-platform/hearth/cloudsuite/plan";
import type { Plan } from "@hearth-platform/hearth/core/plan";
import { planForge } from "@hearth-platform/hearth/forge/plan";
import { planHub } from "@hearth-platform/hearth/hub/plan";
import { siteWebhookPlans } from "@hearth-platform/hearth/site-webhook/plan";
import { storesPlan } from "@hearth-platform/hearth/stores/shared/plan";
import { admission, forge, hub, sharedStores, siteWebhook, suites } from "./arguments.ts";
import type { Stack } from "./stack-settings.ts";

/** A component of a stack before it is created. */
export interface StackPart {
  /** The suite's name; of what a stack has once, the component's. */
  readonly name: string;
  /** All that the plans follow from. */
  readonly args: object;
  /** The plans, as the component itself makes them. */
  readonly plans: () => Plan[];
}

/** The components of a stack. */
export function stackParts(stack: Stack): StackPart[] {
  const part = <Args extends object>(name: string, args: Args | undefined, plans: (args: Args) => Plan[]) =>
    args ? [{ name, args, plans: () => plans(args) }] : [];
  return [
    ...part("admission", admission(stack), (args) => [planAdmission(args)]),
    ...part("stores", sharedStores(stack)?.args, (args) => [storesPlan(args)]),
    ...part("forge", forge(stack), (args) => [planForge(args)]),
    ...part("hub", hub(stack), (args) => [planHub(args)]),
    ...part("site-webhook", siteWebhook(stack), siteWebhookPlans),
    ...suites(stack).flatMap(({ name, args }) => part(`suite ${name}`, args, () => [cloudSuitePlan(args)])),
  ];
}

/** The plans of all components of a stack. */
export function stackPlans(stack: Stack): Plan[] {
  return stackParts(stack).flatMap(({ plans }) => plans());
}
