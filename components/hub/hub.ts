import * as pulumi from "@pulumi/pulumi";
import { begin } from "../core/create-component.ts";
import type { SecretKey } from "../stores/connections-args.ts";
import type { HubArgs } from "./args.ts";
import { hubComponent } from "./component.ts";

/** Public addresses of a hub. */
export interface HubEndpoints {
  /** Web UI and management API. */
  web: string;
  /** Prefix of all image names, and the server for `docker login`. */
  registry: string;
  /** Where the administrator signs in, also with sign-on. */
  administration: string;
}

/** How a machine signs in. */
export interface HubRobotConnection {
  /** Its name for `docker login`. */
  user: string;
  /** Where its password is, in the hub's namespace. */
  password: SecretKey;
}

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
