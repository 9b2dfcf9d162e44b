import { holdsData, protectedNames, refusingDestroy } from "@hearth-platform/hearth/core/data-safety/hooks";
import { joinPlans } from "@hearth-platform/hearth/core/plan";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, test } from "vitest";

const object = (kind: string, name: string, namespace?: string) => ({
  apiVersion: "v1",
  kind,
  metadata: { name, namespace },
});
const plan = joinPlans({
  secrets: [
    { name: "admin", namespace: "team", data: {}, revision: 0, neverChanges: true },
    { name: "token", namespace: "team", data: {}, revision: 0 },
  ],
  objects: [
    { object: object("Namespace", "team"), holdsData: true },
    { object: object("Cluster", "db", "team"), holdsData: true },
    { object: object("Service", "web", "team") },
    { object: object("Bucket", "data-1"), holdsData: true, dataName: "data-1" },
  ],
  buckets: [{ bucket: "data-2", versioning: false }],
});

describe("what a plan protects", () => {
  test("is named as allowDataLoss has it, without buckets and what may be lost", () => {
    expect(protectedNames(plan)).toEqual(["team", "team/admin", "team/db"]);
    expect(protectedNames(plan, ["team", "team/admin"])).toEqual(["team/db"]);
  });
});

describe("a component that holds data", () => {
  beforeAll(async () => {
    await pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) });
    (pulumi.runtime.getMonitor() as unknown as { registerResourceHook: unknown }).registerResourceHook = (
      _: unknown,
      callback: (error: null, response: object) => void,
    ) => callback(null, {});
  });

  test("has a hook on its deletion whose name says how to let it go, and which refuses", async () => {
    const protect = true;
    const options = refusingDestroy("team", ["team/db"], { protect });
    expect(options.protect).toBe(true);
    const [hook] = options.hooks?.beforeDelete ?? [];
    expect(hook?.name).toMatch(/^team holds data\. .*`platform.allowDataLoss: \[team\/db\]`/);
    expect(hook?.opts?.onDryRun).toBe(true);
    const args = { urn: "" as never, id: "" as never, name: "team", type: "" };
    await expect(hook?.callback(args)).rejects.toThrow("team holds data.");
  });

  test("of another name is another hook, and holds only what the state has as its own", () => {
    const [team] = refusingDestroy("team-db", ["team/db"]).hooks?.beforeDelete ?? [];
    const [crew] = refusingDestroy("crew-db", ["team/db"]).hooks?.beforeDelete ?? [];
    expect(crew?.name).not.toBe(team?.name);
    const inputs = {
      apiVersion: "postgresql.cnpg.io/v1",
      kind: "Cluster",
      metadata: { name: "db", namespace: "team" },
    };
    const state = [{ urn: "urn::team-db/db", type: "cluster", parent: "urn::team-db", inputs, protect: true }];
    expect(holdsData(state, "urn::team-db", ["team/db"])).toBe(true);
    expect(holdsData(state, "urn::crew-db", ["team/db"])).toBe(false);
  });

  test("has none when all of it may be lost", () => {
    expect(refusingDestroy("team", [], { protect: false })).toEqual({ protect: false });
  });
});
