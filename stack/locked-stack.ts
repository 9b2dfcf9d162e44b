import { parseImage } from "@hearth-platform/hearth/core/image-reference";
import { error, type Problem, warning } from "@hearth-platform/hearth/core/problems";
import { sharedOf } from "./areas/shared.ts";
import { stackImages } from "./delivery/stack-images.ts";
import { stackPlans } from "./parts.ts";
import { lockCommand } from "./settings/image-lock.ts";
import { locateSettings, type StackSource, sourceFromFile } from "./settings/stack-source.ts";
import { type CheckedStack, type CheckOptions, checkStack, type Stack } from "./stack-settings.ts";

/**
 * Judges a stack as `checkStack` does, and its lock of images: one that does not name them all would have some pulled by their tags.
 * @param project folder of Pulumi.yaml
 */
export function checkLockedStack(project: string, source: StackSource, options: CheckOptions = {}): CheckedStack {
  const { stack, problems } = checkStack(project, source, options);
  const digests = stack?.imageDigests;
  if (!stack || !digests) return { stack, problems };
  const missing = imagesToLock(stack).filter((image) => !Object.hasOwn(digests, image));
  if (missing.length === 0) return { stack, problems };
  const message = `${stack.settings.images?.lock} has no digest for ${missing.join(", ")}.`;
  const remedy = `Write the lock again: ${lockCommand(source.file)}`;
  return { problems: [...problems, ...locateSettings([error("unlocked", "images.lock", message, remedy)], source)] };
}

/** A stack that was read from a file. */
export interface CheckedStackFile extends CheckedStack {
  /** Absent where the file can't be read. */
  readonly source?: StackSource;
}

/**
 * Judges the stack in `Pulumi.<name>.yaml`, or in another file, as `checkLockedStack` does.
 * @param project folder of Pulumi.yaml
 */
export function checkStackFile(
  project: string,
  name: string,
  { file, ...options }: { readonly file?: string } & CheckOptions = {},
): CheckedStackFile {
  const { source, problems } = sourceFromFile(project, name, file);
  return source ? { ...checkLockedStack(project, source, options), source } : { problems };
}

/**
 * The images that a lock of the stack names, as the components name them, before mirrors. Not among them: images that have a
 * digest already, and the one the stack builds, whose tag is a hash of its content. What that one starts from is among them.
 */
export function imagesToLock(stack: Stack): string[] {
  const { settings } = stack;
  const named = { ...stack, imageDigests: undefined, settings: { ...settings, images: undefined } };
  const base = unlockedBase(named);
  const run = stackImages(stackPlans(named))
    .filter(({ repository, digest }) => digest === undefined && repository !== settings.siteWebhook?.repository)
    .map(({ image }) => image);
  return [...new Set([...run, ...(base === undefined ? [] : [base])])];
}

/**
 * What is to be said of a stack in production before it builds an image from a tag, which can be other content each time.
 * The settings are right without a lock, so only who builds is told, and `validate` is not.
 */
export function buildProblems(stack: Stack, stackFile: string): Problem[] {
  const base = unlockedBase(stack);
  if (base === undefined || stack.settings.profile !== "production") return [];
  const message = `The image of hearth's own services starts from ${base}, whose content can change. A rebuild under the same tag would not roll out.`;
  const remedy = `Name a file in hearth:images.lock and write it: ${lockCommand(stackFile)}. Or name the base by its digest in hearth:siteWebhook.baseImage.`;
  return [warning("unlocked-base", "siteWebhook.baseImage", message, remedy)];
}

/** The base of the image that the stack builds, where it has no digest. */
function unlockedBase(stack: Stack): string | undefined {
  const base = sharedOf(stack).serviceImage.built?.build.baseImage;
  return base !== undefined && parseImage(base)?.digest === undefined ? base : undefined;
}
