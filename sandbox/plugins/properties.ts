/**
 * Pulumi property values on the wire: a protobuf Struct whose strings and objects may be markers (unknown value,
 * secret, output, resource reference). Source of the signatures: `sdk/go/common/resource/sig` and `plugin/rpc.go` of
 * pulumi/pulumi.
 */
import structPb from "google-protobuf/google/protobuf/struct_pb.js";

/**
 * A resource's or provider's properties as plain JavaScript. Values are JSON, {@link UNKNOWN}, or, in answers, {@link
 * Secret}.
 */
export type Properties = { [key: string]: unknown };

/** A value that is not known before the resource it comes from exists; only in previews. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** Marks a value in an answer as secret: the engine encrypts it in the state and masks it in its output. */
export class Secret {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT_SIGNATURE = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const RESOURCE_SIGNATURE = "5cf8f73096256a8f31e491e813e4eb8e";

const UNKNOWN_STRING = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const UNKNOWN_MARKERS = new Set([
  UNKNOWN_STRING,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/**
 * The properties of a request. Secrets and outputs come as their bare values (the engine remembers which inputs were
 * secret and marks the same outputs), unknown values as {@link UNKNOWN}, references to resources as their id, assets as
 * sent.
 */
export function decodeProperties(struct: structPb.Struct | undefined): Properties {
  return struct === undefined ? {} : decodeObject(struct.toJavaScript());
}

/** The properties of an answer as the engine reads them; keys whose value is `undefined` are left out. */
export function encodeProperties(properties: Properties): structPb.Struct {
  return structPb.Struct.fromJavaScript(
    encodeObject(properties) as Parameters<typeof structPb.Struct.fromJavaScript>[0],
  );
}

/** Whether {@link UNKNOWN} is anywhere in the value. */
export function containsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (value instanceof Secret) return containsUnknown(value.value);
  if (Array.isArray(value)) return value.some(containsUnknown);
  return isObject(value) && Object.values(value).some(containsUnknown);
}

/** Whether the value is an object with keys: neither null, nor an array, nor a {@link Secret}. */
export function isObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}

function decodeObject(object: Properties): Properties {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, decode(value)]));
}

function decode(value: unknown): unknown {
  if (typeof value === "string") return UNKNOWN_MARKERS.has(value) ? UNKNOWN : value;
  if (Array.isArray(value)) return value.map(decode);
  if (!isObject(value)) return value;
  switch (value[SIGNATURE_KEY]) {
    case SECRET_SIGNATURE:
      return decode(value.value);
    case OUTPUT_SIGNATURE:
      return "value" in value ? decode(value.value) : UNKNOWN;
    case RESOURCE_SIGNATURE:
      return decode(value.id ?? value.urn);
    default:
      return decodeObject(value);
  }
}

function encodeObject(object: Properties): Properties {
  const known = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([key, value]) => [key, encode(value)]));
}

function encode(value: unknown): unknown {
  if (value === UNKNOWN) return UNKNOWN_STRING;
  if (value instanceof Secret) return { [SIGNATURE_KEY]: SECRET_SIGNATURE, value: encode(value.value) };
  if (Array.isArray(value)) return value.map((element) => (element === undefined ? null : encode(element)));
  return isObject(value) ? encodeObject(value) : value;
}
