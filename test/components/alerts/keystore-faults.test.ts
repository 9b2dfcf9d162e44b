import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PrometheusRule } from "@hearth-platform/hearth/kubernetes/custom-resources/prometheus-rule";
import { stackPlans } from "@hearth-platform/stack/parts";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { stringify } from "yaml";
import { freePort } from "../../support/free-ports.ts";
import { type KeystoreServer, startKeystore } from "../../support/keystore-server.ts";
import { checkFiles, committedStack } from "../../support/stack-files.ts";
import { systemProgram } from "../../support/system-programs.ts";

/**
 * Faults of a real Redis, read by a real exporter and judged by a real Prometheus with the rules of stack `prod`: each fires its alert and no
 * other. Rules wait for nothing here; how long they wait is judged by `promtool` with the cases of each alert.
 */

const folder = mkdtempSync(join(tmpdir(), "hearth-faults-"));
const processes: ReturnType<typeof execa>[] = [];
let keystore: KeystoreServer;
let exporter: ReturnType<typeof execa>;
let address: string;

function start(program: string, args: string[], env: Record<string, string> = {}) {
  const started = execa(systemProgram(program), args, { reject: false, env, stdio: "ignore" });
  processes.push(started);
  return started;
}

beforeAll(async () => {
  const { stack } = checkFiles(committedStack("prod"));
  const planned = stack ? stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object)) : [];
  const { spec } = planned.find(
    ({ kind, metadata: { name, namespace } }) => `${kind} ${namespace}/${name}` === "PrometheusRule platform/keystore",
  ) as PrometheusRule;
  const groups = spec.groups?.map((group) => ({
    ...group,
    rules: group.rules?.map((rule) => ({ ...rule, for: "0s" })),
  }));
  writeFileSync(join(folder, "rules.yaml"), stringify({ groups }));

  keystore = await startKeystore("--maxmemory", "20mb", "--maxmemory-policy", "noeviction", "--maxclients", "50");
  const [metrics, web] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  exporter = start("prometheus-redis-exporter", ["-web.listen-address", metrics], {
    REDIS_ADDR: `unix://${join(keystore.folder, "socket")}`,
  });
  // The labels that the operator gives to what the monitor selects.
  const labels = { namespace: "platform", pod: "keystore-exporter-1" };
  const configuration = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: ["rules.yaml"],
    scrape_configs: [{ job_name: "platform/keystore-exporter", static_configs: [{ targets: [metrics], labels }] }],
  };
  writeFileSync(join(folder, "prometheus.yaml"), stringify(configuration));
  start("prometheus", [
    `--config.file=${join(folder, "prometheus.yaml")}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=${web}`,
  ]);
  address = `http://${web}`;
  await sees("redis_up", "1");
});

afterAll(async () => {
  for (const each of processes) each.kill();
  await Promise.all(processes);
  await keystore[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const patience = { timeout: 30_000, interval: 250 };

async function asked(path: string): Promise<{ readonly data: never }> {
  const answer = await fetch(`${address}${path}`);
  return answer.json() as Promise<{ readonly data: never }>;
}

/** Waits until Prometheus has this value of a metric. */
async function sees(metric: string, value: string): Promise<void> {
  await vi.waitFor(async () => {
    const { result } = (await asked(`/api/v1/query?query=${metric}`)).data as { result: { value: [number, string] }[] };
    expect(result.map((each) => each.value[1])).toEqual([value]);
  }, patience);
}

/** Waits until these alerts fire, and no other. */
async function fire(...names: string[]): Promise<void> {
  await vi.waitFor(async () => {
    const { alerts } = (await asked("/api/v1/alerts")).data as { alerts: { labels: { alertname: string } }[] };
    expect(alerts.map(({ labels }) => labels.alertname).sort()).toEqual(names);
  }, patience);
}

test("a keystore whose memory is full fires its alert, until there is room again", async () => {
  await fire();
  await keystore.run("eval", "for i=1,36 do redis.call('set','k'..i,string.rep('x',500000)) end", "0");
  await fire("HearthKeystoreNearlyFull");
  await keystore.run("flushall");
  await fire();
}, 120_000);

test("a keystore that can't write its snapshot fires its alert, until it can", async () => {
  const snapshot = join(keystore.folder, "dump.rdb");
  mkdirSync(snapshot);
  await keystore.run("bgsave");
  await fire("HearthKeystoreCannotSave");
  rmdirSync(snapshot);
  await keystore.run("bgsave");
  await fire();
}, 120_000);

test("a keystore that is away, and then its exporter, fire an alert each", async () => {
  await keystore.run("shutdown", "nosave");
  await fire("HearthKeystoreDown");
  exporter.kill();
  await fire("HearthKeystoreUnknown");
}, 120_000);
