import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import { hasDigest, imageReferences } from "./image-references.ts";

/** Digits of the hash that webhook/image.ts makes a tag of. */
const contentTag = /^:[0-9a-f]{16}$/;

export const imageDigests = resourcePolicy({
  id: "wl-image-digest",
  title: "Images by their content",
  rule: "In a stack with an image lock (`hearth:images.lock`), every image is pinned to a digest, or is the stack's own image with the hash of its content as tag.",
  severity: PolicySeverity.medium,
  level: {
    production: EnforcementLevel.mandatory,
    development: EnforcementLevel.advisory,
    maintenance: EnforcementLevel.mandatory,
  },
  remediation:
    "Run ./hearth images lock again. If no component names the image, pin it with @sha256 where it is named.",
  unseen: "Images in a ConfigMap, a variable or an argument, and those that an operator chooses itself.",
  tags: ["workloads", "images", "supply chain"],
  settings: {},
  kinds: "any",
  *check(resource, _settings, { imagesLocked, builtImage }) {
    if (!imagesLocked) return;
    for (const image of imageReferences(resource)) {
      const name = image.text ?? "";
      const built =
        builtImage !== undefined && name.startsWith(builtImage) && contentTag.test(name.slice(builtImage.length));
      if (!built && !hasDigest(name))
        yield violation(image, "The image must be pinned to a digest, like the stack's other images.");
    }
  },
});
