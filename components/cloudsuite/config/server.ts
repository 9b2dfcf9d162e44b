import type { ResolvedPlatform } from "../../core/platform-schema.ts";
import type { ResolvedSuite } from "../schema.ts";
import { phpConfiguration } from "./php.ts";

/** Hour of the day (UTC) from which Nextcloud may run its heavy daily jobs, for four hours. */
const maintenanceWindowStart = 1;

/** `server.config.php`: addresses without index.php, no upgrade from the browser, heavy jobs at night, calls to its makers as the stack wants them. */
export function serverConfiguration(
  { suiteUpdateCheck, suiteLookupServer }: ResolvedPlatform["privacy"],
  internet: boolean,
): string {
  return phpConfiguration({
    "htaccess.RewriteBase": "/",
    "upgrade.disable-web": true,
    maintenance_window_start: maintenanceWindowStart,
    // A number of each pod's own, from 0 to 511, by which it makes ids that no other pod makes.
    serverid: { expression: "hexdec(substr(hash('xxh32', gethostname()), -3)) & 0x1FF" },
    ...(!suiteUpdateCheck && { updatechecker: false }),
    ...(!suiteLookupServer && { lookup_server: "" }),
    // No variable: a setup check takes nothing but this for a suite without. (apps/settings/lib/SetupChecks/InternetConnectivity.php)
    ...(!internet && { has_internet_connection: false }),
  });
}

/**
 * `domain.config.php`: hosts the suite answers to, its own address for links made without a request, and the proxies before it.
 * Read at every request, so a changed domain needs no step by hand; `overwritehost` and `overwriteprotocol` are set by environment.
 */
export function domainConfiguration(domain: string, trustedProxies: readonly string[]): string {
  return phpConfiguration({
    trusted_domains: [domain],
    "overwrite.cli.url": `https://${domain}`,
    trusted_proxies: [...trustedProxies],
  });
}

/**
 * `sign-on.config.php`. With soft provisioning, which is the app's default, a user of the provider would sign on as whoever has that
 * name here, the administrator too. (nextcloud/user_oidc lib/Controller/LoginController.php)
 */
export function signOnConfiguration({ name, issuer }: NonNullable<ResolvedSuite["signOn"]>): string {
  return phpConfiguration({
    user_oidc: {
      auto_provision: true,
      soft_auto_provision: false,
      login_label: name ?? URL.parse(issuer)?.host ?? issuer,
    },
  });
}

/** `.htaccess` of the configuration directory: no file of it is ever served. The image ships one, which the mounted files displace. */
export const configurationHtaccess = "Require all denied\n";

/**
 * `apps.config.php`: the image's own apps read-only, apps from the store on the volume, those that came as an image read-only.
 * (nextcloud/docker .config/apps.config.php)
 */
export function appsConfiguration(imageApps?: string): string {
  return phpConfiguration({
    apps_paths: [
      { path: { expression: "OC::$SERVERROOT . '/apps'" }, url: "/apps", writable: false },
      { path: { expression: "OC::$SERVERROOT . '/custom_apps'" }, url: "/custom_apps", writable: true },
      ...(imageApps === undefined ? [] : [{ path: imageApps, url: imageApps, writable: false }]),
    ],
  });
}
