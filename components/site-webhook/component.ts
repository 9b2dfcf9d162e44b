import { defineComponent } from "../core/component.ts";
import { siteWebhookChanges } from "./changes.ts";
import { siteWebhookDefaults } from "./defaults.ts";
import { siteWebhookStages } from "./plan.ts";
import { siteWebhookProblems } from "./rules.ts";
import { siteWebhook } from "./schema.ts";
import { siteUrls } from "./sites.ts";
import { webhookNames } from "./webhook-names.ts";
import { checkSecretKey, webhookAlerts } from "./workload.ts";

/** Static sites, and a webhook that makes one sync at once when a git hosting provider reports a push. */
export const siteWebhookComponent = defineComponent({
  name: "SiteWebhook",
  schema: siteWebhook,
  rules: siteWebhookProblems,
  changes: siteWebhookChanges,
  defaults: siteWebhookDefaults,
  alerts: webhookAlerts,
  stages: siteWebhookStages,
  outputs: (args, generated) => ({
    urls: args.enabled ? siteUrls(args) : {},
    image: args.enabled ? args.image : undefined,
    secret: generated(webhookNames.secret, checkSecretKey),
  }),
});
