import { cacheConfiguration, sessionsConfiguration } from "@hearth-platform/hearth/cloudsuite/config/keystore";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KeystoreServer, startKeystore } from "../../support/keystore-server.ts";

/** What a real keystore of a suite holds after a flush, with keys as Nextcloud and PHP name them. */

const connection = { host: "keystore.team.svc", port: 6379 };
/** Nextcloud's Redis client takes one database for all of these. (nextcloud/server lib/private/RedisFactory.php, lib/private/Memcache/Factory.php) */
const ofNextcloud = [
  "0a1b/lock/files/5f2c",
  "0a1b/chunking-v2/web-file-upload-1",
  "0a1b/OC\\Security\\RateLimiting/x",
  "0a1b/avatar/1",
];
/** (phpredis/phpredis redis_session.c) */
const ofPhp = ["PHPREDIS_SESSION:5c1f", "PHPREDIS_SESSION:5c1f_LOCK"];

let keystore: KeystoreServer;
beforeAll(async () => {
  keystore = await startKeystore();
  const [, cache = ""] = /'dbindex' => (\d+)/.exec(cacheConfiguration(connection)) ?? [];
  const [, sessions = ""] = /\?database=(\d+)/.exec(sessionsConfiguration(connection)) ?? [];
  for (const key of ofNextcloud) await keystore.run("-n", cache, "set", key, "1");
  for (const key of ofPhp) await keystore.run("-n", sessions, "set", key, "1");
});
afterAll(() => keystore[Symbol.asyncDispose]());

test("a flush of database 0 takes nothing of a suite; one of database 1 signs nobody out", async () => {
  await keystore.run("-n", "0", "flushdb");
  expect([await keystore.keys(1), await keystore.keys(2)]).toEqual([[...ofNextcloud].sort(), ofPhp]);
  await keystore.run("-n", "1", "flushdb");
  expect([await keystore.keys(1), await keystore.keys(2)]).toEqual([[], ofPhp]);
});
