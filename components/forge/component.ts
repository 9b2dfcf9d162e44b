import { defineComponent } from "../core/component.ts";
import { alerts } from "./alerts.ts";
import { applicationConnection, type ForgeApplicationConnection } from "./applications.ts";
import { forgeChangeChecks } from "./changes.ts";
import { forgeDefaults, type ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { planForge } from "./plan.ts";
import { forgeProblems } from "./rules.ts";
import { forge } from "./schema.ts";
import { administrator, administratorKeys } from "./secrets.ts";

/** Public addresses of a forge. */
export interface ForgeEndpoints {
  /** Web, API and git over HTTPS. */
  web: string;
  /** Git over SSH, `ssh://git@host:port`; none without `ssh`. */
  ssh?: string;
  /** Static sites, with the wildcard; none without `pages`. */
  pages?: string;
}

/** A code-hosting platform (GitLab) on stores that exist already. */
export const forgeComponent = defineComponent({
  name: "Forge",
  schema: forge,
  rules: forgeProblems,
  ...forgeChangeChecks,
  defaults: forgeDefaults,
  alerts,
  stages: (args) => [[{ plan: planForge(args) }]],
  outputs: (args, generated) => ({
    endpoints: endpoints(args),
    adminUser: administrator,
    adminPassword: generated(forgeNames.administrator, administratorKeys.password),
    applications: applicationConnections(args),
  }),
});

function endpoints({ domain, ssh, pages }: ResolvedForge): ForgeEndpoints {
  return {
    web: `https://${domain}`,
    ...(ssh && { ssh: `ssh://git@${ssh.domain}:${ssh.port}` }),
    ...(pages && { pages: `https://*.${pages.domain}` }),
  };
}

function applicationConnections(args: ResolvedForge): Record<string, ForgeApplicationConnection> {
  return Object.fromEntries(args.applications.map(({ name }) => [name, applicationConnection(args, name)]));
}
