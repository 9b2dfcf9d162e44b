/** Keys and indices from the root of a document to a value. */
export type Path = readonly (string | number)[];

/** `["s3", "buckets", 0]` → `s3.buckets[0]`; a key that is no plain word is quoted: `mirrors["docker.io"]`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    if (!/^[\p{L}\p{N}_-]+$/u.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}

/** The path that `formatPath` wrote. */
export function parsePath(text: string): Path {
  return [...text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)].map(([, index, quoted, word]) =>
    index !== undefined ? Number(index) : quoted !== undefined ? String(JSON.parse(quoted)) : (word ?? ""),
  );
}

/** Path of what stands below `key`, which may hold dots, of the block at `path`. */
export function below(path: string, key: string): string {
  const last = formatPath([key]);
  return last.startsWith("[") ? `${path}${last}` : `${path}.${last}`;
}

/** True where `path` is `ancestor` or lies inside it. */
export function isWithin(path: string, ancestor: string): boolean {
  return path === ancestor || (path.startsWith(ancestor) && /[.[]/.test(path.charAt(ancestor.length)));
}
