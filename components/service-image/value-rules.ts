import { parseImage } from "../core/image-reference.ts";
import { fixedTag, imageCredentials } from "../core/image-rules.ts";
import { error, type Problem } from "../core/problems.ts";

/** Rules on single values of the image of our services; the schemas name them. */

/** The image is pulled by its name alone, so that has to say which image it is. */
export function readyImage(path: string, image: string | undefined): Problem[] {
  const credentials = imageCredentials(path, image);
  if (image === undefined || credentials.length > 0) return credentials;
  const found = parseImage(image);
  // A first word that is no host is an account at the default registry.
  if (!found?.repository.includes("/") || /[A-Z]/.test(found.repository))
    return [
      error(
        "image",
        path,
        "The value is not an image with its registry.",
        "Write it in lower case like registry.example.org/hearth/site-webhook:1.0.0.",
      ),
    ];
  return fixedTag(path, image);
}

/** The image has no digest before it is built. */
export function imageToBuild(path: string, image: string | undefined): Problem[] {
  const named = readyImage(path, image);
  if (named.length > 0 || !image?.includes("@")) return named;
  return [error("image", path, "The value has a digest, and is to be built.", "Leave the digest out.")];
}

/** Where a built image is pushed to: its name without tag. */
export function imageRepository(path: string, repository: string | undefined): Problem[] {
  return repository === undefined ? [] : readyImage(path, `${repository}:built`);
}

/** Platforms of an image: the nodes' operating system is Linux. */
export function buildPlatforms(path: string, values: readonly string[] | undefined): Problem[] {
  if (values?.length === 0)
    return [error("platform", path, "The image would be built for no platform.", "Name one, or leave it out.")];
  return (values ?? []).flatMap((value, index) => {
    const wrong = (message: string, remedy: string) => [error("platform", `${path}[${index}]`, message, remedy)];
    if (!/^linux\/[a-z0-9]+(?:\/v\d+)?$/.test(value))
      return wrong("The value is not a platform of Linux nodes.", "Write it like linux/amd64 or linux/arm64.");
    return values?.indexOf(value) === index ? [] : wrong("The value is listed twice.", "Write it once.");
  });
}
