import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fault } from "./support/api-faults.ts";
import { call, startWithApi, until } from "./support/service.ts";

/** Rows of the contract, each through a real socket; docs/reference/site-webhook.md has the same table. */
describe("the contract", () => {
  let service: Awaited<ReturnType<typeof startWithApi>>;
  let site = "";
  let number = 0;

  beforeAll(async () => {
    service = await startWithApi();
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    number += 1;
    site = `site-${number}`;
    service.api.addSite("pages", site);
    service.api.requests.length = 0;
  });
  afterEach(() => {
    service.api.faultOf = () => undefined;
  });

  const changes = () => service.api.sites.get(`pages/${site}`)?.changes ?? [];
  const withFault = (...faults: (Fault | undefined)[]) => {
    service.api.faultOf = () => faults.shift();
  };

  test("a call is answered 202 with no body, after the annotation was written", async () => {
    const before = Math.floor(Date.now() / 1000);
    const reply = await call(service.port, `/sync/pages/${site}`);
    expect(reply.status).toBe(202);
    expect(reply.body).toBe("");
    expect(reply.headers).toMatchObject({ "content-length": "0", "cache-control": "no-store" });
    const [change, ...others] = changes();
    expect(others).toEqual([]);
    expect(Number(change?.value)).toBeGreaterThanOrEqual(before);
    expect(Number(change?.value)).toBeLessThanOrEqual(Date.now() / 1000);
  });

  test("the write is one merge patch of one annotation, with a string as value", async () => {
    await call(service.port, `/sync/pages/${site}`);
    const [patch, ...others] = service.api.requests;
    expect(others).toEqual([]);
    expect(patch?.method).toBe("PATCH");
    expect(patch?.url).toBe(
      `/apis/pages.kup6s.com/v1beta1/namespaces/pages/staticsites/${site}?fieldManager=hearth-site-webhook&fieldValidation=Strict`,
    );
    expect(JSON.parse(patch?.body ?? "")).toEqual({
      metadata: { annotations: { "pages.kup6s.com/sync": expect.stringMatching(/^\d{10}$/) } },
    });
  });

  test("calls that come while a second is written already share one later write", async () => {
    const replies = [await call(service.port, `/sync/pages/${site}`)];
    const asked = Date.now();
    replies.push(...(await Promise.all(Array.from({ length: 20 }, () => call(service.port, `/sync/pages/${site}`)))));
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([202]));
    expect(changes()).toHaveLength(2);
    expect(changes()[1]?.at).toBeGreaterThanOrEqual(asked);
  });

  test("an event that is not a push is answered 204 without a request to the API server", async () => {
    const reply = await call(service.port, `/sync/pages/${site}`, { headers: { "x-github-event": "issues" } });
    expect(reply.status).toBe(204);
    expect(service.api.requests).toEqual([]);
  });

  test.each([
    ["x-github-event", "ping"],
    ["x-event-key", "diagnostics:ping"],
  ])("a ping (%s: %s) tries the write and stores nothing", async (header, event) => {
    const reply = await call(service.port, `/sync/pages/${site}`, { headers: { [header]: event } });
    expect(reply.status).toBe(204);
    expect(service.api.requests.map(({ url }) => new URL(url, "https://api").searchParams.get("dryRun"))).toEqual([
      "All",
    ]);
    expect(changes()).toEqual([]);
  });

  test("a ping of a missing site is 404, and 500 where the API server refuses", async () => {
    const headers = { "x-github-event": "ping" };
    expect((await call(service.port, "/sync/pages/missing-ping", { headers })).status).toBe(404);
    withFault("forbidden");
    expect((await call(service.port, `/sync/pages/${site}`, { headers })).status).toBe(500);
  });

  test("a missing site is 404; once made it soon works", async () => {
    expect((await call(service.port, "/sync/pages/later")).status).toBe(404);
    service.api.addSite("pages", "later");
    let status = 404;
    await until(async () => {
      ({ status } = await call(service.port, "/sync/pages/later"));
      return status !== 404;
    });
    expect(status).toBe(202);
  });

  test.each<Fault>(["no such resource", "no such group"])("a missing CRD (%s) is 500, not 404", async (fault) => {
    withFault(fault, fault);
    expect((await call(service.port, `/sync/pages/${site}`)).status).toBe(500);
  });

  test.each([
    "Pages/site",
    "pages/Site",
    "-a/b",
    "a-/b",
    "a.b/c",
    `${"a".repeat(64)}/b`,
    `a/${"b".repeat(254)}`,
    `a/${"b.".repeat(127)}`,
    "a/b..c",
    "a/.b",
    "a/b_c",
    "..%2F..%2Fpods/b",
    "a/..%2F..%2Fpods",
    "a/b%3FdryRun=All",
    "a/b%23",
    "a/b%0a",
    "a/b%00",
    "a/b%20",
    "a/%zz",
    "a/%C3%BC",
    "%2e%2e/%2e%2e",
  ])("names that can't exist (%s) are 404 without a request to the API server", async (names) => {
    expect((await call(service.port, `/sync/${names}`)).status).toBe(404);
    expect(service.api.requests).toEqual([]);
  });

  test("names as long as Kubernetes allows are asked for", async () => {
    const longest = `${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.${"e".repeat(61)}`;
    const namespace = "a".repeat(63);
    service.api.addSite(namespace, longest);
    expect((await call(service.port, `/sync/${namespace}/${longest}`)).status).toBe(202);
  });

  test.each<Fault>([
    "forbidden",
    "invalid",
    "internal error",
    "unavailable",
    "not JSON",
    "redirect",
    "annotation dropped",
  ])("500 without a word where the API server answers: %s", async (fault) => {
    withFault(fault);
    const reply = await call(service.port, `/sync/pages/${site}`);
    expect(reply.status).toBe(500);
    expect(reply.body).toBe("");
    expect(service.api.requests).toHaveLength(1);
  });

  test("503 with Retry-After where the API server is throttling", async () => {
    withFault("throttled");
    const reply = await call(service.port, `/sync/pages/${site}`);
    expect(reply.status).toBe(503);
    expect(reply.headers["retry-after"]).toBe("1");
  });

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])(
    "%s on a sync path is 405",
    async (method) => {
      const reply = await call(service.port, `/sync/pages/${site}`, { method });
      expect(reply.status).toBe(405);
      expect(reply.headers.allow).toBe("POST");
      expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(service.api.requests).toEqual([]);
    },
  );

  test.each([
    "/",
    "/sync",
    "/sync/",
    "/sync/pages",
    "/sync/pages/site/",
    "/sync/pages/site/more",
    "//sync/pages/site",
    "/metrics",
    "/livez",
    "/readyz",
  ])("other paths are 404: %s", async (path) => {
    expect((await call(service.port, path)).status).toBe(404);
    expect(service.api.requests).toEqual([]);
  });

  test("a query is ignored", async () => {
    expect((await call(service.port, `/sync/pages/${site}?payload=x&dryRun=All`)).status).toBe(202);
    expect(changes()).toHaveLength(1);
  });

  test.each<[string, Record<string, string>, string | Buffer]>([
    ["JSON", { "content-type": "application/json" }, '{"ref":"refs/heads/main"}'],
    ["broken JSON", { "content-type": "application/json" }, '{"ref":'],
    ["form", { "content-type": "application/x-www-form-urlencoded" }, "payload=%7B%7D"],
    ["multipart", { "content-type": "multipart/form-data; boundary=x" }, "--x\r\n\r\n--x--"],
    ["text", { "content-type": "text/plain" }, "hello"],
    ["gzip", { "content-encoding": "gzip" }, Buffer.from([0x1f, 0x8b, 0xff])],
    ["chunked", { "transfer-encoding": "chunked" }, "hello"],
    ["Expect: 100-continue", { expect: "100-continue" }, "hello"],
    ["1 MB", {}, Buffer.alloc(1024 * 1024)],
  ])("a body is not needed and not looked at: %s", async (_, headers, body) => {
    expect((await call(service.port, `/sync/pages/${site}`, { headers, body })).status).toBe(202);
    expect(changes()).toHaveLength(1);
  });
});
