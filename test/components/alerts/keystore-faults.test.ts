import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, test } from "vitest";
import { freePort } from "../../support/free-ports.ts";
import { type KeystoreServer, startKeystore } from "../../support/keystore-server.ts";
import { Prometheus } from "../../support/prometheus.ts";
import { systemProgram } from "../../support/system-programs.ts";

/** Faults of a real Redis, read by a real exporter and judged by a real Prometheus with the rules of stack `prod`: each fires its alert and no other. */

let keystore: KeystoreServer;
let exporter: ReturnType<typeof execa>;
let prometheus: Prometheus;

beforeAll(async () => {
  keystore = await startKeystore("--maxmemory", "20mb", "--maxmemory-policy", "noeviction", "--maxclients", "50");
  const address = `127.0.0.1:${await freePort()}`;
  exporter = execa(systemProgram("prometheus-redis-exporter"), ["-web.listen-address", address], {
    reject: false,
    env: { REDIS_ADDR: `unix://${join(keystore.folder, "socket")}` },
    stdio: "ignore",
  });
  const labels = { namespace: "platform", pod: "keystore-exporter-1" };
  prometheus = await Prometheus.start(["platform/keystore"], [{ job: "platform/keystore-exporter", address, labels }]);
  await prometheus.sees("redis_up", "1");
});

afterAll(async () => {
  await prometheus?.[Symbol.asyncDispose]();
  exporter?.kill();
  await exporter;
  await keystore?.[Symbol.asyncDispose]();
});

test("a keystore whose memory is full fires its alert, until there is room again", async () => {
  await prometheus.fires();
  await keystore.run("eval", "for i=1,36 do redis.call('set','k'..i,string.rep('x',500000)) end", "0");
  await prometheus.fires("HearthKeystoreNearlyFull");
  await keystore.run("flushall");
  await prometheus.fires();
}, 400_000);

test("a keystore that can't write its snapshot fires its alert, until it can", async () => {
  const snapshot = join(keystore.folder, "dump.rdb");
  mkdirSync(snapshot);
  await keystore.run("bgsave");
  await prometheus.fires("HearthKeystoreCannotSave");
  rmdirSync(snapshot);
  await keystore.run("bgsave");
  await prometheus.fires();
}, 400_000);

test("a keystore that is away, and then its exporter, fire an alert each", async () => {
  await keystore.run("shutdown", "nosave");
  await prometheus.fires("HearthKeystoreDown");
  exporter.kill();
  await prometheus.fires("HearthKeystoreUnknown");
}, 400_000);
