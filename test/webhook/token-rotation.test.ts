import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { Load } from "./support/load.ts";
import { call, startWithApi } from "./support/service.ts";

test("tokens that change under load fail no call and show up nowhere", { timeout: 20_000 }, async () => {
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
