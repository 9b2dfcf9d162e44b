import * as pulumi from "@pulumi/pulumi";
import { begin } from "../core/create-component.ts";
import type { CloudSuiteArgs } from "./args.ts";
import { type CloudSuiteConnections, type CloudSuiteEndpoints, cloudSuiteComponent } from "./component.ts";

/**
 * A collaboration suite (Nextcloud) in a namespace of its own, with its database, keystore, buckets, office and whiteboard.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class CloudSuite extends pulumi.ComponentResource {
  /** Public URLs. */
  public readonly endpoints!: CloudSuiteEndpoints;
  /** Name the administrator signs in with at first; none where its Secret exists already. */
  public readonly adminUser?: string;
  /** Password the administrator signs in with at first, secret; none where its Secret comes from a store or exists already. */
  public readonly adminPassword?: pulumi.Output<string>;
  /** How the suite reaches its stores. */
  public readonly connections!: CloudSuiteConnections;

  constructor(name: string, args: CloudSuiteArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(cloudSuiteComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
