import type { Fixture } from "../support/fixtures.ts";
import { resource } from "../support/fixtures.ts";
import { replaced } from "../support/trees.ts";

export type Tree = Record<string, unknown>;
type KubernetesObject = Parameters<typeof resource>[0];

/** An object that somebody's list calls a mistake, and what is said of it here. */
export interface Row {
  /** The mistake in a few words, and where a list calls it one: the Pod Security Standards (PSS), Kyverno's or Polaris' catalogue, Kubernetes' own guides, an operator's. */
  readonly what: string;
  readonly fixture: Fixture;
  /** Policies that report it, one of them at least; or why it may pass. */
  readonly expected: readonly string[] | { readonly passes: string };
}

/** A row of one object. */
export function row(what: string, object: object, ...expected: string[]): Row {
  return { what, fixture: { resources: [resource(object as KubernetesObject)] }, expected };
}

/** A row of one object that may pass. */
export function passing(what: string, object: object, passes: string): Row {
  return { what, fixture: { resources: [resource(object as KubernetesObject)] }, expected: { passes } };
}

/** An object of a kind. */
export function object(apiVersion: string, kind: string, content: Tree = {}, metadata: Tree = {}): Tree {
  const scope = kind.startsWith("Cluster") && apiVersion.startsWith("rbac") ? {} : { namespace: "team" };
  return { apiVersion, kind, metadata: { name: "example", ...scope, ...metadata }, ...content };
}

/** `tree` with other values at paths; undefined removes one. */
export function withValues(tree: Tree, values: Readonly<Record<string, unknown>>): Tree {
  return Object.entries(values).reduce((result, [path, value]) => replaced(result, path, value) as Tree, tree);
}
