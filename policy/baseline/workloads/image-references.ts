import { operatorImagePaths } from "@hearth-platform/hearth/kubernetes/pod-templates";
import { Field } from "../../core/field.ts";
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
  const places = [...resource.get("spec").walk()];
  const others = places.filter(isImage).filter(({ path }) => !known.some((each) => each.path === path));
  return [...known, ...others, ...places.flatMap(ofParts)];
}

/** `image`, `imageName`, `baseImage`, and `reference` below `image`: their text is the name of an image. */
const imageKey = /(?:^|\.)(?:image|imageName|baseImage|image\.reference)$/;
/** `sidecarImage` and an item of `images`, which may be something else. */
const imageLikeKey = /(?:[a-z0-9]Image|(?:^|\.)images\[\d+\])$/;
const picture = /\.(?:png|jpe?g|gif|svg|webp|ico)$/i;

/** Not yet known, or a name of an image. */
function isImage(place: Field): boolean {
  const isCalledSo = imageKey.test(place.path);
  if (!isCalledSo && !imageLikeKey.test(place.path)) return false;
  const text = place.glance?.text ?? "";
  if (picture.test(text)) return false;
  return place.isUnknown || (/^[\w./:@-]+$/.test(text) && (isCalledSo || hasSource(text)));
}

/** Whether a text has the registry, the tag or the digest of an image; an address of a page begins with a scheme. */
function hasSource(text: string): boolean {
  return !text.includes("://") && (/[:@]/.test(text) || /^[\w-]+\.[\w.-]+\//.test(text));
}

/** An image in parts: `image` with `repository`, and `tag` or `digest`. With neither an operator chooses the tag itself. */
function ofParts(place: Field): readonly Field[] {
  if (!/image$/i.test(String(place.key)) || !place.glance?.get("repository").exists) return [];
  const part = (key: string, before: string, after = "") => {
    const { text } = place.get(key);
    return text === undefined || text === "" ? "" : `${before}${text}${after}`;
  };
  const version = `${part("tag", ":")}${part("digest", "@")}`;
  if (version === "") return [];
  return [new Field(place.path, `${part("registry", "", "/")}${part("repository", "")}${version}`)];
}

/** Whether an image's name says what its content is. */
export function hasDigest(image: string): boolean {
  return /@sha256:[0-9a-f]{64}$/.test(image);
}
