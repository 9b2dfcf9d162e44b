import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, matchesGlob, normalize } from "node:path";

/**
 * A hash of all that a build can see: the Dockerfile, and the path, mode and content of each file of the context that
 * .dockerignore leaves in. The official provider hashes the same things; its values differ.
 * @param dockerfile path of the Dockerfile, or its text when `inline`
 */
export function hashContext(context: string, dockerfile: { location: string } | { inline: string }): string {
  const hash = createHash("sha256");
  hash.update("inline" in dockerfile ? dockerfile.inline : readFileSync(dockerfile.location));
  const ignored = ignoreRules("location" in dockerfile ? dockerfile.location : undefined, context);
  for (const path of filesOf(context, "")) {
    if (ignored(path)) continue;
    const file = join(context, path);
    hash.update(`\0${path}\0${(statSync(file).mode & 0o777).toString(8)}\0`);
    hash.update(readFileSync(file));
  }
  return hash.digest("hex");
}

function* filesOf(root: string, folder: string): Generator<string> {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) yield* filesOf(root, path);
    else if (statSync(join(root, path), { throwIfNoEntry: false })?.isFile()) yield path;
  }
}

/** Whether a path is left out, by `<Dockerfile>.dockerignore` or the context's own: the last pattern that matches decides. */
function ignoreRules(dockerfile: string | undefined, context: string): (path: string) => boolean {
  const lines = [...(dockerfile ? [`${dockerfile}.dockerignore`] : []), join(context, ".dockerignore")]
    .map(linesOf)
    .find(Boolean);
  const rules = (lines ?? [])
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({
      keep: line.startsWith("!"),
      pattern: normalize(line.replace(/^!/, "")).replace(/^\/|\/$/g, ""),
    }));
  return (path) => {
    const parts = path.split("/");
    const parents = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
    const last = rules.findLast(({ pattern }) => parents.some((parent) => matchesGlob(parent, pattern)));
    return last !== undefined && !last.keep;
  };
}

function linesOf(file: string): string[] | undefined {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return undefined;
  }
}
