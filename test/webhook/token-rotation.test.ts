import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ClusterCredentials } from "@hearth-platform/site-webhook/kubernetes/credentials";
import { Secrets } from "@hearth-platform/site-webhook/secrets";
import { expect, onTestFinished, test } from "vitest";
import { Load } from "./support/load.ts";
import { call, startWithApi } from "./support/service.ts";
import { VirtualClock } from "./support/virtual-clock.ts";

test("tokens that change under load fail no call and show up nowhere", async () => {
  const service = await startWithApi({ API_WRITES_PER_SECOND: "1000", API_WRITES_BURST: "1000" });
  const load = new Load(service.port);
  const tokens = ["first-token"];
  for (let round = 0; round < 5; round += 1) {
    for (let index = 0; index < 40; index += 1) {
      const site = `site-${round}-${index}`;
      service.api.addSite("pages", site);
      void load.send(site);
      await pause(5);
      if (index === 20) {
        const token = `rotated-token-${round}`;
        tokens.push(token);
        await service.api.changeToken(token);
      }
    }
  }
  await load.settled();
  load.close();
  expect(load.results).toHaveLength(200);
  expect(new Set(load.results.map(({ status }) => status))).toEqual(new Set([202]));
  const { body: metrics } = await call(service.operationsPort, "/metrics", { method: "GET" });
  for (const token of tokens) {
    expect(service.lines.join("\n")).not.toContain(token);
    expect(metrics).not.toContain(token);
  }
  expect(metrics).toMatch(/kube_api_requests_total\{code="401"\} \d+/);
  await service.stop();
});

/** A folder with files that a test writes, which goes with the test. */
function mounted() {
  const folder = mkdtempSync(join(tmpdir(), "mounted-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, write: (name: string, text: string) => writeFileSync(join(folder, name), text) };
}

test("token and CA are read again after a minute, and the old ones kept while the files can't be read", async () => {
  const { folder, write } = mounted();
  const clock = new VirtualClock();
  const credentials = new ClusterCredentials(folder, clock);
  await expect(credentials.current()).rejects.toThrow("ENOENT");
  write("ca.crt", "ca\n");
  write("token", "first\n");
  expect(await credentials.current()).toEqual({ token: "first", ca: "ca" });
  write("token", "second\n");
  await clock.advance(59_999);
  expect(await credentials.current()).toMatchObject({ token: "first" });
  await clock.advance(1);
  expect(await credentials.current()).toMatchObject({ token: "second" });
  write("token", "");
  await clock.advance(60_000);
  expect(await credentials.current()).toMatchObject({ token: "second" });
  expect(await credentials.readable()).toBe(false);
});

test("a webhook's secrets are read again after ten seconds: a new one passes then, and a removed one no longer", async () => {
  const { folder, write } = mounted();
  const clock = new VirtualClock();
  const secrets = new Secrets(join(folder, "secret"), clock);
  const passes = async (token: string) => (await secrets.check({ "x-gitlab-token": token })).passes();
  write("secret", "first\n");
  expect([await passes("first"), await passes("second")]).toEqual([true, false]);
  write("secret", "second\n");
  await clock.advance(9_999);
  expect([await passes("first"), await passes("second")]).toEqual([true, false]);
  await clock.advance(1);
  expect([await passes("first"), await passes("second")]).toEqual([false, true]);
});
