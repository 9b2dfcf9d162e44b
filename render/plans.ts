import { planAdmission } from "../components/admission/plan.ts";
import { cloudSuitePlan } from "../components/cloudsuite/plan.ts";
import { planForge } from "../components/forge/plan.ts";
import { planHub } from "../components/hub/plan.ts";
import type { Plan } from "../components/plan.ts";
import { siteWebhookPlans } from "../components/site-webhook/plan.ts";
import { storesPlan } from "../components/stores/plan.ts";
import type { Stack } from "../settings/stack-settings.ts";
import { admission, forge, hub, sharedStores, siteWebhook, suites } from "../stack.ts";

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
