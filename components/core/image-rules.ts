import { parseImage } from "./image-reference.ts";
import { below } from "./paths.ts";
import { error, type Problem, warning } from "./problems.ts";
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

/** An image that is the same tomorrow: its tag stays, or it has a digest. */
export function fixedImage(path: string, value: string | undefined): Problem[] {
  const problems = imageName(path, value);
  return value === undefined || problems.length > 0 ? problems : fixedTag(path, value);
}

/** An error where an image has no tag or the tag `latest`; a warning where the tag moves as other words do, which policies refuse. */
export function fixedTag(path: string, image: string): Problem[] {
  const { tag = "latest", digest } = parseImage(image) ?? {};
  if (digest !== undefined || !moves(tag)) return [];
  const remedy = "Use a tag that does not move, or a digest, for example :1.0.0.";
  if (tag === "latest") return [error("image", path, "The tag can move to another image.", remedy)];
  return [warning("image-moves", path, `The tag ${tag} can move to another image.`, remedy)];
}

/** Words by which publishers call what is newest, or the system an image is built on. */
export const movingTags: readonly string[] = [
  ...["latest", "stable", "edge", "main", "master", "nightly", "dev", "develop", "devel", "alpha", "beta", "rc"],
  ...["canary", "next", "lts", "mainline", "current", "rolling", "release", "testing", "unstable", "snapshot"],
  ...["production", "prod", "staging", "head", "trunk", "daily", "weekly", "preview", "experimental", "default"],
  ...["alpine", "slim", "debian", "ubuntu", "bookworm", "bullseye", "trixie", "jammy", "noble", "focal"],
];

/** Two numbers, a day, or a hash: what a tag has that stays. */
const fixed = /\d+\.\d+|\d{6}|(?=[0-9a-f]*\d)[0-9a-f]{7,}/;

/** Whether a tag moves: one of the words, or a major version alone. */
export function moves(tag: string, moving: readonly string[] = movingTags): boolean {
  if (moving.includes(tag)) return true;
  if (fixed.test(tag)) return false;
  return /^v?\d{1,5}(?:-[a-z][\w.-]*)?$/.test(tag) || tag.split(/[-._]/).some((word) => moving.includes(word));
}

/** Mirrors: the start of an image's name → what takes its place. */
export function mirrors(path: string, values: Readonly<Record<string, string>> | undefined): Problem[] {
  return Object.entries(values ?? {}).flatMap(([from, to]) => [
    ...imagePrefix(below(path, from), from),
    ...imagePrefix(below(path, from), to),
  ]);
}
