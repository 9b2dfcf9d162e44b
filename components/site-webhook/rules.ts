import { judged, repeated, rulesOn } from "../core/arguments.ts";
import { error, type Problem, shown } from "../core/problems.ts";
import { limitProblems } from "../exposure/rendering.ts";
import type { SiteWebhookArgs } from "./args.ts";
import { siteWebhook } from "./schema.ts";
import { parsed } from "./value-rules.ts";

type Webhook<K extends keyof SiteWebhookArgs> = Pick<SiteWebhookArgs, K>;

const rule = rulesOn(siteWebhook);

/** API group of the operator that hearth knows, kup6s/pages. */
const defaultGroup = "pages.kup6s.com";

const ownGuards = "The webhook's own limits on bodies and writes still apply.";

/** Rules between several of the webhook's arguments. */
export const siteWebhookRules = [
  rule(["enabled", "domain"], domain),
  rule(["enabled", "image"], image),
  rule(["enabled", "platform"], ({ enabled, platform }) => (enabled ? limitProblems(platform.ingress, ownGuards) : [])),
  rule(["namespaces"], namespaces),
  rule(["sites"], ownNames),
  rule(["sites", "namespace"], ownNamespace),
  rule(["sites", "namespaces"], reach),
  rule(["sites", "existingNamespaces"], existingNamespaces),
  rule(["sites", "staticSites"], repositories),
];

/** Everything wrong with the arguments, before anything is created. */
export const siteWebhookProblems = judged(siteWebhook, siteWebhookRules);

function domain({ enabled, domain }: Webhook<"enabled" | "domain">): Problem[] {
  if (!enabled || domain !== undefined) return [];
  return [error("required", "domain", "The webhook is enabled but has no domain.", "Write it like sync.example.org.")];
}

function image({ enabled, image }: Webhook<"enabled" | "image">): Problem[] {
  if (!enabled || image !== undefined) return [];
  return [
    error(
      "required",
      "image",
      "The webhook is enabled but has no image.",
      "Name an existing image, or a repository to which hearth pushes the image it builds.",
    ),
  ];
}

function namespaces({ namespaces }: Webhook<"namespaces">): Problem[] {
  if (namespaces?.length === 0)
    return [
      error(
        "namespaces-empty",
        "namespaces",
        "The list is empty, so the webhook may not sync any site.",
        "Remove it to allow every namespace, or list the sites' namespaces.",
      ),
    ];
  return repeated(namespaces ?? [], (name, index) => twice(`namespaces[${index}]`, name));
}

function ownNames({ sites = [] }: Webhook<"sites">): Problem[] {
  const names = sites.map(({ namespace, name }) => `${namespace}/${name}`);
  return repeated(names, (name, index) => twice(`sites[${index}]`, name));
}

function twice(path: string, name: string): Problem {
  return error("shared", path, `${shown(name)} is listed twice.`, "Write it once.");
}

function ownNamespace({ sites = [], namespace }: Webhook<"sites" | "namespace">): Problem[] {
  return sites.flatMap((site, index) =>
    site.namespace === namespace
      ? [
          error(
            "shared",
            `sites[${index}].namespace`,
            `${shown(namespace)} is the namespace of the webhook itself.`,
            "Give the sites another namespace.",
          ),
        ]
      : [],
  );
}

function reach({ sites = [], namespaces }: Webhook<"sites" | "namespaces">): Problem[] {
  return sites.flatMap(({ namespace }, index) =>
    namespaces && !namespaces.includes(namespace)
      ? [
          error(
            "site-out-of-reach",
            `sites[${index}].namespace`,
            `The webhook may not sync sites in ${shown(namespace)}, so calls for this one would get 404.`,
            "Add it to `namespaces`, or leave `namespaces` out.",
          ),
        ]
      : [],
  );
}

/** What the operator that we know asks for: without it the API server refuses the site in the middle of an update. */
function repositories({ sites = [], staticSites }: Webhook<"sites" | "staticSites">): Problem[] {
  if ((staticSites?.group ?? defaultGroup) !== defaultGroup) return [];
  return sites.flatMap(({ spec }, index) =>
    isWithoutRepo(spec)
      ? [
          error(
            "required",
            `sites[${index}].spec`,
            "The site has no repo, which its operator asks for.",
            'Write the address of its repository in it, e.g. repo: "https://forge.example.org/team/site.git".',
          ),
        ]
      : [],
  );
}

/** @param spec a block in a stack's settings, its text as an argument; one that is no block has its own refusal */
function isWithoutRepo(spec: unknown): boolean {
  const block = typeof spec === "string" ? parsed(spec) : (spec ?? {});
  return typeof block === "object" && block !== null && !Array.isArray(block) && !("repo" in block);
}

function existingNamespaces({
  existingNamespaces = [],
  sites = [],
}: Webhook<"existingNamespaces" | "sites">): Problem[] {
  const used = sites.map(({ namespace }) => namespace);
  return existingNamespaces.flatMap((name, index) =>
    used.includes(name)
      ? []
      : [
          error(
            "unused",
            `existingNamespaces[${index}]`,
            `No site is in ${shown(name)}.`,
            "Remove it: only the namespaces of the listed sites are created.",
          ),
        ],
  );
}
