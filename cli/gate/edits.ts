import { isDeepStrictEqual } from "node:util";
import { formatPath, type Path, parsePath } from "@hearth-platform/hearth/core/paths";

/** A value of a resource that would be another one. */
export interface Edit {
  readonly path: string;
  /** As short text; absent where it was not there, is a block or a long text, or may be a secret. */
  readonly before?: string | undefined;
  readonly now?: string | undefined;
}

/** Inputs of a resource before and after, as the engine tells them: of a secret it says `[secret]`. */
export interface Inputs {
  readonly before: unknown;
  readonly now: unknown;
}

/** Most characters of a value that is shown. */
const mostCharacters = 60;

/** Each value that differs. @param paths where the engine says them; of a component it says none */
export function editsOf(inputs: Inputs, paths: readonly string[] | undefined, isSecret: boolean): Edit[] {
  const found = paths?.map(parsePath) ?? differing(inputs, []);
  return found.map((path) => ({
    path: formatPath(path),
    ...(isSecret ? {} : { before: shortText(valueAt(inputs.before, path)), now: shortText(valueAt(inputs.now, path)) }),
  }));
}

/** e.g. `replicas 1 → 2`, of a long text or a block its path alone. @param show how path and values are written */
export function editText({ path, before, now }: Edit, show: (text: string) => string = String): string {
  if (before === undefined && now === undefined) return show(path);
  return `${show(path)} ${before === undefined ? "" : `${show(before)} `}→ ${now === undefined ? "none" : show(now)}`;
}

/** Paths to the innermost values that differ. */
function differing({ before, now }: Inputs, path: Path): Path[] {
  if (isDeepStrictEqual(before, now)) return [];
  const [was, is] = [before ?? {}, now ?? {}];
  if (!isBlock(was) || !isBlock(is)) return [path];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const isList = Array.isArray(before ?? now);
  return keys.flatMap((key) => differing({ before: was[key], now: is[key] }, [...path, isList ? Number(key) : key]));
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((block, key) => (isBlock(block) ? block[key] : undefined), value);
}

function isBlock(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === "object" && value !== null;
}

function shortText(value: unknown): string | undefined {
  const text = ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
  return text === "" || text.length > mostCharacters || text.includes("\n") ? undefined : text;
}
