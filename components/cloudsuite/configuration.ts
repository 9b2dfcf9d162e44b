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
    "domain.config.php": domainConfiguration(args.domain, proxies(args.platform.ingress)),
    "object-store.config.php": objectStoreConfiguration(suiteObjectStoreConnection(args), args.s3.buckets.data),
    "server.config.php": serverConfiguration(args.platform.privacy),
    ...Object.assign({}, ...appParts(args).map(({ suiteFiles }) => suiteFiles)),
  };
}

/** Files of PHP's own configuration directory by name. */
export function phpFiles(args: ResolvedSuite): Record<string, string> {
  return { "sessions.ini": sessionsConfiguration(suiteKeystoreConnection(args)) };
}
