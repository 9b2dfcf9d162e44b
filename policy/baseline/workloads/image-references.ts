import { operatorImagePaths } from "@hearth-platform/hearth/kubernetes/pod-templates";
import type { Field } from "../../core/field.ts";
import { containers, podTemplateOf } from "../../core/pods.ts";
import type { PolicyResource } from "../../core/resource.ts";

/** Where a resource names images: its containers', its volumes', its operator's; of an operator's kind wherever a field is called so. */
export function imageReferences(resource: PolicyResource): readonly Field[] {
  if (resource.isCustom) return ofOperator(resource);
  const volumes = podTemplateOf(resource)?.get("spec", "volumes").items ?? [];
  return [
    ...containers(resource).map((container) => container.get("image")),
    ...volumes
      .map((volume) => volume.get("image"))
      .filter(({ exists }) => exists)
      .map((image) => image.get("reference")),
  ];
}

function ofOperator(resource: PolicyResource): readonly Field[] {
  const path = operatorImagePaths[resource.groupKind];
  const own = [...(path ? [resource.get(...path)] : []), ...containers(resource).map((each) => each.get("image"))];
  const known = own.filter(({ exists }) => exists);
  const others = [...resource.get("spec").walk()].filter(isImage);
  return [...known, ...others.filter(({ path }) => !known.some((each) => each.path === path))];
}

/** `image`, `imageName`, `baseImage`, and `reference` below `image`; not yet known, or a name of an image. */
function isImage(place: Field): boolean {
  if (!/(?:^|\.)(?:image|imageName|baseImage|image\.reference)$/.test(place.path)) return false;
  return place.isUnknown || /^[\w./:@-]+$/.test(place.glance?.text ?? "");
}

/** Whether an image's name says what its content is. */
export function hasDigest(image: string): boolean {
  return /@sha256:[0-9a-f]{64}$/.test(image);
}
