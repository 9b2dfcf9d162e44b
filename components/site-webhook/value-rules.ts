import { parseDuration } from "../core/durations.ts";
import { error, type Problem, warning } from "../core/problems.ts";
import { limits } from "../limits/table.ts";

/** Rules on single values of the webhook's arguments; its schema names them. */

const subdomain = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)*$/;

/** Forms of the names of a resource, each with an example. */
const forms = {
  group: [subdomain, "pages.kup6s.com"],
  version: [/^v[a-z0-9]{1,62}$/, "v1beta1"],
  kind: [/^[A-Z][A-Za-z0-9]{0,62}$/, "StaticSite"],
  plural: [/^[a-z][a-z0-9]{0,62}$/, "staticsites"],
  annotationDomain: [subdomain, "pages.kup6s.com"],
} as const;

/** A name of the StaticSite resource, by its argument. */
export const resourceName =
  (key: keyof typeof forms) =>
  (path: string, value: string | undefined): Problem[] => {
    const [form, example] = forms[key];
    if (value === undefined || form.test(value)) return [];
    return [error("resource-name", path, `The value can't be the ${key} of a resource.`, `Write it like ${example}.`)];
  };

/** An object's name: a DNS subdomain whose labels Kubernetes does not count. (k8s.io/apimachinery IsDNS1123Subdomain) */
const objectName = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** Name of a site: it is an object of the cluster. */
export function siteName(path: string, name: string | undefined): Problem[] {
  if (name === undefined || objectName.test(name)) return [];
  return [
    error(
      "site-name",
      path,
      "The value can't be the name of a site.",
      "Use up to 253 lower-case letters, digits, dashes and dots, with a letter or digit first and last.",
    ),
  ];
}

/** Time between two syncs: zero would make a site sync without pause. */
export function siteInterval(path: string, interval: string | undefined): Problem[] {
  if (interval === undefined) return [];
  const seconds = parseDuration(interval) ?? 0;
  const least = limits.syncInterval.least();
  if (seconds >= least) return [];
  if (seconds > 0)
    return [
      warning(
        "sync-interval-short",
        path,
        `${interval} is short: each sync costs a clone.`,
        `Write ${least}s or more; the webhook syncs a site at once.`,
      ),
    ];
  return [
    error(
      "sync-interval",
      path,
      "The value is not a time between two syncs.",
      "Write a Go duration above zero, for example 5m or 1h30m.",
    ),
  ];
}

/** The other fields of a site's spec. */
export function siteSpec(path: string, text: string | undefined): Problem[] {
  if (text === undefined) return [];
  const spec = parsed(text);
  if (typeof spec !== "object" || spec === null || Array.isArray(spec))
    return [error("site-spec", path, "The spec is not a JSON object.", 'Write it like {"repo":"https://…"}.')];
  return siteSpecFields(path, spec);
}

/** The same as a block of a file. */
export function siteSpecFields(path: string, spec: object | undefined): Problem[] {
  if (!spec || !("syncInterval" in spec)) return [];
  return [error("site-spec", path, "The spec has a syncInterval.", "Write it beside the spec.")];
}

/** What a JSON text says; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
