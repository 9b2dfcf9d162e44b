import { judged } from "../core/arguments.ts";
import type { Known } from "../core/known.ts";
import { error, type Problem, shown } from "../core/problems.ts";
import { resourceProblems } from "../kubernetes/resource-rules.ts";
import type { SiteWebhookArgs } from "./args.ts";
import { siteWebhook } from "./schema.ts";

type Webhook = Known<SiteWebhookArgs>;

/** Everything wrong with the arguments, before anything is created. */
export const siteWebhookProblems = judged(siteWebhook, [
  needed,
  image,
  namespaces,
  sites,
  existingNamespaces,
  ({ resources }) => (resources ? resourceProblems("resources", resources) : []),
]);

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

function image({ image, build }: Webhook): Problem[] {
  if (!build || !image?.includes("@")) return [];
  return [error("image", "image", `${shown(image)} has a digest, and is to be built.`, "Leave the digest out.")];
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
    const place = site?.namespace;
    return [
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
    ];
  });
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
