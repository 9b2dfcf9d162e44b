import { error, type Fault, shown } from "@hearth-platform/hearth/core/faults";
import { type LocatedFault, located } from "./located.ts";
import { formatPath } from "./paths.ts";
import { readBounded } from "./read-file.ts";
import { readYaml } from "./yaml-file.ts";

/** A digest as registries name an image's content. */
export const digestForm = /^sha256:[0-9a-f]{64}$/;

/** An image by a tag: an optional registry, a path and the tag, in the words of the OCI distribution specification. */
const taggedImage = /^(?:[\w.-]+(?::\d+)?\/)?[a-z\d]+(?:[._/-]+[a-z\d]+)*:\w[\w.-]{0,127}$/;

/** A lock file as far as it could be read. */
export interface ImageLock {
  /** Image as the components name it, before mirrors, to its digest. Absent where the file has a fault. */
  readonly digests?: Record<string, string>;
  /** The fault of the setting that names the file. */
  readonly unreadable?: Fault;
  /** Of the file itself. */
  readonly faults: LocatedFault[];
}

/** The command that writes the lock of the stack whose file is `Pulumi.<stack>.yaml`. */
export function lockCommand(stackFile: string): string {
  return `npm run images -- lock --stack ${stackFile.slice("Pulumi.".length, -".yaml".length)}`;
}

/**
 * Reads the file of `hearth:images.lock`.
 * @param project folder that `file` is relative to
 * @param stackFile of the stack whose lock it is
 */
export function readImageLock(project: string, file: string, stackFile: string): ImageLock {
  const content = readBounded(project, file, "images.lock", `Write it: ${lockCommand(stackFile)}`);
  if (!(content instanceof Uint8Array)) return { unreadable: content, faults: [] };
  // JSON is YAML too, and this reader tells where a fault is.
  const { yaml, faults } = readYaml(file, content);
  if (!yaml) return { faults };
  const entries = Object.entries(yaml.value as Record<string, unknown>);
  const wrong = located(
    entries.flatMap(([image, digest]) => entryFaults(image, digest, stackFile)),
    yaml,
  );
  return wrong.length > 0 ? { faults: wrong } : { digests: Object.fromEntries(entries) as never, faults: [] };
}

function entryFaults(image: string, digest: unknown, stackFile: string): Fault[] {
  const path = formatPath([image]);
  const remedy = `Don't write the lock by hand: ${lockCommand(stackFile)}`;
  return [
    ...(taggedImage.test(image)
      ? []
      : [error("image", path, `${shown(image)} is no image with a tag, such as docker.io/library/node:24.`, remedy)]),
    ...(typeof digest === "string" && digestForm.test(digest)
      ? []
      : [error("digest", path, `${shown(digest)} is no digest: sha256: and 64 hexadecimal digits.`, remedy)]),
  ];
}
