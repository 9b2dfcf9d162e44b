import { parseDuration } from "../core/durations.ts";
import type { Known } from "../core/known.ts";
import { error, type Problem, shown } from "../core/problems.ts";
import { dnsLabel, hostName, namespaceName } from "../core/value-rules.ts";
import { resourceProblems } from "../kubernetes/resource-rules.ts";
import type { SiteWebhookArgs } from "./args.ts";

type Webhook = Known<SiteWebhookArgs>;
type Rule = (webhook: Webhook) => readonly Problem[];

/** Everything wrong with the arguments, before anything is created. */
export function siteWebhookProblems(webhook: Webhook): Problem[] {
  return rules.flatMap((rule) => rule(webhook));
}

const rules: readonly Rule[] = [
  ({ namespace }) => namespaceName("namespace", namespace),
  ({ domain }) => hostName("domain", domain),
  needed,
  image,
  resourceNames,
  namespaces,
  sites,
  existingNamespaces,
  routeLimits,
  ({ resources }) => (resources ? resourceProblems("resources", resources) : []),
];

/** What an enabled webhook can't do without. */
function needed({ enabled, domain, image }: Webhook): Problem[] {
  if (!enabled) return [];
  return [
    ...(domain === undefined
      ? [error("required", "domain", "The webhook is enabled and has no domain.", "Write it like sync.example.org.")]
      : []),
    ...(image === undefined
      ? [
          error(
            "required",
            "image",
            "The webhook is enabled and has no image.",
            "Name a ready image, or the repository to push the built one to.",
          ),
        ]
      : []),
  ];
}

const reference =
  /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d+)?\/)[a-z0-9]+(?:(?:[._]|__|-+|\/)[a-z0-9]+)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/;

/** The image is pulled by its name alone, so that has to say which image it is. */
function image({ image, build }: Webhook): Problem[] {
  if (image === undefined) return [];
  if (!reference.test(image))
    return [
      error(
        "image",
        "image",
        `${shown(image)} is not an image with its registry.`,
        "Write it in lower case like registry.example.org/hearth/site-webhook:1.0.0.",
      ),
    ];
  const [, afterHost = ""] = /^[^/]+\/(.*)$/.exec(image) ?? [];
  if (build && image.includes("@"))
    return [error("image", "image", `${shown(image)} has a digest, and is to be built.`, "Leave the digest out.")];
  if (!/[:@]/.test(afterHost) || image.endsWith(":latest"))
    return [
      error(
        "image",
        "image",
        `${shown(image)} may be another image tomorrow.`,
        "Name a tag that stays, or the digest, for example :1.0.0.",
      ),
    ];
  return [];
}

const subdomain = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)*$/;

function resourceNames({ staticSites }: Webhook): Problem[] {
  const forms = {
    group: [subdomain, "pages.kup6s.com"],
    version: [/^v[a-z0-9]{1,62}$/, "v1beta1"],
    kind: [/^[A-Z][A-Za-z0-9]{0,62}$/, "StaticSite"],
    plural: [/^[a-z][a-z0-9]{0,62}$/, "staticsites"],
    annotationDomain: [subdomain, "pages.kup6s.com"],
  } as const;
  return Object.entries(forms).flatMap(([key, [form, example]]) => {
    const value = staticSites?.[key as keyof typeof forms];
    if (value === undefined || form.test(value)) return [];
    return [
      error(
        "resource-name",
        `staticSites.${key}`,
        `${shown(value)} can't be the ${key} of a resource.`,
        `Write it like ${example}.`,
      ),
    ];
  });
}

function namespaces({ namespaces }: Webhook): Problem[] {
  if (namespaces?.length === 0)
    return [
      error(
        "namespaces-empty",
        "namespaces",
        "The webhook may sync no namespace's sites.",
        "Leave it out for every namespace, or name those of the sites.",
      ),
    ];
  return (namespaces ?? []).flatMap((name, index) => [
    ...dnsLabel(`namespaces[${index}]`, name),
    ...doubled(`namespaces[${index}]`, name, namespaces?.slice(0, index)),
  ]);
}

function doubled(path: string, name: string | undefined, earlier: readonly (string | undefined)[] = []): Problem[] {
  if (name === undefined || !earlier.includes(name)) return [];
  return [error("shared", path, `${shown(name)} stands there twice.`, "Write it once.")];
}

function sites({ sites = [], namespace, namespaces }: Webhook): Problem[] {
  const keys = sites.map((site) => `${site?.namespace}/${site?.name}`);
  return sites.flatMap((site, index) => {
    const at = (field: string) => `sites[${index}].${field}`;
    const { name, namespace: place, syncInterval, spec } = site ?? {};
    return [
      ...namespaceName(at("namespace"), place),
      ...(name === undefined || subdomain.test(name)
        ? []
        : [
            error(
              "site-name",
              at("name"),
              `${shown(name)} can't be the name of a site.`,
              "Use lower-case letters, digits, dashes and dots, with a letter or digit first and last.",
            ),
          ]),
      ...doubled(`sites[${index}]`, keys[index], keys.slice(0, index)),
      ...(place !== undefined && place === namespace
        ? [
            error(
              "shared",
              at("namespace"),
              `${shown(place)} is the namespace of the webhook itself.`,
              "Give sites a namespace of their own.",
            ),
          ]
        : []),
      ...(place !== undefined && namespaces && !namespaces.includes(place)
        ? [
            error(
              "site-out-of-reach",
              at("namespace"),
              `The webhook may not sync sites in ${shown(place)}, so calls for this one would be answered 404.`,
              "Add it to `namespaces`, or leave `namespaces` out.",
            ),
          ]
        : []),
      // Zero would make it sync without pause.
      ...(syncInterval === undefined || (parseDuration(syncInterval) ?? 0) > 0
        ? []
        : [
            error(
              "sync-interval",
              at("syncInterval"),
              `${shown(syncInterval)} is not a time between two syncs.`,
              "Write a Go duration above zero, for example 5m or 1h30m.",
            ),
          ]),
      ...specProblems(at("spec"), spec),
    ];
  });
}

function specProblems(path: string, text: string | undefined): Problem[] {
  if (text === undefined) return [];
  const spec = parsed(text);
  if (typeof spec !== "object" || spec === null || Array.isArray(spec))
    return [error("site-spec", path, "The spec is not a JSON object.", 'Write it like {"repo":"https://…"}.')];
  if (!("syncInterval" in spec)) return [];
  return [error("site-spec", path, "The spec has a syncInterval.", "Write it beside the spec.")];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function existingNamespaces({ existingNamespaces = [], sites = [] }: Webhook): Problem[] {
  const used = sites.map((site) => site?.namespace);
  return existingNamespaces.flatMap((name, index) =>
    name === undefined || used.includes(name)
      ? []
      : [
          error(
            "unused",
            `existingNamespaces[${index}]`,
            `No site is in ${shown(name)}.`,
            "Leave it out: only the sites' own namespaces are made.",
          ),
        ],
  );
}

function routeLimits({ limits }: Webhook): Problem[] {
  return Object.entries(limits ?? {}).flatMap(([key, value]) =>
    value === undefined || (Number.isInteger(value) && value > 0)
      ? []
      : [error("limit", `limits.${key}`, `${value} lets nothing through.`, "Write a whole number above 0.")],
  );
}
