import * as pulumi from "@pulumi/pulumi";
import { begin } from "../core/create-component.ts";
import type { SiteWebhookArgs } from "./args.ts";
import { siteWebhookComponent } from "./component.ts";

/**
 * Static sites, and a webhook that makes one sync at once when a git hosting provider reports a push.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class SiteWebhook extends pulumi.ComponentResource {
  /** Address of each site by `<namespace>/<name>`, to be called with POST; none where the webhook is not enabled. */
  public readonly urls!: Record<string, string>;
  /** Image that is deployed, known at preview; none where the webhook is not enabled. */
  public readonly image?: string;
  /** Secret that callers have to prove, secret; none where they need none, or its Secret comes from a store or exists already. */
  public readonly secret?: pulumi.Output<string>;

  constructor(name: string, args: SiteWebhookArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(siteWebhookComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
