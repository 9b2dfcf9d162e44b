import * as pulumi from "@pulumi/pulumi";
import { begin } from "../core/create-component.ts";
import type { HubArgs } from "./args.ts";
import { type HubEndpoints, type HubRobotConnection, hubComponent } from "./component.ts";

/**
 * A container-image registry (Harbor) on stores that exist already.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class Hub extends pulumi.ComponentResource {
  /** Public addresses. */
  public readonly endpoints!: HubEndpoints;
  /** How people and machines run `docker login`, as a sentence. */
  public readonly login!: string;
  /** Name the administrator signs in with at first. */
  public readonly adminUser!: string;
  /** Password the administrator signs in with at first, secret; none where its Secret comes from a store or exists already. */
  public readonly adminPassword?: pulumi.Output<string>;
  /** How each robot signs in, by its name. */
  public readonly robots!: Record<string, HubRobotConnection>;

  constructor(name: string, args: HubArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(hubComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
