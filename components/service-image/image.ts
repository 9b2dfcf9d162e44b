import { Image } from "@pulumi/docker-build/image.js";
import type * as pulumi from "@pulumi/pulumi";
import type { ServiceImageBuildArgs } from "./args.ts";

/** An image that was built and pushed. */
export interface PushedImage {
  readonly resource: pulumi.Resource;
  /** `sha256:…` of what the registry took under the image's name. */
  readonly digest: pulumi.Output<string>;
}

/** Builds the image and pushes it under its name; a preview builds nothing. */
export function pushedImage(
  name: string,
  reference: string,
  { context, baseImage, platforms }: ServiceImageBuildArgs,
  options: pulumi.CustomResourceOptions,
): PushedImage {
  const resource = new Image(
    name,
    {
      context: { location: context },
      dockerfile: { location: `${context}/Dockerfile` },
      buildArgs: baseImage === undefined ? undefined : { BASE: baseImage },
      platforms: platforms as pulumi.Input<never[]> | undefined,
      tags: [reference],
      push: true,
      buildOnPreview: false,
    },
    options,
  );
  return { resource, digest: resource.ref.apply((ref) => digestOf(ref, reference)) };
}

/**
 * The digest in what the builder says it has pushed; empty where it pushed nothing, as in a sandbox without a builder.
 * @throws Error where that is another image
 */
export function digestOf(pushed: string, reference: string): string {
  const [name, digest = ""] = pushed.split("@");
  if (name !== reference || !/^(?:|sha256:[0-9a-f]{64})$/.test(digest))
    throw new Error(`${pushed} was pushed in the place of ${reference}.`);
  return digest;
}
