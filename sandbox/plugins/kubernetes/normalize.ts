/**
 * Inputs in the form that the API server keeps them in, so that what means the same is no difference. The official
 * provider passes Kubernetes' own kinds through their typed form for that; here it is done for what differs in
 * practice.
 */

import { canonicalQuantity } from "@hearth-platform/hearth/core/quantities";
import { containsUnknown, isObject, type Properties } from "../grpc.ts";
import { omit, valueAt } from "./objects.ts";
import { isBuiltIn } from "./scopes.ts";

/** Fields whose values are quantities by name, and fields that are a quantity. */
const QUANTITY_MAPS = ["requests", "limits", "hard", "capacity", "podFixed"];
const QUANTITIES = ["sizeLimit", "divisor", "averageValue"];

/**
 * A Secret's `stringData` becomes `data`, quantities become canonical, and a CustomResourceDefinition loses what the
 * server drops. Inputs with unknown values and custom resources stay as they are.
 */
export function normalize(inputs: Properties): Properties {
  if (containsUnknown(inputs) || typeof inputs.apiVersion !== "string" || !isBuiltIn(inputs.apiVersion)) return inputs;
  if (inputs.kind === "Secret") return normalizeSecret(inputs);
  if (inputs.kind === "CustomResourceDefinition") return normalizeDefinition(inputs);
  return "spec" in inputs ? { ...inputs, spec: canonical(inputs.spec) } : inputs;
}

function normalizeSecret(inputs: Properties): Properties {
  if (!isObject(inputs.stringData) || Object.keys(inputs.stringData).length === 0) return inputs;
  const encoded = Object.entries(inputs.stringData).map(([key, text]) => [
    key,
    Buffer.from(String(text)).toString("base64"),
  ]);
  const data = { ...(isObject(inputs.data) ? inputs.data : {}), ...Object.fromEntries(encoded) };
  return { ...omit(inputs, ["stringData"]), data };
}

function normalizeDefinition(inputs: Properties): Properties {
  const definition = omit(inputs, ["status"]);
  if (!isObject(definition.spec) || valueAt(definition, ["spec", "preserveUnknownFields"]) !== false) return definition;
  return { ...definition, spec: omit(definition.spec, ["preserveUnknownFields"]) };
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (QUANTITIES.includes(key)) return [key, quantity(inner)];
      if (!QUANTITY_MAPS.includes(key) || !isObject(inner)) return [key, canonical(inner)];
      return [key, Object.fromEntries(Object.entries(inner).map(([name, amount]) => [name, quantity(amount)]))];
    }),
  );
}

function quantity(value: unknown): unknown {
  return typeof value === "string" || typeof value === "number" ? canonicalQuantity(String(value)) : value;
}
