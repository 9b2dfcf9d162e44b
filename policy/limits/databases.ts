import { databaseSize, limits } from "@hearth-platform/hearth/catalogue/limits";
import { highestMajor } from "@hearth-platform/hearth/catalogue/widening";
import { parseQuantity } from "@hearth-platform/hearth/core/quantities";
import { parseVersion } from "@hearth-platform/hearth/core/versions";
import type { Field } from "../core/field.ts";
import { Level, resourcePolicy, Severity, violation } from "../core/policy.ts";
import type { Resource } from "../core/resource.ts";
import { fieldAt, loadOf, recommended, suite, tagOf } from "./suites.ts";

const cluster = "postgresql.cnpg.io/Cluster";
const { min, max: own } = limits.databaseMajor;

const majors = {
  [suite]: ["versions", "db"],
  "hearth/Database": ["version"],
  "hearth/Forge": ["databaseVersion"],
};

export const databaseMajor = resourcePolicy({
  id: "lim-db-major",
  title: "Major version of a database",
  rule: `A database is PostgreSQL ${min} to ${own}, and its resource names the major.`,
  severity: Severity.high,
  level: Level.mandatory,
  remediation: "Name a major version in that range. A stack allows another one by `hearth:limits.databaseMajors`.",
  tags: ["limits", "database", "versions"],
  settings: {},
  admissionCounterpart: "database-major",
  kinds: [cluster, ...Object.keys(majors)],
  *check(resource, _settings, { limits: widening }) {
    const max = highestMajor(widening);
    const field = fieldAt(resource, majors);
    if (field && !field.exists) return;
    const [major, where] = field ? [wholeNumber(field), field] : imageMajor(resource);
    if (major === undefined || major < min || major > max)
      yield violation(where, `The major version has to be from ${min} to ${max}.`);
  },
});

/** A number as people write one: digits alone. */
function wholeNumber(field: Field): number | undefined {
  return /^[1-9]\d*$/.test(field.text ?? String(field.number)) ? field.number : undefined;
}

/** The major in the catalogue's entry or the image's tag; without either it is whatever the operator's release brings. */
function imageMajor(resource: Resource) {
  const catalogue = resource.get("spec", "imageCatalogRef");
  if (catalogue.exists) return [wholeNumber(catalogue.get("major")), catalogue.get("major")] as const;
  const image = resource.get("spec", "imageName");
  return [parseVersion(tagOf(image))?.[0], image] as const;
}

const sizes = {
  [suite]: ["storage", "dbSize"],
  "hearth/Database": ["storageSize"],
  [cluster]: ["spec", "storage", "size"],
};

export const databaseVolume = resourcePolicy({
  id: "lim-db-volume",
  title: "Volume of a database",
  rule: limits.databaseSize
    .map(({ upToFiles, size }) =>
      Number.isFinite(upToFiles) ? `Up to ${upToFiles} files need ${size}.` : `More files need ${size}.`,
    )
    .join(" "),
  severity: Severity.medium,
  level: recommended,
  remediation: "Write that size or more. A volume can grow but never shrink.",
  tags: ["limits", "database", "storage"],
  settings: {
    files: {
      description:
        "Number of files of a suite if the stack's settings don't set it. With 0 the smallest volume is enough.",
      default: 0,
    },
  },
  admissionCounterpart: "database-volume",
  kinds: Object.keys(sizes),
  *check(resource, settings, stack) {
    const field = fieldAt(resource, sizes);
    if (!field?.exists) return;
    const files = loadOf(resource, stack).files ?? settings.files;
    const size = databaseSize(files);
    if ((field.quantity ?? 0) < (parseQuantity(size) ?? 0))
      yield violation(field, `This number of files needs ${size}.`);
  },
});
