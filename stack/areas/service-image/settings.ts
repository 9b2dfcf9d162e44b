import { serviceBase } from "@hearth-platform/hearth/catalogue/images";
import { mirrored } from "@hearth-platform/hearth/core/platform";
import type { ImagesArgs } from "@hearth-platform/hearth/core/platform-args";
import type { ServiceImageArgs } from "@hearth-platform/hearth/service-image/args";
import type { StackSettings } from "../../settings/stack-schema.ts";

/** The image that our own services run. It stands among the webhook's settings, also where the hub alone runs it. */

type WebhookOf = NonNullable<StackSettings["siteWebhook"]>;

/** Tag of an image that is judged before it is made: the rules need none in particular. */
const anyTag = "built";

/** The image's name as far as the settings say it; undefined where they name none. */
export function serviceImageName({
  image,
  repository,
}: Pick<WebhookOf, "image" | "repository"> = {}): string | undefined {
  return image ?? (repository && `${repository}:${anyTag}`);
}

/**
 * How the image is built, its base pulled as all images are; undefined where it is ready.
 * @param tag of all that decides on the image's content
 */
export function builtImage(
  { image, repository, baseImage = serviceBase, platforms }: Partial<WebhookOf> = {},
  images: ImagesArgs | undefined,
  tag: (build: { readonly baseImage: string; readonly platforms?: readonly string[] }) => string,
): ServiceImageArgs | undefined {
  if (image !== undefined || repository === undefined) return undefined;
  const build = { baseImage: mirrored(baseImage, images), platforms };
  return { image: `${repository}:${tag(build)}`, build: { context: "webhook", ...build } };
}
