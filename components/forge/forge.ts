import type { Secret } from "@pulumi/kubernetes/core/v1/secret.js";
import * as pulumi from "@pulumi/pulumi";
import type { SecretKey } from "../connections.ts";
import { type CreatedPlan, createPlan } from "../create.ts";
import { guarded, requireValid } from "../guard.ts";
import { secretName } from "../secrets.ts";
import type { ForgeArgs } from "./args.ts";
import { forgeChanges } from "./changes.ts";
import { applicationNames, forgeNames } from "./forge-names.ts";
import { planForge } from "./plan.ts";
import { forgeFaults } from "./rules.ts";
import { administrator, administratorKeys, applicationKeys } from "./secrets.ts";

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

/** How an application signs on with the forge. */
export interface ForgeApplicationConnection {
  /** The forge as it names itself in tokens: its public URL. */
  issuer: string;
  /** Where the client's id is, in the forge's namespace. */
  clientId: SecretKey;
  /** Where the client's secret is, in the forge's namespace. */
  clientSecret: SecretKey;
}

/**
 * A code-hosting platform (GitLab) on stores that exist already.
 * @throws pulumi.InputPropertiesError with every fault of the arguments
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
    requireValid(name, forgeFaults(args));
    super(type, name, args, guarded(type, name, forgeChanges, opts));
    const created = createPlan(this, name, planForge(args), {
      allowDataLoss: args.platform.allowDataLoss,
      dependsOn: opts?.dependsOn,
    });
    this.endpoints = endpoints(args);
    this.adminUser = administrator;
    this.adminPassword = generatedPassword(created);
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
    ...(ssh && { ssh: `ssh://git@${ssh.domain ?? domain}:${ssh.port ?? 22}` }),
    ...(pages && { pages: `https://*.${pages.domain}` }),
  };
}

function applicationConnections({ applications, domain, platform }: ForgeArgs) {
  return Object.fromEntries(
    (applications ?? []).map(({ name }) => {
      const secret = secretName(platform.secrets, applicationNames(name).secret);
      const connection: ForgeApplicationConnection = {
        issuer: `https://${domain}`,
        clientId: { name: secret, key: applicationKeys.id },
        clientSecret: { name: secret, key: applicationKeys.secret },
      };
      return [name, connection];
    }),
  );
}

function generatedPassword(created: CreatedPlan): pulumi.Output<string> | undefined {
  const secret = created.get(`Secret/${forgeNames.administrator}`) as Secret | undefined;
  return secret?.data.apply((data) => Buffer.from(data[administratorKeys.password] ?? "", "base64").toString());
}
