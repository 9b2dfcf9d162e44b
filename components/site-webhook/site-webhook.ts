import * as pulumi from "@pulumi/pulumi";
import { checkArguments } from "../core/arguments.ts";
import { createPlan, generatedValue } from "../core/create.ts";
import { guarded, requireValid } from "../core/guard.ts";
import { recorded } from "../core/recorded.ts";
import type { SiteWebhookArgs } from "./args.ts";
import { siteWebhookChanges } from "./changes.ts";
import { planSiteWebhook } from "./plan.ts";
import { siteWebhookProblems } from "./rules.ts";
import { siteWebhook } from "./schema.ts";
import { siteUrls } from "./sites.ts";
import { webhookNames } from "./webhook-names.ts";
import { secretKey } from "./workload.ts";

const type = "hearth:index:SiteWebhook";

/**
 * Static sites, and a webhook that makes one sync at once when a git hosting provider reports a push.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class SiteWebhook extends pulumi.ComponentResource {
  /** Address of each site by `<namespace>/<name>`, to be called with POST; none where the webhook is not enabled. */
  public readonly urls: Record<string, string>;
  /** Image that is deployed, known at preview; none where the webhook is not enabled. */
  public readonly image?: string;
  /** Secret that callers have to prove, secret; none where they need none, or its Secret comes from a store or exists already. */
  public readonly secret?: pulumi.Output<string>;

  constructor(name: string, args: SiteWebhookArgs, opts?: pulumi.ComponentResourceOptions) {
    requireValid(name, checkArguments(siteWebhook, args, siteWebhookProblems));
    super(type, name, recorded(args), guarded(type, name, siteWebhookChanges, opts));
    const plan = planSiteWebhook(args);
    const { allowDataLoss } = args.platform;

    for (const { namespace, plan: sites } of plan.sites)
      createPlan(this, `${name}/${namespace}`, sites, { allowDataLoss, dependsOn: opts?.dependsOn });
    const foundation = createPlan(this, name, plan.foundation, { allowDataLoss, dependsOn: opts?.dependsOn });
    createPlan(this, name, plan.application, {
      allowDataLoss,
      dependsOn: [...foundation.values()],
    });

    this.urls = args.enabled ? siteUrls(args) : {};
    this.image = args.enabled ? args.image : undefined;
    this.secret = generatedValue(foundation, webhookNames.secret, secretKey);
    this.registerOutputs({ urls: this.urls, image: this.image, secret: this.secret });
  }
}
