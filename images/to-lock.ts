import { stackPlans } from "../render/plans.ts";
import type { Stack } from "../settings/stack-settings.ts";
import { stackImages } from "./stack-images.ts";

/**
 * The images that a lock of the stack names, as the components name them, before mirrors. Not among them: images that have a
 * digest already, and the one the stack builds, whose tag is a hash of its content.
 */
export function imagesToLock(stack: Stack): string[] {
  const { settings } = stack;
  const plans = stackPlans({ ...stack, imageDigests: undefined, settings: { ...settings, images: undefined } });
  return stackImages(plans)
    .filter(({ repository, digest }) => digest === undefined && repository !== settings.siteWebhook?.repository)
    .map(({ image }) => image);
}
