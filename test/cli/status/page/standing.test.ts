import { sitesOf, standing } from "@hearth-platform/cli/status/page/standing";
import { beforeAll, describe, expect, it } from "vitest";
import { LiveWorld } from "../world.ts";

/** What the picture says of a live stack, in addition to its plan. */

let world: LiveWorld;
beforeAll(() => {
  world = new LiveWorld();
});

async function state() {
  const facts = await world.facts();
  const { components } = await world.report();
  return standing(components, facts);
}

describe("pods", () => {
  const webservice = { kind: "Deployment", namespace: "platform", name: "forge-webservice" };

  it.each([
    [{ replicas: 2 }, { readyReplicas: 2 }, { text: "2 of 2 ready", tone: "good" }],
    [{ replicas: 2 }, { readyReplicas: 1 }, { text: "1 of 2 ready", tone: "waiting" }],
    [{ replicas: 2 }, {}, { text: "0 of 2 ready", tone: "waiting" }],
    [{ replicas: 0 }, {}, { text: "0 of 0 ready", tone: "good" }],
    [{}, { readyReplicas: 1 }, { text: "1 of 1 ready", tone: "good" }],
  ])("of a workload %o with %o", async (spec, status, line) => {
    Object.assign(world.one("Deployment", "forge-webservice"), { spec, status });
    expect((await state()).workload?.(webservice)).toEqual(line);
  });

  it("of a database and its pooler are its instances", async () => {
    const { workload } = await state();
    const of = (kind: string, name: string) => workload?.({ kind, namespace: "platform", name })?.text;
    expect([of("Cluster", "forge-db"), of("Pooler", "forge-db-pooler")]).toEqual(["2 of 2 ready", "2 of 2 ready"]);
  });

  it("of what the API server does not have are on their way", async () => {
    world.remove("Deployment", "forge-webservice");
    expect((await state()).workload?.(webservice)).toEqual({ text: "not created yet", tone: "waiting" });
  });

  it("of what may not be listed are not told", async () => {
    world.closed.add("deployments");
    expect((await state()).workload?.(webservice)).toBeUndefined();
  });
});

it("a certificate is ready, or on its way", async () => {
  const line = async () => (await state()).certificate?.("platform/forge-tls");
  expect(await line()).toEqual({ text: "certificate ready", tone: "good" });
  world.one("Certificate", "forge-tls").status = { conditions: [{ type: "Ready", status: "False" }] };
  expect((await line())?.tone).toBe("waiting");
  world.remove("Certificate", "forge-tls");
  expect(await line()).toEqual({ text: "not created yet", tone: "waiting" });
});

it("sites come in the order of their names, with the time that their annotation holds", () => {
  const site = (name: string, annotations?: Record<string, string>) => ({
    metadata: { namespace: "pages", name, annotations },
  });
  const sync = "sites.example.org/sync";
  expect(
    sitesOf([site("handbook", { [sync]: "1700000000" }), site("blog"), site("a", { [sync]: "soon" })], sync),
  ).toEqual([{ path: "pages/a" }, { path: "pages/blog" }, { path: "pages/handbook", asked: 1_700_000_000 }]);
});
