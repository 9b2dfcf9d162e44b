import { proxies } from "../core/platform.ts";
import { appParts } from "./apps/registry.ts";
import { cacheConfiguration, sessionsConfiguration } from "./config/keystore.ts";
import { objectStoreConfiguration } from "./config/object-store.ts";
import { appsConfiguration, configurationHtaccess, domainConfiguration, serverConfiguration } from "./config/server.ts";
import type { ResolvedSuite } from "./schema.ts";
import { suiteKeystoreConnection, suiteObjectStoreConnection } from "./stores.ts";

/** Files of Nextcloud's configuration directory by name. Mounting one keeps the image from copying its own, so these are all. */
export function configurationFiles(args: ResolvedSuite): Record<string, string> {
  return {
    ".htaccess": configurationHtaccess,
    "apps.config.php": appsConfiguration(),
    "cache.config.php": cacheConfiguration(suiteKeystoreConnection(args)),
    "domain.config.php": domainConfiguration(args.domain, trustedProxies(args)),
    "object-store.config.php": objectStoreConfiguration(suiteObjectStoreConnection(args), args.s3.buckets.data),
    "server.config.php": serverConfiguration(args.platform.privacy),
    ...Object.assign({}, ...appParts(args).map(({ suiteFiles }) => suiteFiles)),
  };
}

/** Proxies whose word on the caller's address is taken: those before the suite, and the pods, among which the push server is one. */
function trustedProxies({ platform, push }: ResolvedSuite): string[] {
  return [...new Set([...proxies(platform.ingress), ...(push?.enabled ? (platform.clusterNetworks ?? []) : [])])];
}

/** Files of PHP's own configuration directory by name. */
export function phpFiles(args: ResolvedSuite): Record<string, string> {
  return { "sessions.ini": sessionsConfiguration(suiteKeystoreConnection(args)) };
}
