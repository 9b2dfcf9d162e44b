import type { RawResource } from "@hearth-platform/policy/core/resource";
import type { StackFacts } from "@hearth-platform/policy/core/stack-facts";
import { resource } from "../support/fixtures.ts";

export type Tree = Record<string, unknown>;

/** Objects that break a sentence of a policy's page, or keep it. */
export interface Case {
  readonly what: string;
  readonly resources: readonly RawResource[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly stack?: Partial<StackFacts>;
}

/** Cases of a policy in both directions. */
export interface Cases {
  readonly policy: string;
  readonly breaks: readonly Case[];
  readonly keeps: readonly Case[];
}

/** A case of these objects, each a tree with `apiVersion` and `kind`. */
export function caseOf(what: string, ...objects: object[]): Case {
  return { what, resources: objects.map((each) => resource(each as Parameters<typeof resource>[0])) };
}

/** An object with a name and a namespace. */
export function kubernetes(apiVersion: string, kind: string, content: Tree = {}, metadata: Tree = {}): Tree {
  return { apiVersion, kind, metadata: { name: "example", namespace: "team", ...metadata }, ...content };
}

/** Every pair of two tables, as one named row. */
export function crossed<A, B, C>(
  rows: Readonly<Record<string, A>>,
  columns: Readonly<Record<string, B>>,
  make: (row: A, column: B, what: string) => C,
): C[] {
  return Object.entries(rows).flatMap(([row, a]) =>
    Object.entries(columns).map(([column, b]) => make(a, b, `${row}: ${column}`)),
  );
}
