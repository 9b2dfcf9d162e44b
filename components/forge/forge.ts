import * as pulumi from "@pulumi/pulumi";
import { begin } from "../core/create-component.ts";
import type { ForgeApplicationConnection } from "./applications.ts";
import type { ForgeArgs } from "./args.ts";
import { type ForgeEndpoints, forgeComponent } from "./component.ts";

/**
 * A code-hosting platform (GitLab) on stores that exist already.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class Forge extends pulumi.ComponentResource {
  /** Public addresses. */
  public readonly endpoints!: ForgeEndpoints;
  /** Name the administrator signs in with at first. */
  public readonly adminUser!: string;
  /** Password the administrator signs in with at first, secret; none where its Secret comes from a store or exists already. */
  public readonly adminPassword?: pulumi.Output<string>;
  /** How each application signs on, by its name. */
  public readonly applications!: Record<string, ForgeApplicationConnection>;

  constructor(name: string, args: ForgeArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(forgeComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
