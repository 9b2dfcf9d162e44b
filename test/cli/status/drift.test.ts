import type { ManagedFieldsEntry } from "kubernetes-types/meta/v1.d.ts";
import { describe, expect, it } from "vitest";
import { type Changeable, faultsOf, LiveWorld } from "./world.ts";

/** What `status` says of objects that somebody changed by hand, from the API server's notes on who owns which fields. */

const pulumi = (fieldsV1: object): ManagedFieldsEntry => ({
  ...{
    manager: "pulumi-kubernetes-0a1b2c3d",
    operation: "Apply",
    apiVersion: "apps/v1",
    fieldsType: "FieldsV1",
    fieldsV1,
  },
});
const other = (manager: string, fieldsV1: object, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  ...{ manager, operation: "Update", apiVersion: "apps/v1", fieldsType: "FieldsV1", fieldsV1 },
  ...{ time: "2026-11-24T08:30:00Z" as never },
  ...more,
});
const container = (fields: object) => ({
  "f:spec": { "f:template": { "f:spec": { "f:containers": { 'k:{"name":"core"}': { ".": {}, ...fields } } } } },
});
const hub = "Deployment platform/hub-core";

/** A world in which Pulumi applied the hub's core and owns only its replicas, changed by a person and looked at. */
async function driftOf(change: (core: Changeable) => void, entries: readonly ManagedFieldsEntry[]): Promise<string[]> {
  const world = new LiveWorld();
  const core = world.one("Deployment", "hub-core");
  const managedFields = [pulumi({ "f:spec": { "f:replicas": {} } }), ...entries];
  world.objects = world.objects.map((each) =>
    each === core ? { ...structuredClone(core), metadata: { ...core.metadata, managedFields } } : each,
  );
  change(world.one("Deployment", "hub-core"));
  const report = await world.report();
  const rows = report.checks.filter(({ code }) => code === "drift");
  return rows.map(({ status, subject, message }) => `${status} ${subject}: ${message}`);
}

const unchanged = [`ok drift: Nobody changed one of 1 objects since the last update.`];
const setImage = (core: Changeable) => {
  core.spec.template.spec.containers[0].image = "mine/core:1";
};

describe("an object is said to be changed by hand", () => {
  it("with the field of a list's item, by whom and when", async () => {
    expect(await driftOf(setImage, [other("kubectl-set", container({ "f:image": {} }))])).toEqual([
      `warning ${hub}: By hand: spec.template.spec.containers[name=core].image by kubectl-set, 2026-11-24 08:30 UTC.`,
    ]);
  });

  it("with a field that is gone", async () => {
    const change = (core: Changeable) => delete core.spec.template.metadata.labels;
    expect(await driftOf(change, [])).toEqual([`warning ${hub}: By hand: spec.template.metadata.labels is gone.`]);
  });

  it("with a map that is gone, of which a part is false", async () => {
    const change = (core: Changeable) => delete core.spec.template.spec;
    expect(await driftOf(change, [])).toEqual([`warning ${hub}: By hand: spec.template.spec is gone.`]);
  });

  it("with three fields and the number of the others", async () => {
    const change = (core: Changeable) => {
      core.metadata.labels = {};
    };
    expect(await driftOf(change, [])).toEqual([expect.stringMatching(/: By hand: ([^;]* is gone; ){3}1 more\.$/)]);
  });
});

describe("an object is not said to be changed", () => {
  it("by a field that Pulumi has still, whoever has it too", async () => {
    expect(
      await driftOf(
        (core) => {
          core.spec.replicas = 7;
        },
        [other("kubectl", { "f:spec": { "f:replicas": {} } }, { subresource: "scale" })],
      ),
    ).toEqual(unchanged);
  });

  it("by a field that has the value of the settings", async () => {
    expect(await driftOf(() => undefined, [other("kubectl-set", container({ "f:image": {} }))])).toEqual(unchanged);
  });

  it("by a list of the same items whose keys the API server has in another order", async () => {
    const change = ({ spec }: Changeable) => {
      spec.template.spec.containers[0].ports = spec.template.spec.containers[0].ports.map((port: object) =>
        Object.fromEntries(Object.entries(port).reverse()),
      );
    };
    expect(await driftOf(change, [other("kubectl-edit", container({ "f:ports": {} }))])).toEqual(unchanged);
  });

  it("by its status, or by fields that the settings leave to others", async () => {
    const added = { "f:metadata": { "f:annotations": { "f:deployment.kubernetes.io/revision": {} } } };
    expect(
      await driftOf(setImage, [
        other("kube-controller-manager", { "f:status": { "f:replicas": {} }, ...added }),
        other("kube-controller-manager", container({ "f:image": {} }), { subresource: "status" }),
      ]),
    ).toEqual(unchanged);
  });

  it("where Pulumi did not apply it: nothing is known of it then", async () => {
    const world = new LiveWorld();
    setImage(world.one("Deployment", "hub-core"));
    expect((await world.report()).checks.filter(({ code }) => code === "drift")).toEqual([]);
  });
});

describe("an object that is gone", () => {
  it.each<[string, string]>([
    ["IngressRoute", "hub-core"],
    ["NetworkPolicy", "allow-hub-core"],
    ["Service", "hub-core"],
    ["ConfigMap", "hub-core"],
  ])("is a problem, whatever its kind: %s %s", async (kind, name) => {
    const world = new LiveWorld();
    world.remove(kind, name);
    expect(faultsOf(await world.report())).toContain(`problem ${kind} platform/${name}: It is not in the cluster.`);
  });

  it("is told once, where another check tells what it means", async () => {
    const world = new LiveWorld();
    world.remove("CronJob", "forge-backup");
    expect(faultsOf(await world.report()).filter((each) => each.includes("forge-backup"))).toHaveLength(1);
  });
});
