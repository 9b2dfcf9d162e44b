import type { LimitsArgs } from "../core/limits-args.ts";
import { type SetLimit, suiteKind } from "./limit.ts";

/** The names that the specification knows, and what is known of a name: its own, or one that a stack adds. */

export const storageClasses = {
  /** Replicated block storage: single-writer, recommended. */
  replicatedBlock: "replicated-block",
  /** Network storage: multi-writer. */
  smb: "smb-csi",
} as const;

/** Location codes of the object store (specification, `s3.region`). */
export const locations = ["fsn1", "nbg1", "hel1"] as const;

/** Whether a class is the specification's. */
export function isOwnClass(name: string): boolean {
  return Object.values<string>(storageClasses).includes(name);
}

/** The entry of `hearth:limits.storageClasses` that adds a class, on one line. */
export function classEntry(name: string, { multiWriter, expandable }: Record<"multiWriter" | "expandable", boolean>) {
  return `[{name: ${name}, multiWriter: ${multiWriter}, expandable: ${expandable}, reason: <why>}]`;
}

/** A class that was added; undefined for the specification's own. */
export function widenedClass(name: string, widening: LimitsArgs | undefined) {
  return widening?.storageClasses?.find((each) => each.name === name);
}

/** Whether pods on several nodes can write one volume of a class; undefined for a class that nobody allows. */
export function hasManyWriters(name: string, widening: LimitsArgs | undefined): boolean | undefined {
  if (name === storageClasses.smb) return true;
  return name === storageClasses.replicatedBlock ? false : widenedClass(name, widening)?.multiWriter;
}

/** Whether `host` is an endpoint of the added region `name`; undefined where no such region was added. */
export function isEndpointOf(name: string, host: string, widening: LimitsArgs | undefined): boolean | undefined {
  const region = widening?.regions?.find((each) => each.name === name);
  if (region === undefined) return undefined;
  const labels = region.endpoint.split(".");
  const found = host.split(".");
  return labels.length === found.length && labels.every((label, index) => label === "*" || label === found[index]);
}

export const storageClass: SetLimit = {
  measure: "set",
  id: "storage-class",
  title: "Storage classes",
  rule: `A volume names its class, ${Object.values(storageClasses).join(" or ")}, because a cluster's default class may change.`,
  remedy: "Name a class that the stack allows. It allows another one by `hearth:limits.storageClasses`.",
  required: true,
  severity: "high",
  tags: ["storage"],
  fields: { [suiteKind]: ["storage", "storageClass"] },
  widened: {
    by: "storageClasses",
    what: ({ name }) => `Class ${name}`,
    entry: (name) => (isOwnClass(name) ? undefined : classEntry("<name>", { multiWriter: false, expandable: true })),
  },
  allowed: ({ limits } = {}) => [
    ...Object.values(storageClasses),
    ...(limits?.storageClasses ?? []).map(({ name }) => name),
  ],
};

export const region: SetLimit = {
  measure: "set",
  id: "s3-location",
  title: "Region and endpoint of the object store",
  rule: `A suite's region is ${locations.join(", ")}, and its endpoint is in that location.`,
  remedy: "Write the region of the endpoint's location. A stack allows another one by `hearth:limits.regions`.",
  required: true,
  severity: "high",
  tags: ["object storage"],
  fields: { [suiteKind]: ["s3", "region"] },
  widened: {
    by: "regions",
    what: ({ name }) => `Region ${name}`,
    entry: () => "[{name: <region>, endpoint: <host of s3.endpoint>, reason: <why>}]",
  },
  allowed: ({ limits } = {}) => [...locations, ...(limits?.regions ?? []).map(({ name }) => name)],
};
