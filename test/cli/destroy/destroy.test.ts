import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { destroyCommand } from "@hearth-platform/cli/destroy/command";
import type { Export, StateResource } from "@hearth-platform/cli/heal/deployment";
import type { HealMeans } from "@hearth-platform/cli/heal/stack-state";
import { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call } from "../../support/caller.ts";

const urn = (type: string, name: string) => `urn:pulumi:dev::hearth::${type}::${name}`;
const [stackUrn, providerUrn] = [
  urn("pulumi:pulumi:Stack", "hearth-dev"),
  urn("pulumi:providers:kubernetes", "cluster"),
];
const component = (name: string, more: object = {}): StateResource => ({
  urn: urn("hearth:index:CloudSuite", name),
  type: "hearth:index:CloudSuite",
  custom: false,
  parent: stackUrn,
  ...more,
});
const object = (
  parent: StateResource,
  kind: string,
  name: string,
  more: Partial<StateResource> = {},
): StateResource => ({
  urn: urn(`kubernetes:v1:${kind}`, `${name}`),
  type: `kubernetes:v1:${kind}`,
  custom: true,
  id: name,
  parent: parent.urn,
  provider: `${providerUrn}::1`,
  inputs: { kind, metadata: { name, namespace: "team" } },
  ...more,
});

const team = component("team", {
  inputs: { clusterIdentity: "uid-1" },
  resourceHooks: { BeforeDelete: ["team holds data"] },
});
const cache = component("cache");
const secret = object(team, "Secret", "db-login");
const database = object(team, "Cluster", "db", {
  protect: true,
  dependencies: [secret.urn, providerUrn],
  propertyDependencies: { spec: [secret.urn] },
});
const web = object(team, "Deployment", "web", { dependencies: [database.urn] });
const pod = object(cache, "Service", "cache");
const resources: StateResource[] = [
  { urn: stackUrn, type: "pulumi:pulumi:Stack", custom: false },
  { urn: providerUrn, type: "pulumi:providers:kubernetes", custom: true, id: "1", inputs: { context: "production" } },
  ...[team, cache, secret, database, web, pod],
];
const stateOf = (...all: StateResource[]): Export => ({ version: 3, deployment: { resources: all } });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-destroy-"));
  mkdirSync(join(folder, ".pulumi"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the command; says what Pulumi was asked to change, in turn, and the state it was given. */
async function destroy(state: Export, { uid = "uid-1", fails = false, args = ["--yes"] } = {}, agrees?: boolean) {
  const changes: string[][] = [];
  let imported: Export | undefined;
  const cluster = Object.assign(Object.create(LiveCluster.prototype), {
    get: async () => ({ metadata: { name: "kube-system", uid } }),
  }) as LiveCluster;
  const means: HealMeans = {
    pulumi: async ([...words], { input }) => {
      if (words[1] === "import") imported = JSON.parse(String(input));
      if (words[1] === "import" || words[0] === "destroy") changes.push(words);
      const answer = words[0] === "whoami" ? { url: `file://${folder}` } : state;
      return {
        stdout: JSON.stringify(answer),
        stderr: fails ? "no" : "",
        succeeded: !(fails && words[0] === "destroy"),
      };
    },
    places: async () => ({
      cluster: async () => cluster,
      bucket: async () => ({ holds: "no bucket" }),
      digest: async () => undefined,
      close: async () => {},
    }),
  };
  const words = ["--stack", "dev", ...args];
  const answer = await call((session) => destroyCommand(session, means), folder, words, undefined, agrees);
  return { ...answer, changes, imported: imported?.deployment?.resources ?? [] };
}
const targetsOf = (words: readonly string[] = []) => words.filter((_, index) => words[index - 1] === "--target");

describe("hearth destroy", () => {
  it("deletes all but what holds data, and what that stands on", async () => {
    const { status, stderr, changes, imported } = await destroy(stateOf(...resources));
    expect(status, stderr).toBe(0);
    expect(changes.map(([first, second]) => (first === "stack" ? second : first))).toEqual(["import", "destroy"]);
    expect(targetsOf(changes[1])).toEqual([cache.urn, secret.urn, web.urn, pod.urn]);
    expect(stderr).toContain("  keep   Cluster team/db\n");
    expect(stderr).toContain("  delete team: Secret, Deployment\n");
    // Nothing that stays waits for what goes, and no hook stops the rest.
    const kept = imported.find((each) => each.urn === database.urn);
    expect(kept).toMatchObject({ protect: true, dependencies: [providerUrn], propertyDependencies: { spec: [] } });
    expect(JSON.stringify(imported)).not.toContain("resourceHooks");
    expect(imported.map((each) => each.urn)).toEqual(resources.map((each) => each.urn));
  });

  it("run again deletes what is left, and then has nothing to delete", async () => {
    const half = resources.filter((each) => each !== web && each !== pod);
    expect(targetsOf((await destroy(stateOf(...half))).changes[1])).toEqual([cache.urn, secret.urn]);
    const rest = resources.filter((each) => ![cache, web, pod, secret].includes(each));
    expect(await destroy(stateOf(...rest))).toMatchObject({ status: 0, changes: [] });
  });

  it("deletes everything only where nothing is protected any more, which settings alone can say", async () => {
    const unlocked = resources.map((each) => ({ ...each, protect: false }));
    const { changes, stderr } = await destroy(stateOf(...unlocked));
    expect(targetsOf(changes[1])).toEqual([]);
    expect(stderr).not.toContain("keep");
  });

  it("asks, and deletes nothing where nobody can answer", async () => {
    const { status, changes, stderr } = await destroy(stateOf(...resources), { args: [] });
    expect([status, changes]).toEqual([2, []]);
    expect(stderr).toContain("add --yes");
  });

  it("deletes nothing after a no, which is no success", async () => {
    const { status, changes, stdout, stderr } = await destroy(stateOf(...resources), { args: ["--json"] }, false);
    expect([status, changes]).toEqual([1, []]);
    expect(stderr).toMatch(/\nNothing was deleted\.\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ destroyed: false });
  });

  it.each<[string, Export, object, string]>([
    ["in another cluster", stateOf(...resources), { uid: "uid-2" }, "kube-system was uid-1, and is uid-2"],
    [
      "after an update that was killed while it made objects",
      {
        version: 3,
        deployment: { resources, pending_operations: [{ type: "creating", resource: object(team, "Service", "new") }] },
      },
      {},
      "./hearth heal --stack dev first",
    ],
  ])("deletes nothing %s", async (_, state, world, text) => {
    const { status, changes, stderr } = await destroy(state, world);
    expect([status, changes]).toEqual([1, []]);
    expect(stderr).toContain("Nothing was deleted.");
    expect(stderr).toContain(text);
  });

  it("says what Pulumi said where it failed", async () => {
    const { status, stderr } = await destroy(stateOf(...resources), { fails: true });
    expect(status).toBe(1);
    expect(stderr).toContain("Pulumi failed: no");
  });

  it("answers as JSON", async () => {
    const { status, stdout } = await destroy(stateOf(...resources), { args: ["--yes", "--json"] });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ stack: "dev", destroyed: true, kept: ["Cluster team/db"] });
  });
});
