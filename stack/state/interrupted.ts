import { type RecordedResource, recordedState } from "@hearth-platform/hearth/core/data-safety/recorded-state";
import * as pulumi from "@pulumi/pulumi";

/** How many objects a message names. */
const shown = 10;

/**
 * Refuses an update after one that was killed while it made objects: it would stop at each that exists, and name other
 * remedies. A preview warns.
 * @throws pulumi.RunError with the objects, and how the stack is healed
 */
export async function healFirst(): Promise<void> {
  const message = interruption((await recordedState())?.unrecorded ?? [], pulumi.getStack());
  if (message === undefined) return;
  if (!pulumi.runtime.isDryRun()) throw new pulumi.RunError(`Nothing was changed. ${message}`);
  await pulumi.log.warn(message);
}

/** What to do about creates that a killed update began; undefined where there are none. */
export function interruption(unrecorded: readonly RecordedResource[], stack: string): string | undefined {
  if (unrecorded.length === 0) return undefined;
  const more = unrecorded.length - shown;
  return [
    "An earlier update was interrupted while it made these objects. They may exist, but the state does not have them:",
    ...unrecorded.slice(0, shown).map(({ urn, type }) => `- ${type.split(":").at(-1)} ${urn.split("::").at(-1)}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    `Run \`./hearth heal --stack ${stack}\`: it takes those that exist into the state. Then run \`pulumi up\`.`,
  ].join("\n");
}
