import { parseImage } from "./image-reference.ts";
import { below } from "./paths.ts";
import { error, type Problem } from "./problems.ts";
import { addressCredentials } from "./value-rules.ts";

/** Rules on names of images; schemas name them. */

/** The start of an image's name, or all of it without tag: what a mirror takes the place of. */
export function imagePrefix(path: string, value: string | undefined): Problem[] {
  const credentials = imageCredentials(path, value);
  if (credentials.length > 0) return credentials;
  if (value === undefined || /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?::\d{1,5})?(?:\/[a-z0-9._-]+)*$/.test(value))
    return [];
  return [
    error(
      "image-prefix",
      path,
      "The value is not a registry or the start of an image's name.",
      "Write it like registry.example.org/dockerhub, in lower case, without scheme, tag and final slash.",
    ),
  ];
}

/** Credentials in an image's name, before its registry. */
export function imageCredentials(path: string, value: string | undefined): Problem[] {
  const named = value?.replace(/@sha256:[0-9a-f]{64}$/, "");
  return addressCredentials(path, named, "`images.pullSecrets` names the Secret that holds them.");
}

/** An image by name and perhaps tag or digest, as a container runtime takes it. */
export function imageName(path: string, value: string | undefined): Problem[] {
  const credentials = imageCredentials(path, value);
  if (value === undefined || credentials.length > 0) return credentials;
  if (parseImage(value)) return [];
  return [
    error(
      "image",
      path,
      "The value is not the name of an image.",
      "Write it like registry.example.org/team/app:1.0.0, without scheme.",
    ),
  ];
}

/** An image that is the same tomorrow: its tag is not `latest`. */
export function fixedImage(path: string, value: string | undefined): Problem[] {
  const problems = imageName(path, value);
  if (value === undefined || problems.length > 0) return problems;
  if (isFixed(value)) return [];
  return [
    error(
      "image",
      path,
      "The tag can move to another image.",
      "Use a tag that does not move, or a digest, for example :1.0.0.",
    ),
  ];
}

/** Whether a name says by its digest, or by a tag that stays, which image it is. */
export function isFixed(image: string): boolean {
  const { tag = "latest", digest } = parseImage(image) ?? {};
  return digest !== undefined || tag !== "latest";
}

/** Mirrors: the start of an image's name → what takes its place. */
export function mirrors(path: string, values: Readonly<Record<string, string>> | undefined): Problem[] {
  return Object.entries(values ?? {}).flatMap(([from, to]) => [
    ...imagePrefix(below(path, from), from),
    ...imagePrefix(below(path, from), to),
  ]);
}
