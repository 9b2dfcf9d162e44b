/**
 * Property paths in Pulumi's notation: `spec.ports[0].name`, `metadata.annotations["a/b"]`, `*` for any key or element.
 */

/** A path's keys and indexes. */
export type Path = readonly (string | number)[];

/** Writes a path. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    if (/[."[\]]/.test(part)) return `${text}["${part.replaceAll('"', '\\"')}"]`;
    return text ? `${text}.${part}` : part;
  }, "");
}

/** Reads a path; `[*]` and `*` come as `"*"`. */
export function parsePath(text: string): Path {
  const parts = text.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\[(\*)\]|([^.[\]]+)/g);
  return [...parts].map(([, quoted, index, any, key]) =>
    index === undefined ? (quoted?.replaceAll('\\"', '"') ?? any ?? key ?? "") : Number(index),
  );
}

/** Whether `pattern` names `path` or something around it. */
export function contains(pattern: Path, path: Path): boolean {
  return pattern.length <= path.length && overlaps(pattern, path);
}

/** Whether the two agree as far as the shorter one goes. */
export function overlaps(pattern: Path, path: Path): boolean {
  const length = Math.min(pattern.length, path.length);
  return pattern.slice(0, length).every((part, index) => part === "*" || part === path[index]);
}
