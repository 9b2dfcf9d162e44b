import { isDigest, parseImage } from "@hearth-platform/hearth/core/image-reference";
import { formatPath } from "@hearth-platform/hearth/core/paths";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { type LocatedProblem, located } from "./located.ts";
import { readBounded } from "./read-file.ts";
import { readYaml } from "./yaml-file.ts";

/** A lock file as far as it could be read. */
export interface ImageLock {
  /** Image as the components name it, before mirrors, to its digest. Absent where the file has a problem. */
  readonly digests?: Record<string, string>;
  /** The problem of the setting that names the file. */
  readonly unreadable?: Problem;
  /** Of the file itself. */
  readonly problems: LocatedProblem[];
}

/** The command that writes the lock of the stack whose file is `Pulumi.<stack>.yaml`. */
export function lockCommand(stackFile: string): string {
  return `./hearth images lock --stack ${stackFile.slice("Pulumi.".length, -".yaml".length)}`;
}

/**
 * Reads the file of `hearth:images.lock`.
 * @param project folder that `file` is relative to
 * @param stackFile of the stack whose lock it is
 */
export function readImageLock(project: string, file: string, stackFile: string): ImageLock {
  const content = readBounded(project, file, "images.lock", `Write it with \`${lockCommand(stackFile)}\`.`);
  if (!(content instanceof Uint8Array)) return { unreadable: content, problems: [] };
  // JSON is YAML too, and this reader tells where a problem is.
  const { yaml, problems } = readYaml(file, content);
  if (!yaml) return { problems };
  const entries = Object.entries(yaml.value as Record<string, unknown>);
  const wrong = located(
    entries.flatMap(([image, digest]) => entryProblems(image, digest, stackFile)),
    yaml,
  );
  return wrong.length > 0 ? { problems: wrong } : { digests: Object.fromEntries(entries) as never, problems: [] };
}

function entryProblems(image: string, digest: unknown, stackFile: string): Problem[] {
  const path = formatPath([image]);
  const remedy = `Don't write the lock by hand: ${lockCommand(stackFile)}`;
  const { tag, digest: locked } = parseImage(image) ?? {};
  return [
    ...(tag !== undefined && locked === undefined
      ? []
      : [error("image", path, "The value is not an image with a tag, such as docker.io/library/node:24.", remedy)]),
    ...(typeof digest === "string" && isDigest(digest)
      ? []
      : [error("digest", path, "The value is not a digest: sha256: and 64 hexadecimal digits.", remedy)]),
  ];
}
