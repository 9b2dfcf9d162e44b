/** Check: names, namespaces, and what can be refused before anything is compared. */
import { createHash } from "node:crypto";
import { type CheckRequest, type CheckResult, isObject, type Properties, UNKNOWN } from "../grpc.ts";
import { normalize } from "./normalize.ts";
import { annotation, isAnnotated, objectOf, propertiesOf } from "./objects.ts";
import { isNamespaced } from "./scopes.ts";
import type { Session } from "./session.ts";
import { markSecretData } from "./state.ts";

/** Set on objects whose name Pulumi chose. */
const AUTONAMED = "pulumi.com/autonamed";

/** Kinds of the SDK that the stand-in does not do, and what to take instead. */
const OTHER_MODULES = ["helm.sh/", "yaml:", "yaml/", "kustomize:", "kustomize/"];

/**
 * Whether a resource only manages some fields of an object that belongs to another: its type is its kind with `Patch`
 * at the end.
 */
export function isPatch(type: string, kind: unknown): boolean {
  return type.endsWith(`:${kind}Patch`);
}

/**
 * The inputs to keep: with a name (chosen, recorded, or the logical name and 8 hex digits) and, for kinds that have
 * one, a namespace.
 * @throws Error for a kind that the stand-in does not do
 */
export async function check(session: Session, request: CheckRequest): Promise<CheckResult> {
  const [, module = "", kind = ""] = request.type.split(":");
  if (OTHER_MODULES.some((other) => `${module}:`.startsWith(other))) {
    throw new Error(
      `the stand-in for the kubernetes provider does not do ${request.type}; declare the objects one by one`,
    );
  }
  const inputs = propertiesOf(objectOf(normalize(request.news)));
  if (typeof inputs.apiVersion !== "string" || typeof inputs.kind !== "string") {
    return {
      inputs,
      failures: [{ property: inputs.kind ? "apiVersion" : "kind", reason: "apiVersion and kind must be known text" }],
    };
  }
  if (kind.endsWith("List") && inputs.kind.endsWith("List")) {
    throw new Error(
      "list resources exist for compatibility with YAML manifests and Helm charts, and cannot be created directly. " +
        "Use the underlying resource type instead",
    );
  }
  if (inputs.metadata === UNKNOWN) return { inputs };
  const metadata = isObject(inputs.metadata) ? { ...inputs.metadata } : {};
  if (!metadata.name) {
    if (isPatch(request.type, inputs.kind))
      throw new Error("patch resources require the `.metadata.name` field to be set");
    if (metadata.generateName) {
      throw new Error("the `.metadata.generateName` field is not supported in Server-Side Apply mode");
    }
    metadata.name = autoname(request);
    if (metadata.annotations !== UNKNOWN)
      metadata.annotations = { ...(metadata.annotations ?? {}), [AUTONAMED]: "true" };
  }
  if (!metadata.namespace && (await isNamespaced(session, inputs.apiVersion, inputs.kind))) {
    metadata.namespace = session.namespace;
  }
  const checked = markSecretData({ ...inputs, metadata });
  return { inputs: checked, failures: await waitForFailures(checked) };
}

/** A wrong annotation is found before the object is made, not when it is waited for. */
async function waitForFailures(inputs: Properties): Promise<CheckResult["failures"]> {
  const waitFor = annotation(inputs, "pulumi.com/waitFor");
  if (!waitFor) return [];
  const { parseWaitFor } = await import("./await/wait-for.ts");
  try {
    parseWaitFor(waitFor);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ property: 'metadata.annotations["pulumi.com/waitFor"]', reason }];
  }
}

function autoname({ name, olds, randomSeed }: CheckRequest): string {
  const recorded = olds && isAnnotated(olds, AUTONAMED) && isObject(olds.metadata) ? olds.metadata.name : undefined;
  if (typeof recorded === "string") return recorded;
  const random = createHash("sha256").update(name).update(randomSeed).digest("hex").slice(0, 8);
  return `${name}-${random}`;
}

/** Whether Pulumi chose the object's name. */
export function isAutonamed(inputs: Properties): boolean {
  return annotation(inputs, AUTONAMED) === "true";
}
