import { repositories } from "@hearth-platform/hearth/catalogue/images";
import { servedApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { forgeImageSources } from "@hearth-platform/hearth/forge/images";
import { hubImageSources } from "@hearth-platform/hearth/hub/images";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import { imageReferences } from "./image-references.ts";

const suiteAppSources = servedApps.flatMap(({ server: { repositories } }) => repositories);

export const imageSources = resourcePolicy({
  id: "wl-image-registry",
  title: "Images from known sources",
  rule: "Images come from the registries and repositories in `allowed`, or from what the stack's settings name: mirrors, the webhook's repository, images.",
  severity: PolicySeverity.high,
  level: {
    production: EnforcementLevel.mandatory,
    development: EnforcementLevel.advisory,
    maintenance: EnforcementLevel.mandatory,
  },
  remediation: "Use an image from an allowed source, or add its registry or repository to `allowed`.",
  unseen: "Images in a ConfigMap, a variable or an argument, and those that an operator chooses itself.",
  tags: ["workloads", "images", "supply chain"],
  settings: {
    allowed: {
      description:
        "Registries, or folders and repositories in them, e.g. ghcr.io/cloudnative-pg. A list that you set replaces this one.",
      default: [...Object.values(repositories), ...suiteAppSources, ...forgeImageSources, ...hubImageSources],
    },
  },
  kinds: "any",
  *check(resource, { allowed }, { imageSources: ofStack }) {
    const sources = [...allowed, ...ofStack];
    for (const image of imageReferences(resource))
      if (!isFrom(sources, image.text ?? "")) yield violation(image, "The image's source is not an allowed one.");
    const mirrors = resource.groupKind.startsWith("hearth/")
      ? resource.get("platform", "images", "mirrors").entries
      : [];
    for (const [, mirror] of mirrors)
      if (!isFrom(sources, mirror.text ?? "")) yield violation(mirror, "The mirror is not an allowed source.");
  },
});

function isFrom(sources: readonly string[], image: string): boolean {
  const repository = fullRepository(image);
  return sources.some((source) => repository === source || repository.startsWith(`${source}/`));
}

/** The repository with its registry, which runtimes fill in: `nextcloud:31` is `docker.io/library/nextcloud`. */
function fullRepository(image: string): string {
  const [name = ""] = image.split("@");
  // A colon before the last slash is the registry's port.
  const repository = name.replace(/:[^/:]*$/, "");
  const [registry = "", ...path] = repository.split("/");
  if (path.length > 0 && (/[.:]/.test(registry) || registry === "localhost")) return repository;
  return path.length > 0 ? `docker.io/${repository}` : `docker.io/library/${repository}`;
}
