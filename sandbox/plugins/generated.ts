/**
 * Resources that are made in the provider itself, once, and live in the stack's state alone: passwords, keys, certificates.
 * A table of {@link GeneratedResource} becomes a provider: defaults, checks, differences, previews and secrets are the
 * same for all of them.
 */
import { isDeepStrictEqual } from "node:util";
import {
  type CheckRequest,
  type CheckResult,
  containsUnknown,
  type DiffRequest,
  type DiffResult,
  isObject,
  type Properties,
  type PropertyDifference,
  type ProviderImplementation,
  Secret,
  UNKNOWN,
} from "./grpc.ts";

/** One input property. */
export interface InputRule {
  readonly type: "string" | "number" | "boolean" | "array" | "object";
  /** @default false */
  readonly required?: boolean;
  /** The value when the program gives none. @default none */
  readonly default?: unknown;
  /** A change is an update in place rather than a replacement. @default false */
  readonly updatable?: boolean;
  /** The value is always secret in the state. @default false */
  readonly secret?: boolean;
}

/** One resource type. Functions get inputs with their defaults applied, all known. */
export interface GeneratedResource {
  readonly inputs: Record<string, InputRule>;
  /** Names of the outputs that are not inputs: unknown in the preview that creates them. */
  readonly outputs: readonly string[];
  /** The outputs among them that are secret. @default none */
  readonly secretOutputs?: readonly string[];
  /** Every problem of the inputs that their types can't express; inputs that are not known yet are absent. */
  validate?(inputs: Properties): NonNullable<CheckResult["failures"]>;
  generate(inputs: Properties): Promise<{ id: string; outputs: Properties }>;
  /** Inputs and outputs of what `pulumi import` names. @default the type can't be imported */
  import?(id: string): Promise<{ inputs: Properties; outputs: Properties }>;
  /** The outputs that differ now from those recorded, for `refresh`, and for a change of `updatable` inputs. @default none */
  recompute?(state: Properties): Properties;
  /** Properties whose recorded values call for a replacement, whatever the inputs say. @default none */
  outdated?(state: Properties): string[];
}

/** A provider of these resources, by their full type tokens. */
export function generatedProvider(
  provider: { name: string; version: string },
  resources: Record<string, GeneratedResource>,
): ProviderImplementation {
  const find = (type: string): GeneratedResource => {
    const found = Object.hasOwn(resources, type) ? resources[type] : undefined;
    if (found) return found;
    const known = Object.keys(resources).join(", ");
    throw new Error(`The sandbox's stand-in for the ${provider.name} provider has no ${type}; it has ${known}.`);
  };
  return {
    ...provider,
    check: async (request) => checkInputs(find(request.type), request),
    diff: async (request) => difference(find(request.type), request),
    create: async ({ type, inputs, preview }) => {
      const resource = find(type);
      const complete = withDefaults(resource, inputs);
      if (preview) {
        const unknown = Object.fromEntries(resource.outputs.map((name) => [name, UNKNOWN]));
        return { id: "", state: stateOf(resource, complete, unknown) };
      }
      const { id, outputs } = await resource.generate(complete);
      return { id, state: stateOf(resource, complete, outputs) };
    },
    update: async ({ type, oldState, news }) => {
      const resource = find(type);
      const outputs = resource.outputs.map((name) => [name, oldState[name]]);
      const state = { ...Object.fromEntries(outputs), ...withDefaults(resource, news) };
      return stateOf(resource, state, resource.recompute?.(state) ?? {});
    },
    read: async ({ type, id, inputs, state }) => {
      const resource = find(type);
      if (Object.keys(state).length > 0)
        return { id, inputs, state: stateOf(resource, state, resource.recompute?.(state) ?? {}) };
      if (!resource.import)
        throw new Error(
          `${type} can't be imported: the sandbox's stand-in for the ${provider.name} provider does not do it.`,
        );
      const imported = await resource.import(id);
      const complete = withDefaults(resource, imported.inputs);
      return { id, inputs: imported.inputs, state: stateOf(resource, complete, imported.outputs) };
    },
  };
}

function withDefaults({ inputs }: GeneratedResource, given: Properties): Properties {
  const complete = Object.entries(inputs).map(([name, rule]) => [name, given[name] ?? rule.default]);
  return Object.fromEntries(complete.filter(([, value]) => value !== undefined));
}

function stateOf(
  { inputs, secretOutputs = [] }: GeneratedResource,
  state: Properties,
  outputs: Properties,
): Properties {
  const entries = Object.entries({ ...state, ...outputs }).map(([name, value]) => {
    const secret = secretOutputs.includes(name) || (Object.hasOwn(inputs, name) && inputs[name]?.secret);
    return [name, secret && value !== undefined && value !== null ? new Secret(value) : value];
  });
  return Object.fromEntries(entries);
}

function checkInputs(resource: GeneratedResource, { news }: CheckRequest): CheckResult {
  const failures: NonNullable<CheckResult["failures"]> = [];
  for (const property of Object.keys(news)) {
    if (!Object.hasOwn(resource.inputs, property) && !property.startsWith("__"))
      failures.push({ property, reason: "the sandbox's stand-in for this type does not do it" });
  }
  for (const [property, { type, required }] of Object.entries(resource.inputs)) {
    const value = news[property];
    if (value === undefined || value === null) {
      if (required) failures.push({ property, reason: `Missing required property '${property}'` });
    } else if (value !== UNKNOWN && typeOf(value) !== type)
      failures.push({ property, reason: `expected ${type}, got ${typeOf(value)}` });
  }
  if (failures.length > 0 || !resource.validate) return { inputs: news, failures };
  const known = Object.entries(withDefaults(resource, news)).filter(([, value]) => !containsUnknown(value));
  return { inputs: news, failures: resource.validate(Object.fromEntries(known)) };
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return isObject(value) ? "object" : typeof value;
}

function difference(resource: GeneratedResource, { oldState, news }: DiffRequest): DiffResult {
  const complete = withDefaults(resource, news);
  const detailed: Record<string, PropertyDifference> = {};
  for (const [name, { updatable, default: preset }] of Object.entries(resource.inputs)) {
    const [before, after] = [oldState[name] ?? preset, complete[name]];
    if (isDeepStrictEqual(before, after)) continue;
    const kind = before === undefined ? "add" : after === undefined ? "delete" : "update";
    detailed[name] = { kind, replace: !updatable, inputDiff: true };
  }
  for (const name of resource.outdated?.({ ...oldState, ...complete }) ?? [])
    detailed[name] = { kind: "update", replace: true };
  const replaces = Object.keys(detailed).filter((name) => detailed[name]?.replace);
  return { changes: Object.keys(detailed).length > 0, replaces, detailed };
}
