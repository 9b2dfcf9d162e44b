import * as pulumi from "@pulumi/pulumi";
import { problemsOf, typeOf } from "../core/component.ts";
import { requireValid } from "../core/create-component.ts";
import type { ServiceImageArgs } from "./args.ts";
import { serviceImageComponent } from "./component.ts";
import { pushedImage } from "./image.ts";

/** The webhook made it itself once. */
const former = { name: "site-webhook", type: "hearth:index:SiteWebhook" };

/**
 * The image of the platform's own services, built and pushed once for all that run it.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class ServiceImage extends pulumi.ComponentResource {
  /** Its name, known at preview. */
  public readonly image: string;
  /** Digest it was pushed with. */
  public readonly digest: pulumi.Output<string>;

  constructor(name: string, args: ServiceImageArgs, opts?: pulumi.ComponentResourceOptions) {
    requireValid(name, problemsOf(serviceImageComponent, args));
    super(typeOf(serviceImageComponent), name, args, opts);
    const pushed = pushedImage(`${name}/image`, args.image, args.build, {
      parent: this,
      aliases: [{ name: `${former.name}/image`, parent: pulumi.createUrn(former.name, former.type) }],
    });
    this.image = args.image;
    this.digest = pushed.digest;
    this.registerOutputs({ image: this.image, digest: this.digest });
  }
}
