import { defineComponent } from "../core/component.ts";
import type { SecretKey } from "../core/secret-key-args.ts";
import { secretName } from "../core/secrets.ts";
import { alerts } from "./alerts.ts";
import { hubChangeChecks } from "./changes.ts";
import { hubDefaults, type ResolvedHub } from "./defaults.ts";
import { hubNames, robotSecret } from "./hub-names.ts";
import { planHub } from "./plan.ts";
import { hubProblems } from "./rules.ts";
import { hub } from "./schema.ts";
import { accountKeys, administrator, robotUser } from "./secrets.ts";

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

/** A container-image registry (Harbor) on stores that exist already. */
export const hubComponent = defineComponent({
  name: "Hub",
  schema: hub,
  rules: hubProblems,
  ...hubChangeChecks,
  defaults: hubDefaults,
  alerts,
  stages: (args) => [[{ plan: planHub(args) }]],
  outputs: (args, generated) => ({
    endpoints: endpoints(args),
    login: login(args),
    adminUser: administrator,
    adminPassword: generated(hubNames.administrator, accountKeys.password),
    robots: robots(args),
  }),
});

function endpoints({ domain }: ResolvedHub): HubEndpoints {
  const web = `https://${domain}`;
  return { web, registry: domain, administration: `${web}/account/sign-in` };
}

function login({ domain, signOn, forgeTokens }: ResolvedHub): string {
  return `docker login ${domain}: ${person({ domain, signOn, forgeTokens })}; machines with a robot's name and password.`;
}

function person({ domain, signOn, forgeTokens }: Pick<ResolvedHub, "domain" | "signOn" | "forgeTokens">): string {
  if (!signOn) return "with your user name and password";
  if (forgeTokens)
    return `with your user name at ${signOn.issuer} and a personal access token from there, of the scope read_api to pull or api to push too, after you signed in once at https://${domain}`;
  return `with your user name and the CLI secret of your profile at https://${domain}, which no token of ${signOn.issuer} replaces`;
}

function robots({ robots: all, platform }: ResolvedHub): Record<string, HubRobotConnection> {
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
