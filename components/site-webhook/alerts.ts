// Written by `npm run generate` from the files in alerts/: add one there.
import { siteWebhookDown } from "./alerts/site-webhook-down.ts";
import { siteWebhookFails } from "./alerts/site-webhook-fails.ts";

/** What users of the component are told. */
export const alerts = [
  siteWebhookDown,
  siteWebhookFails,
];
