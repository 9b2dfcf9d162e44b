import { formatPath, type Path } from "./paths.ts";
import { error, type Problem } from "./problems.ts";

/** What is known only while resources are made: arguments are plain, since all of them are checked and planned before. */
const later = {
  output: {
    message: "Found an Output, whose value is known only while resources are made.",
    remedy:
      "Write a plain value: all of them are checked, and shown by the preview, before anything is made. " +
      "Take it from the configuration (`config.require`), or from another stack: `(await stack.getOutputDetails(name)).value`.",
  },
  promise: { message: "Found a Promise.", remedy: "Await it first, and write its value." },
  resource: { message: "Found a resource.", remedy: "Write the name that it is known by." },
} as const;

/** A value at its path that is not plain. */
interface Found {
  readonly path: Path;
  readonly kind: keyof typeof later;
}

/** The values of arguments that are not plain, at any depth. */
export function laterValues(value: unknown, path: Path = []): Found[] {
  const kind = kindOf(value);
  if (kind) return [{ path, kind }];
  if (Array.isArray(value)) return value.flatMap((item, index) => laterValues(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => laterValues(item, [...path, key]));
}

/** What is wrong with such a value. */
export function laterProblem({ path, kind }: Found): Problem {
  return error("not-plain", formatPath(path), later[kind].message, later[kind].remedy);
}

/** By the marks of Pulumi's SDK, which another copy of it sets, too. */
function kindOf(value: unknown): keyof typeof later | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const marks = value as { readonly __pulumiOutput?: unknown; readonly __pulumiResource?: unknown };
  if (marks.__pulumiOutput === true) return "output";
  if (marks.__pulumiResource === true) return "resource";
  return value instanceof Promise ? "promise" : undefined;
}
