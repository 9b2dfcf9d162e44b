import { error, type Problem, shown } from "../../core/problems.ts";

/** Rules on single values of an object storage's arguments; its schema names them. */

/** The API version of an object: a group, a slash and a version, or the version alone. */
export function apiVersion(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?v[a-z0-9]{1,62}$/.test(value)) return [];
  return [
    error("api-version", path, `${shown(value)} is not an API version.`, "Write it like s3.aws.upbound.io/v1beta2."),
  ];
}

/** The kind of an object. */
export function objectKind(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^[A-Z][A-Za-z0-9]{0,62}$/.test(value)) return [];
  return [error("object-kind", path, `${shown(value)} is not the kind of an object.`, "Write one word like Bucket.")];
}
