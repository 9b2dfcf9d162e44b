import { isIP } from "node:net";
import { parseDuration } from "./durations.ts";
import { formatPath } from "./paths.ts";
import { error, type Problem, shown } from "./problems.ts";

/** Rules on what Kubernetes itself would refuse: names of objects, labels, taints. Sources: its API conventions. */

const namePart = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const subdomain = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** The name of an object: a DNS subdomain. */
export function objectName(path: string, value: string | undefined): Problem[] {
  if (value === undefined || (subdomain.test(value) && !/\.\.|\.-|-\./.test(value))) return [];
  return [
    error(
      "object-name",
      path,
      `${shown(value)} is not the name of a Kubernetes object.`,
      "Use lower-case letters, digits, dashes and dots, with a letter or digit first and last, 253 characters at most.",
    ),
  ];
}

/** Names of objects. */
export function objectNames(path: string, values: readonly string[] | undefined): Problem[] {
  return (values ?? []).flatMap((value, index) => objectName(`${path}[${index}]`, value));
}

/** The key of a label, an annotation or a taint: an optional domain and a slash, then a name. */
export function qualifiedName(path: string, value: string | undefined): Problem[] {
  if (value === undefined) return [];
  const [name = "", prefix, ...more] = value.split("/").reverse();
  if (more.length === 0 && namePart.test(name) && (prefix === undefined || subdomain.test(prefix))) return [];
  return [
    error(
      "label-key",
      path,
      `${shown(value)} is not the key of a label.`,
      "Write it like topology.kubernetes.io/zone: letters, digits, dashes, underscores and dots, 63 at most after the slash.",
    ),
  ];
}

/** The value of a label. */
export function labelValue(path: string, value: string | undefined): Problem[] {
  if (value === undefined || value === "" || namePart.test(value)) return [];
  return [
    error(
      "label-value",
      path,
      `${shown(value)} is not the value of a label.`,
      "Use 63 letters, digits, dashes, underscores and dots at most, with a letter or digit first and last.",
    ),
  ];
}

/** Labels, by their keys. */
export function labels(path: string, values: Readonly<Record<string, string>> | undefined): Problem[] {
  return Object.entries(values ?? {}).flatMap(([key, value]) => [
    ...qualifiedName(at(path, key), key),
    ...labelValue(at(path, key), value),
  ]);
}

/** Annotations: keys as of labels, any value. */
export function annotations(path: string, values: Readonly<Record<string, string>> | undefined): Problem[] {
  return Object.keys(values ?? {}).flatMap((key) => qualifiedName(at(path, key), key));
}

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** What the API server refuses of a toleration beyond its types. */
export function toleration(path: string, value: Toleration | undefined): Problem[] {
  const { key, operator = "Equal", value: taint, effect, tolerationSeconds } = value ?? {};
  const wrong = (field: string, message: string, remedy: string) => [
    error("toleration", `${path}.${field}`, message, remedy),
  ];
  return [
    ...qualifiedName(`${path}.key`, key),
    ...(key === undefined && operator !== "Exists"
      ? wrong("operator", "A toleration without a key has to match every taint.", "Write operator: Exists.")
      : []),
    ...(operator === "Exists" && taint !== undefined
      ? wrong("value", "A toleration with operator Exists has no value.", "Leave the value out, or write Equal.")
      : []),
    ...(operator === "Equal" ? labelValue(`${path}.value`, taint) : []),
    ...(tolerationSeconds !== undefined && effect !== "NoExecute"
      ? wrong(
          "tolerationSeconds",
          "Only a taint with effect NoExecute makes pods leave.",
          "Write effect: NoExecute, or leave the seconds out.",
        )
      : []),
  ];
}

/** A range of addresses, e.g. `10.0.0.0/8`. */
export function cidr(path: string, value: string | undefined): Problem[] {
  if (value === undefined) return [];
  const [address = "", bits = "", ...more] = value.split("/");
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most) return [];
  return [error("cidr", path, `${shown(value)} is not a range of addresses.`, "Write it like 10.0.0.0/8 or fd00::/8.")];
}

/** Ranges of addresses. */
export function cidrs(path: string, values: readonly string[] | undefined): Problem[] {
  return (values ?? []).flatMap((value, index) => cidr(`${path}[${index}]`, value));
}

/** A Go duration above zero. */
export function duration(path: string, value: string | undefined): Problem[] {
  if (value === undefined || (parseDuration(value) ?? 0) > 0) return [];
  return [error("duration", path, `${shown(value)} is not a duration above zero.`, "Write it like 1h0m0s or 30m.")];
}

/** The start of an image's name, or all of it without tag: what a mirror takes the place of. */
export function imagePrefix(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?::\d{1,5})?(?:\/[a-z0-9._-]+)*$/.test(value))
    return [];
  return [
    error(
      "image-prefix",
      path,
      `${shown(value)} is not a registry or the start of an image's name.`,
      "Write it like registry.example.org/dockerhub, in lower case, without scheme, tag and final slash.",
    ),
  ];
}

/** Mirrors: the start of an image's name → what takes its place. */
export function mirrors(path: string, values: Readonly<Record<string, string>> | undefined): Problem[] {
  return Object.entries(values ?? {}).flatMap(([from, to]) => [
    ...imagePrefix(at(path, from), from),
    ...imagePrefix(at(path, from), to),
  ]);
}

/** Path of a key that may hold dots. */
const at = (path: string, key: string) => {
  const below = formatPath([key]);
  return below.startsWith("[") ? `${path}${below}` : `${path}.${below}`;
};
