import { operatorImagePaths } from "@hearth-platform/hearth/kubernetes/pod-templates";
import type { Field } from "../../core/field.ts";
import { containers, podTemplateOf, workloadKinds } from "../../core/pods.ts";
import type { PolicyResource } from "../../core/resource.ts";

/** Kinds that name images. */
export const imageKinds: readonly string[] = [...workloadKinds, ...Object.keys(operatorImagePaths)];

/** Where a resource names images: its containers', its volumes', its operator's. */
export function imageReferences(resource: PolicyResource): readonly Field[] {
  const path = operatorImagePaths[resource.groupKind];
  if (path) return [resource.get(...path)].filter(({ exists }) => exists);
  const volumes = podTemplateOf(resource)?.get("spec", "volumes").items ?? [];
  return [
    ...containers(resource).map((container) => container.get("image")),
    ...volumes
      .map((volume) => volume.get("image"))
      .filter(({ exists }) => exists)
      .map((image) => image.get("reference")),
  ];
}

/** Whether an image's name says what its content is. */
export function hasDigest(image: string): boolean {
  return /@sha256:[0-9a-f]{64}$/.test(image);
}
