import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RawResource } from "@hearth-platform/policy/core/resource";
import { type StackFacts, strictest } from "@hearth-platform/policy/core/stack-facts";

/** Resources of a stack, and what a policy is to say of them. */
export interface Fixture {
  readonly resources: readonly RawResource[];
  /** The policy's configuration. @default none */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What is known of the stack. @default production, loads unknown */
  readonly stack?: Partial<StackFacts>;
  /** Of a good one: values of the first resource's fields that are one step too far, by path, e.g. `{"spec.instances": [1, 3]}`. */
  readonly over?: Readonly<Record<string, readonly unknown[]>>;
  /** Of a bad one: it is only advised against. @default false */
  readonly advice?: boolean;
  /** Of a good one without `over`: why no field of it can be too far. */
  readonly notJudged?: string;
}

/** The fixtures of a policy: by a few words that say what is right or wrong with them. */
export interface PolicyFixtures {
  readonly good: Readonly<Record<string, Fixture>>;
  readonly bad: Readonly<Record<string, Fixture>>;
}

type Options = Omit<Fixture, "resources">;
type KubernetesObject = {
  apiVersion: string;
  kind: string;
  metadata?: object & { name?: string; namespace?: string; labels?: object; annotations?: object };
};

/** Fixture of one raw Kubernetes object. */
export function object(content: KubernetesObject & Record<string, unknown>, options: Options = {}): Fixture {
  return { resources: [resource(content)], ...options };
}

/** Fixture of one component with its arguments. */
export function component(type: string, args: Record<string, unknown>, options: Options = {}): Fixture {
  return { resources: [componentResource(type, args)], ...options };
}

/** A Kubernetes object as Pulumi registers it. @param parent component it is in */
export function resource(
  content: KubernetesObject & Record<string, unknown>,
  options: { parent?: RawResource; protect?: boolean } = {},
): RawResource {
  const { apiVersion, kind, metadata } = content;
  const type = `kubernetes:${apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`}:${kind}`;
  return place(type, `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`, content, options);
}

/** A component as Pulumi registers it, e.g. `componentResource("CloudSuite", { replicas: … })`. */
export function componentResource(type: string, args: Record<string, unknown>, name = "example"): RawResource {
  return place(`hearth:index:${type}`, name, args, {});
}

/** Any resource as Pulumi registers it, by its type token. */
export function place(
  type: string,
  name: string,
  props: unknown,
  { parent, protect }: { parent?: RawResource; protect?: boolean } = {},
): RawResource {
  const types = parent ? `${parent.urn.split("::")[2]}$${type}` : type;
  return { type, urn: `urn:pulumi:test::hearth::${types}::${name}`, props, parent: parent?.urn, protect };
}

/** What is known of the stack in a fixture. */
export function factsOf({ stack }: Fixture): StackFacts {
  return { ...strictest, ...stack };
}

/** All fixtures of a pack's policies (`limits`, `baseline`), by the policy's id, which is the file's name. */
export async function fixturesOf(pack: string): Promise<ReadonlyMap<string, PolicyFixtures>> {
  const folder = join(import.meta.dirname, "..", "fixtures", pack);
  const files = (existsSync(folder) ? readdirSync(folder) : []).filter((file) => file.endsWith(".ts"));
  const loaded = files.map(async (file) => {
    const { fixtures } = await import(join(folder, file));
    return [file.slice(0, -".ts".length), fixtures as PolicyFixtures] as const;
  });
  return new Map(await Promise.all(loaded));
}
