import { rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, startWithApi } from "./support/service.ts";

let service: Awaited<ReturnType<typeof startWithApi>>;
beforeAll(async () => {
  service = await startWithApi({ WEBHOOK_NAMESPACES: "pages" });
  service.api.addSite("pages", "docs");
});
afterAll(() => service.stop());

const get = (path: string) => call(service.operationsPort, path, { method: "GET" });

test.each(["/livez", "/readyz"])("%s is 200 with status ok", async (path) => {
  const reply = await get(path);
  expect(reply.status).toBe(200);
  expect(JSON.parse(reply.body)).toEqual({ status: "ok" });
});

test("without its token it is alive but not ready, and says why", async () => {
  const token = join(service.api.serviceAccountFolder, "token");
  await rename(token, `${token}.gone`);
  expect((await get("/livez")).status).toBe(200);
  const reply = await get("/readyz");
  expect(reply.status).toBe(503);
  expect(JSON.parse(reply.body)).toMatchObject({ status: "failed", message: expect.stringContaining("token") });
  await rename(`${token}.gone`, token);
});

test("without the API server it is ready all the same", async () => {
  await service.api.kill();
  expect((await get("/readyz")).status).toBe(200);
  await service.api.listen();
});

test("a namespace that is not among the set ones is 404 without a request to the API server", async () => {
  service.api.addSite("other", "docs");
  expect((await call(service.port, "/sync/other/docs")).status).toBe(404);
  expect(service.api.requests).toEqual([]);
});

test("before the first call each outcome is counted as 0, so that Prometheus sees the first ones as an increase", async () => {
  const fresh = await startWithApi({ WEBHOOK_NAMESPACES: "pages" });
  const { body } = await call(fresh.operationsPort, "/metrics", { method: "GET" });
  await fresh.stop();
  const outcomes = [
    ...["triggered", "coalesced", "checked", "ignored", "denied", "not_found"],
    ...["invalid", "method", "too_large", "error", "shed"],
  ];
  expect([...body.matchAll(/^staticsite_sync_total.*$/gm)].map(([line]) => line)).toEqual(
    outcomes.map((outcome) => `staticsite_sync_total{outcome="${outcome}"} 0`),
  );
});

test("metrics count calls by outcome, in Prometheus' text format and without any site's name", async () => {
  await call(service.port, "/sync/pages/docs");
  await call(service.port, "/sync/pages/missing");
  await call(service.port, "/sync/pages/docs", { method: "BREW" }).catch(() => undefined);
  await call(service.port, "/sync/pages/docs", { method: "GET" });
  const { body, headers } = await get("/metrics");
  expect(headers["content-type"]).toContain("version=0.0.4");
  expect(body).toContain('staticsite_sync_total{outcome="triggered"} 1\n');
  expect(body).toContain('http_requests_total{method="POST",route="/sync/:namespace/:site",status="202"} 1\n');
  expect(body).toContain('http_requests_total{method="GET",route="/sync/:namespace/:site",status="405"} 1\n');
  expect(body).toContain('kube_api_requests_total{code="200"} 1\n');
  expect(body).toContain('kube_api_requests_total{code="404"} 1\n');
  expect(body).toMatch(/^http_request_duration_seconds_bucket\{le="\+Inf"\} \d+$/m);
  for (const name of [
    "http_requests_in_flight",
    "staticsite_sync_pending",
    "kube_token_age_seconds",
    "nodejs_eventloop_lag_seconds",
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
  ]) {
    expect(body).toMatch(new RegExp(`^${name} [0-9.e-]+$`, "m"));
  }
  expect(body).not.toMatch(/docs|missing|first-token/);
  const line = /^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"\\\n]*",?)+\})? [0-9.e+-]+)$/;
  for (const text of body.trimEnd().split("\n")) expect(text).toMatch(line);
});

test.each([
  ["POST", "/metrics", 405],
  ["GET", "/sync/pages/docs", 404],
  ["GET", "/", 404],
])("%s %s is %i on the operations port", async (method, path, status) => {
  expect((await call(service.operationsPort, path, { method })).status).toBe(status);
});
