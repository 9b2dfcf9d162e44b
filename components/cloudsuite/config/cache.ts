import { keystoreDatabases } from "../../catalogue/keystore-databases.ts";
import type { KeystoreConnection } from "../../stores/connections-args.ts";
import { environmentNames } from "../environment-names.ts";
import { environmentVariable, type PhpArray, phpConfiguration } from "./php.ts";

/** `cache.config.php`: APCu inside a pod; the keystore for what pods share, file locks included. */
export function cacheConfiguration(keystore: KeystoreConnection): string {
  const password: PhpArray = keystore.password
    ? { password: environmentVariable(environmentNames.keystorePassword) }
    : {};
  return phpConfiguration({
    "memcache.local": "\\OC\\Memcache\\APCu",
    "memcache.distributed": "\\OC\\Memcache\\Redis",
    "memcache.locking": "\\OC\\Memcache\\Redis",
    redis: { host: keystore.host, port: keystore.port, dbindex: keystoreDatabases.cloudsuite, ...password },
  });
}
