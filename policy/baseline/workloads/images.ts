import { servedApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { moves, movingTags } from "@hearth-platform/hearth/core/image-rules";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import { hasDigest, imageReferences } from "./image-references.ts";

/** Where a suite's arguments name versions. */
const versions = [
  ...["cloudsuite", "db", "keystore"].map((name) => ["versions", name]),
  ...servedApps.map(({ server: { version } }) => version),
];

export const imagePolicy = resourcePolicy({
  id: "wl-image-tag",
  title: "Images stay what they are",
  rule: "An image has a tag that does not move, or a digest. A hash of the image's own content is such a tag. A word such as stable moves, and so does a major version alone.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Name a release's tag, or pin the image by @sha256.",
  unseen:
    "Whether a publisher moves a tag with two numbers, a word that is not in the list, and images in a ConfigMap, a variable or an argument.",
  tags: ["workloads", "images", "supply chain"],
  settings: {
    moving: {
      description: "Tags that move to other images.",
      default: movingTags,
    },
  },
  kinds: "any",
  *check(resource, { moving }) {
    for (const image of imageReferences(resource))
      if (!isPinned(image.text ?? "", moving))
        yield violation(image, "The image must have a tag that does not move, or a digest.");
    if (resource.groupKind !== "hearth/CloudSuite") return;
    for (const path of versions) {
      const tag = resource.get(...path);
      if (tag.exists && moving.includes(tag.text ?? ""))
        yield violation(tag, "The tag must be one that does not move.");
    }
  },
});

function isPinned(image: string, moving: readonly string[]): boolean {
  if (image.includes("@")) return hasDigest(image);
  // A colon before the last slash is the registry's port.
  const [, tag] = /:([\w][\w.-]{0,127})$/.exec(image.slice(image.lastIndexOf("/") + 1)) ?? [];
  return tag !== undefined && !moves(tag, moving);
}
