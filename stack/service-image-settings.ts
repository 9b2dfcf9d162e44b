import { rulesOn } from "@hearth-platform/hearth/core/arguments";
import { error } from "@hearth-platform/hearth/core/problems";
import type { ServiceImageArgs } from "@hearth-platform/hearth/service-image/args";
import { StackSettings } from "./stack-schema.ts";

/** The image that our own services run. It stands among the webhook's settings, also where the hub alone runs it. */

type WebhookOf = NonNullable<StackSettings["siteWebhook"]>;

/** Tag of an image that is judged before it is made: the rules need none in particular. */
const anyTag = "built";

/** The image's name; undefined where the settings name none. */
export function serviceImageName(
  { image, repository }: Pick<WebhookOf, "image" | "repository"> = {},
  tag: string = anyTag,
): string | undefined {
  return image ?? (repository && `${repository}:${tag}`);
}

/** How the image is built; undefined where it is ready. */
export function builtImage(siteWebhook: WebhookOf | undefined, tag: string = anyTag): ServiceImageArgs | undefined {
  const { image, repository, baseImage, platforms } = siteWebhook ?? {};
  if (image !== undefined || repository === undefined) return undefined;
  return { image: `${repository}:${tag}`, build: { context: "webhook", baseImage, platforms } };
}

/** What does not fit together in the image's settings. */
export const serviceImageSettingsRules = [
  rulesOn(StackSettings)(["siteWebhook"], ({ siteWebhook }) =>
    siteWebhook?.image && siteWebhook.repository ? [readyAndBuilt] : [],
  ),
];

const readyAndBuilt = error(
  "image",
  "siteWebhook.image",
  "There is a repository too. hearth can use an existing image or build one, not both.",
  "Keep one of them.",
);
