import * as pulumi from "@pulumi/pulumi";
import { checkArguments } from "../core/arguments.ts";
import { createPlan, generatedValue } from "../core/create.ts";
import { keptFromDestroy, protectedNames } from "../core/destroy-guard.ts";
import { guarded, requireValid } from "../core/guard.ts";
import { recordedBy } from "../core/refusals.ts";
import { secretName } from "../core/secrets.ts";
import type { SecretKey } from "../stores/connections-args.ts";
import type { HubArgs } from "./args.ts";
import { hubGuard } from "./changes.ts";
import { hubNames, robotSecret } from "./hub-names.ts";
import { planHub } from "./plan.ts";
import { hubProblems } from "./rules.ts";
import { hub } from "./schema.ts";
import { accountKeys, administrator, robotUser } from "./secrets.ts";

const type = "hearth:index:Hub";

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
  public readonly endpoints: HubEndpoints;
  /** How people and machines run `docker login`, as a sentence. */
  public readonly login: string;
  /** Name the administrator signs in with at first. */
  public readonly adminUser: string;
  /** Password the administrator signs in with at first, secret; none where its Secret comes from a store or exists already. */
  public readonly adminPassword?: pulumi.Output<string>;
  /** How each robot signs in, by its name. */
  public readonly robots: Record<string, HubRobotConnection>;

  constructor(name: string, args: HubArgs, opts?: pulumi.ComponentResourceOptions) {
    requireValid(name, checkArguments(hub, args, hubProblems));
    const plan = planHub(args);
    const { allowDataLoss } = args.platform;
    const checked = guarded(type, name, hubGuard.changes, opts, hubGuard.creation);
    super(type, name, recordedBy(hubGuard, args), keptFromDestroy(protectedNames(plan, allowDataLoss), checked));
    const created = createPlan(this, name, plan, {
      allowDataLoss,
      dependsOn: opts?.dependsOn,
    });
    const web = `https://${args.domain}`;
    this.endpoints = { web, registry: args.domain, administration: `${web}/account/sign-in` };
    this.login = login(args);
    this.adminUser = administrator;
    this.adminPassword = generatedValue(created, hubNames.administrator, accountKeys.password);
    this.robots = robots(args);
    this.registerOutputs({
      endpoints: this.endpoints,
      login: this.login,
      adminUser: this.adminUser,
      adminPassword: this.adminPassword,
      robots: this.robots,
    });
  }
}

function login({ domain, signOn, forgeTokens }: HubArgs): string {
  return `docker login ${domain}: ${person({ domain, signOn, forgeTokens })}; machines with a robot's name and password.`;
}

function person({ domain, signOn, forgeTokens }: Pick<HubArgs, "domain" | "signOn" | "forgeTokens">): string {
  if (!signOn) return "with your user name and password";
  if (forgeTokens)
    return `with your user name at ${signOn.issuer} and a personal access token from there, of the scope read_api to pull or api to push too, after you signed in once at https://${domain}`;
  return `with your user name and the CLI secret of your profile at https://${domain}, which no token of ${signOn.issuer} replaces`;
}

function robots({ robots: all = [], platform }: HubArgs): Record<string, HubRobotConnection> {
  return Object.fromEntries(
    all.map(({ name }) => [
      name,
      {
        user: robotUser(name),
        password: { name: secretName(platform.secrets, robotSecret(name)), key: accountKeys.password },
      },
    ]),
  );
}
