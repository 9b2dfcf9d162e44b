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

/**
 * `sessions.ini` of PHP: sessions in the keystore, so that any pod can serve any request. It takes the place of the file that
 * the image's entrypoint would write below a root that is read-only here. PHP puts the password in from the environment;
 * it is not encoded there, which is why it is made of alphanumerics only.
 */
export function sessionsConfiguration(keystore: KeystoreConnection): string {
  const auth = keystore.password ? `&auth=\${${environmentNames.keystorePassword}}` : "";
  return [
    "session.save_handler = redis",
    `session.save_path = "tcp://${keystore.host}:${keystore.port}?database=${keystoreDatabases.cloudsuiteSessions}${auth}"`,
    "redis.session.locking_enabled = 1",
    "redis.session.lock_retries = -1",
    "redis.session.lock_wait_time = 10000",
    "",
  ].join("\n");
}
