/** Extra content of a resource's recorded state, besides the live object. */
import { randomBytes } from "node:crypto";
import type { KubernetesObject } from "../../kubernetes/objects.ts";
import { isObject, type Properties, Secret } from "../grpc.ts";
import { annotation, omit, propertiesOf } from "./objects.ts";

const FIELD_MANAGER = "__fieldManager";
const INITIAL_API_VERSION = "__initialApiVersion";
const INPUTS = "__inputs";

/**
 * The manager that creates are recorded under, as one that updates (not applies): the official provider's name for it.
 */
export const CREATE_MANAGER = "pulumi-kubernetes";

/**
 * The state to record: the live object without the server's book-keeping of field owners, and the marks the official
 * provider keeps there: what was sent above all, for it compares with nothing else. A Secret's values are secret; other values are when the engine finds the input of the same
 * place to be.
 */
export function stateOf(
  live: KubernetesObject,
  inputs: Properties,
  fieldManager: string,
  initialApiVersion = live.apiVersion,
): Properties {
  const { metadata } = live;
  return {
    ...markSecretData({ ...propertiesOf(live), metadata: omit(metadata, ["managedFields"]) }),
    [INPUTS]: markSecretData(propertiesOf(inputs as KubernetesObject)),
    [INITIAL_API_VERSION]: initialApiVersion,
    [FIELD_MANAGER]: fieldManager,
  };
}

/** The live object in a recorded state. */
export function liveOf(state: Properties): Properties {
  return omit(state, [FIELD_MANAGER, INITIAL_API_VERSION, INPUTS]);
}

/** What the object was last sent. A state without it has none, as the official provider sees it: everything differs then. */
export function sentOf(state: Properties): Properties {
  const inputs = state[INPUTS];
  return isObject(inputs) ? inputs : {};
}

/** The version of the API that the object was created with, if it is recorded. */
export function initialApiVersion(state: Properties): string | undefined {
  const version = state[INITIAL_API_VERSION];
  return typeof version === "string" ? version : undefined;
}

/** The field manager of a resource: from its `pulumi.com/patchFieldManager` annotation, its state, or newly made. */
export function fieldManagerOf(inputs: Properties, state: Properties = {}): string {
  const recorded = state[FIELD_MANAGER];
  return (
    annotation(inputs, "pulumi.com/patchFieldManager") ??
    (typeof recorded === "string" ? recorded : `${CREATE_MANAGER}-${randomBytes(4).toString("hex")}`)
  );
}

/** Marks the values of a Secret. */
export function markSecretData(object: Properties): Properties {
  if (object.kind !== "Secret" || object.apiVersion !== "v1") return object;
  const mark = (value: unknown) => (isObject(value) ? new Secret(value) : value);
  return {
    ...object,
    ...("data" in object && { data: mark(object.data) }),
    ...("stringData" in object && { stringData: mark(object.stringData) }),
  };
}
