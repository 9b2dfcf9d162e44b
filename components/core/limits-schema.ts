import { isDay } from "./days.ts";
import { objectName } from "./object-rules.ts";
import { error, type Problem } from "./problems.ts";
import { as, block, count, flag, list, optional, text } from "./schema.ts";

/** Values that a stack allows beyond the specification's sets. Rows of `limits/table.ts` say what each entry lifts. */

/** Majors after the specification's last one that there is an image of. */
export const addedMajors = [17, 18] as const;

function lastDay(path: string, until: string | undefined): Problem[] {
  if (until === undefined || isDay(until)) return [];
  return [error("day", path, "The value is not a day.", "Write it like 2026-12-31.")];
}

function hostPattern(path: string, host: string | undefined): Problem[] {
  const label = "(?:\\*|[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)";
  if (host === undefined || new RegExp(`^${label}(?:\\.${label})+$`).test(host)) return [];
  return [
    error(
      "host-pattern",
      path,
      "The value is not the host of an endpoint.",
      "Write it without https://; `*` stands for one label: s3.eu-central-1.amazonaws.com.",
    ),
  ];
}

const why = {
  reason: text("Reason for allowing it."),
  until: optional(text("Last day it is allowed, in UTC, e.g. `2026-12-31`.", { rule: lastDay }), "no end"),
};

export const widenedRegion = block("WidenedRegionArgs", "A further region of object stores.", {
  name: text("Region code, e.g. `eu-central-1`."),
  endpoint: text("Host of the region's endpoints; `*` stands for one label, e.g. `s3.eu-central-1.amazonaws.com`.", {
    rule: hostPattern,
  }),
  ...why,
});

export const widenedStorageClass = block(
  "WidenedStorageClassArgs",
  "A further storage class, for all volumes of the stack.",
  {
    name: text("The StorageClass, e.g. `longhorn`.", { rule: objectName }),
    multiWriter: flag("Whether pods on several nodes can write one volume. If not, a suite has one web pod."),
    expandable: flag("Whether its volumes can grow. If not, their sizes can't change."),
    ...why,
  },
);

export const widenedMajor = block("WidenedMajorArgs", "A further major of PostgreSQL.", {
  major: count("A major after the specification's last one, 16.", {
    min: Math.min(...addedMajors),
    max: Math.max(...addedMajors),
  }),
  ...why,
});

export const widenedNumber = block("WidenedNumberArgs", "A higher number.", {
  most: count("The highest number allowed.", { min: 1 }),
  ...why,
});

export const widenedInstances = block("WidenedInstancesArgs", "Other numbers of instances.", {
  least: optional(count("The lowest number allowed in production; 1 has no failover.", { min: 1, max: 2 }), "2"),
  most: widenedNumber.shape.most,
  ...why,
});

export const widenedPods = block("WidenedPodsArgs", "A lower number.", {
  least: count("The lowest number allowed in production; with 1 there is an outage whenever its node is drained.", {
    min: 1,
    max: 2,
  }),
  ...why,
});

export const widenedLimits = block(
  "LimitsArgs",
  "Values allowed beyond the specification's sets. Nothing else extends them.",
  {
    regions: optional(list(widenedRegion, "Further regions of object stores."), "none"),
    storageClasses: optional(list(widenedStorageClass, "Further storage classes."), "none"),
    databaseMajors: optional(list(widenedMajor, "Further majors of PostgreSQL for suites, without gaps."), "none"),
    databaseReplicas: optional(as(widenedInstances, "More instances of a database, or one in production."), "2"),
    cloudsuiteReplicas: optional(as(widenedNumber, "More web pods of a suite on a class with several writers."), "3"),
    forgeWebReplicas: optional(as(widenedPods, "One web pod of the forge in production."), "2 or more"),
  },
);
