import { ports } from "../../catalogue/ports.ts";
import { type ForgeConfiguration, secretPath } from "../configuration.ts";
import { internalUrl } from "./addresses.ts";
import { forgeContainerPorts } from "./ports.ts";

/** Path of the sites' health, which no site can have. */
export const pagesStatusPath = "/-/readiness";

/** `config` of the sites' server: flags, one a line. (gitlab-org/charts charts/gitlab/charts/gitlab-pages/templates/configmap.yml) */
export function pagesConfiguration(
  { namespace, domain }: ForgeConfiguration,
  pages: NonNullable<ForgeConfiguration["pages"]>,
): string {
  const flags = {
    "listen-proxy": `:${ports.forgePages}`,
    "listen-http": `:${forgeContainerPorts.pagesHealth}`,
    "metrics-address": `:${forgeContainerPorts.pagesMetrics}`,
    "pages-domain": pages.domain,
    "pages-root": "/srv/gitlab-pages",
    "pages-status": pagesStatusPath,
    "gitlab-server": `https://${domain}`,
    "internal-gitlab-server": internalUrl(namespace),
    "artifacts-server": `${internalUrl(namespace)}/api/v4`,
    "api-secret-key": secretPath("pages", "pagesSecret"),
    "redirect-http": "false",
    "log-format": "json",
  };
  const lines = Object.entries(flags).map(([flag, value]) => `${flag}=${value}\n`);
  return lines.join("");
}
