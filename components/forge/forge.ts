import * as pulumi from "@pulumi/pulumi";
import { widened } from "../catalogue/widening.ts";
import { checkArguments } from "../core/arguments.ts";
import { createPlan, generatedValue } from "../core/create.ts";
import { keptFromDestroy, protectedNames } from "../core/destroy-guard.ts";
import { guarded, requireValid } from "../core/guard.ts";
import { recordedBy } from "../core/refusals.ts";
import { defaultOf } from "../core/schema.ts";
import { applicationConnection, type ForgeApplicationConnection } from "./applications.ts";
import type { ForgeArgs } from "./args.ts";
import { forgeGuard } from "./changes.ts";
import { forgeNames } from "./forge-names.ts";
import { planForge } from "./plan.ts";
import { forgeProblems } from "./rules.ts";
import { forge, forgeSsh } from "./schema.ts";
import { administrator, administratorKeys } from "./secrets.ts";

const type = "hearth:index:Forge";

/** Public addresses of a forge. */
export interface ForgeEndpoints {
  /** Web, API and git over HTTPS. */
  web: string;
  /** Git over SSH, `ssh://git@host:port`; none without `ssh`. */
  ssh?: string;
  /** Static sites, with the wildcard; none without `pages`. */
  pages?: string;
}

/**
 * A code-hosting platform (GitLab) on stores that exist already.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class Forge extends pulumi.ComponentResource {
  /** Public addresses. */
  public readonly endpoints: ForgeEndpoints;
  /** Name the administrator signs in with at first. */
  public readonly adminUser: string;
  /** Password the administrator signs in with at first, secret; none where its Secret comes from a store or exists already. */
  public readonly adminPassword?: pulumi.Output<string>;
  /** How each application signs on, by its name. */
  public readonly applications: Record<string, ForgeApplicationConnection>;

  constructor(name: string, args: ForgeArgs, opts?: pulumi.ComponentResourceOptions) {
    requireValid(name, widened(checkArguments(forge, args, forgeProblems), args, args.platform?.limits));
    const plan = planForge(args);
    const { allowDataLoss } = args.platform;
    const checked = guarded(type, name, forgeGuard.changes, opts, forgeGuard.creation);
    super(type, name, recordedBy(forgeGuard, args), keptFromDestroy(protectedNames(plan, allowDataLoss), checked));
    const created = createPlan(this, name, plan, {
      allowDataLoss,
      dependsOn: opts?.dependsOn,
    });
    this.endpoints = endpoints(args);
    this.adminUser = administrator;
    this.adminPassword = generatedValue(created, forgeNames.administrator, administratorKeys.password);
    this.applications = applicationConnections(args);
    this.registerOutputs({
      endpoints: this.endpoints,
      adminUser: this.adminUser,
      adminPassword: this.adminPassword,
      applications: this.applications,
    });
  }
}

function endpoints({ domain, ssh, pages }: ForgeArgs): ForgeEndpoints {
  return {
    web: `https://${domain}`,
    ...(ssh && { ssh: `ssh://git@${ssh.domain ?? domain}:${ssh.port ?? defaultOf(forgeSsh.shape.port)}` }),
    ...(pages && { pages: `https://*.${pages.domain}` }),
  };
}

function applicationConnections(args: ForgeArgs): Record<string, ForgeApplicationConnection> {
  return Object.fromEntries((args.applications ?? []).map(({ name }) => [name, applicationConnection(args, name)]));
}
