import { error } from "@hearth-platform/hearth/core/problems";
import { lockCommand } from "./image-lock.ts";
import { stackPlans } from "./parts.ts";
import { stackImages } from "./stack-images.ts";
import { type CheckedStack, type CheckOptions, checkStack, type Stack } from "./stack-settings.ts";
import { locateSettings, type StackSource } from "./stack-source.ts";

/**
 * Judges a stack as `checkStack` does, and its lock of images: one that does not name them all would have some pulled by their tags.
 * @param project folder of Pulumi.yaml
 */
export function checkLockedStack(
  project: string,
  source: StackSource,
  options: Pick<CheckOptions, "today"> = {},
): CheckedStack {
  const { stack, problems } = checkStack(project, source, options);
  const digests = stack?.imageDigests;
  if (!stack || !digests) return { stack, problems };
  const missing = imagesToLock(stack).filter((image) => !Object.hasOwn(digests, image));
  if (missing.length === 0) return { stack, problems };
  const message = `${stack.settings.images?.lock} has no digest for ${missing.join(", ")}.`;
  const remedy = `Write the lock again: ${lockCommand(source.file)}`;
  return { problems: [...problems, ...locateSettings([error("unlocked", "images.lock", message, remedy)], source)] };
}

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
