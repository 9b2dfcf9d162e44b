import { error } from "@hearth-platform/hearth/core/problems";
import { serviceImageComponent } from "@hearth-platform/hearth/service-image/component";
import { type Area, ofSettings, only } from "../area.ts";

const readyAndBuilt = error(
  "image",
  "siteWebhook.image",
  "There is a repository too. hearth can use an existing image or build one, not both.",
  "Keep one of them.",
);

/** The image of our own services, where the stack builds it. Its settings stand among the webhook's. */
export const serviceImageArea: Area<Record<never, never>, "ServiceImage"> = {
  settings: {},
  component: serviceImageComponent,
  after: [],
  parts: (_, { serviceImage }) => only("service-image", serviceImage.built),
  rules: [
    ofSettings(["siteWebhook"], ({ siteWebhook }) =>
      siteWebhook?.image && siteWebhook.repository ? [readyAndBuilt] : [],
    ),
  ],
};
