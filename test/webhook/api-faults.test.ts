import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fault } from "./support/api-faults.ts";
import { call, startWithApi, until } from "./support/service.ts";

describe("an API server that misbehaves", () => {
  let service: Awaited<ReturnType<typeof startWithApi>>;
  let path = "";
  let key = "";
  let number = 0;

  beforeAll(async () => {
    service = await startWithApi({ API_WRITES_BURST: "1000" });
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    number += 1;
    key = `pages/site-${number}`;
    path = `/sync/${key}`;
    service.api.addSite("pages", `site-${number}`);
    service.api.requests.length = 0;
  });
  afterEach(() => {
    service.api.faultOf = () => undefined;
    service.api.latency = 0;
  });

  const withFault = (...faults: (Fault | undefined)[]) => {
    service.api.faultOf = () => faults.shift();
  };
  const values = () => (service.api.sites.get(key)?.changes ?? []).map(({ value }) => value);

  test.each<Fault>(["conflict", "reset", "reset after writing", "wrong length"])(
    "one %s is made good by one retry",
    async (fault) => {
      withFault(fault);
      expect((await call(service.port, path)).status).toBe(202);
      expect(service.api.requests).toHaveLength(2);
      expect(values()).toHaveLength(1);
    },
  );

  test.each<Fault>(["conflict", "reset"])("a second %s is 500: there is one retry", async (fault) => {
    withFault(fault, fault, fault);
    expect((await call(service.port, path)).status).toBe(500);
    expect(service.api.requests).toHaveLength(2);
  });

  test.each<Fault>(["not HTTP", "huge body"])("%s is 500", async (fault) => {
    withFault(fault, fault);
    expect((await call(service.port, path)).status).toBe(500);
  });

  test("hanging, before an answer or in it, is 500 without a retry, and holds no later call back", async () => {
    const faults: Fault[] = ["hang", "hang in body", "slow body"];
    const names = faults.map((fault) => fault.replaceAll(" ", "-"));
    const seen = new Set<string>();
    service.api.faultOf = ({ url = "" }) => {
      const fault = faults.find((each) => url.includes(`/${each.replaceAll(" ", "-")}?`));
      const isFirst = !seen.has(url);
      seen.add(url);
      return isFirst ? fault : undefined;
    };
    for (const name of names) service.api.addSite("pages", name);
    const hanging = names.map((name) => call(service.port, `/sync/pages/${name}`));
    await until(() => service.api.requests.length === names.length);
    // A call for the same site, and another second.
    const later = await call(service.port, `/sync/pages/${names[0]}`);
    expect(later.status).toBe(202);
    expect((await Promise.all(hanging)).map(({ status }) => status)).toEqual([500, 500, 500]);
    expect(service.api.requests).toHaveLength(names.length + 1);
  });

  test("an API server that is not there is 500, and works again when it is back", async () => {
    await service.api.kill();
    expect((await call(service.port, path)).status).toBe(500);
    await service.api.listen();
    expect((await call(service.port, path)).status).toBe(202);
  });

  test("kept connections are used again, and their being closed costs nobody a call", async () => {
    await call(service.port, path);
    const { handshakes } = service.api;
    for (let round = 0; round < 20; round += 1) {
      const other = `kept-${round}`;
      service.api.addSite("pages", other);
      expect((await call(service.port, `/sync/pages/${other}`)).status).toBe(202);
    }
    expect(service.api.handshakes).toBe(handshakes);
    for (let round = 0; round < 20; round += 1) {
      const other = `dropped-${round}`;
      service.api.addSite("pages", other);
      service.api.dropConnections();
      expect((await call(service.port, `/sync/pages/${other}`)).status).toBe(202);
    }
  });

  test("an API server that closes after each answer costs nobody a call", async () => {
    service.api.faultOf = () => "close after";
    for (let round = 0; round < 10; round += 1) {
      service.api.addSite("pages", `closing-${round}`);
      expect((await call(service.port, `/sync/pages/closing-${round}`)).status).toBe(202);
    }
  });

  test("at most eight connections lead to the API server", async () => {
    service.api.latency = 100;
    service.api.dropConnections();
    service.api.mostConnections = 0;
    const calls = Array.from({ length: 30 }, (_, index) => {
      service.api.addSite("pages", `parallel-${index}`);
      return call(service.port, `/sync/pages/parallel-${index}`);
    });
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([202]));
    expect(service.api.mostConnections).toBeLessThanOrEqual(8);
  });

  test("a new authority of the API server is found in the mounted file", async () => {
    await service.api.changeAuthority();
    expect((await call(service.port, path)).status).toBe(202);
  });

  test("a changed token is found in the mounted file when the old one is refused", async () => {
    await service.api.changeToken("second-token");
    expect((await call(service.port, path)).status).toBe(202);
    expect(service.api.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer first-token",
      "Bearer second-token",
    ]);
  });

  test("a token that stays refused is 500 after one retry", async () => {
    service.api.tokens.clear();
    expect((await call(service.port, path)).status).toBe(500);
    expect(service.api.requests).toHaveLength(2);
    service.api.tokens.add("second-token");
  });
});
