import * as pulumi from "@pulumi/pulumi";
import { begin } from "../core/create-component.ts";
import type { DashboardsArgs } from "./args.ts";
import { dashboardsComponent } from "./component.ts";

/**
 * Dashboards for Grafana, as ConfigMaps that its sidecar reads.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class Dashboards extends pulumi.ComponentResource {
  constructor(name: string, args: DashboardsArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(dashboardsComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
