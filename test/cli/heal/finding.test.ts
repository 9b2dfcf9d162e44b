import type { PendingCreate, StateInputs } from "@hearth-platform/cli/heal/deployment";
import { type BucketState, find, type LiveStores } from "@hearth-platform/cli/heal/finding";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { describe, expect, it } from "vitest";

/** Whose is what a killed update may have made, or what a lost state had. */

const store = { region: "fsn1" };
const resource = (type: string, inputs: StateInputs) => ({
  resource: { urn: `urn:pulumi:dev::hearth::${type}::x`, type, inputs },
});
const nowhere: LiveStores = {
  cluster: () => Promise.reject(new Error("No cluster is asked.")),
  bucket: () => Promise.reject(new Error("No bucket is asked.")),
  digest: async () => undefined,
};

describe("a bucket of a lost state", () => {
  const seen = (state: BucketState) =>
    find(
      { ...resource("aws:s3/bucket:Bucket", { bucket: "data" }), provider: store, isLost: true },
      { ...nowhere, bucket: async () => state },
    );

  it("is the stack's where the keys own it, and the store does not say where it is", async () => {
    expect(await seen({ holds: "objects", isOwn: true })).toMatchObject({ found: "own", adopted: { id: "data" } });
  });

  it("is another's where the keys can't tell whose it is", async () => {
    expect(await seen({ holds: "objects" })).toMatchObject({ found: "foreign" });
    expect(await seen({ holds: "nothing" })).toMatchObject({ found: "foreign" });
  });
});

describe("an object that an update may have made", () => {
  const object = (more: object = {}) =>
    ({
      ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "team" } },
      ...more,
    }) as KubernetesObject;
  const metadata = { name: "settings", namespace: "team", managedFields: [{ manager: "pulumi-kubernetes-1" }] };
  interface Seen {
    readonly made?: string;
    readonly since?: string;
    /** Of the API server. */
    readonly clock?: Date;
    readonly sent?: object;
    readonly there?: object;
    readonly namespaced?: boolean;
  }
  const seen = ({ made, since, clock, sent, there, namespaced = true }: Seen) => {
    const live = object({ ...there, metadata: { ...metadata, ...(made && { creationTimestamp: made }) } });
    const cluster: Partial<LiveCluster> = {
      ...(clock && { date: clock }),
      kind: async () => ({ plural: "configmaps", namespaced }),
      get: async () => live,
      tryApply: async (applied) => ({ ...applied, metadata: live.metadata }) as KubernetesObject,
    };
    const create: PendingCreate = {
      ...resource("kubernetes:core/v1:ConfigMap", { ...object(sent) }),
      ...{ provider: {}, ...(since && { since: new Date(since) }) },
    };
    return find(create, { ...nowhere, cluster: async () => cluster as LiveCluster });
  };

  it("may be two seconds older than the update: servers give whole seconds", async () => {
    const since = "2026-11-20T12:00:02Z";
    expect(await seen({ since, made: "2026-11-20T12:00:00Z" })).toMatchObject({ found: "own" });
    expect(await seen({ since, made: "2026-11-20T11:59:59Z" })).toMatchObject({ found: "foreign" });
  });

  it("is as old as the clock of its API server says: one that is an hour ahead makes nothing younger", async () => {
    const clock = new Date(Date.now() + 3_600_000);
    const made = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const since = new Date().toISOString();
    expect(await seen({ since, clock, made: made(61) })).toMatchObject({ found: "own" });
    expect(await seen({ since, clock, made: made(30) })).toMatchObject({ found: "foreign" });
  });

  it("has an id without a namespace where its kind is in none, whatever was sent", async () => {
    expect(await seen({ namespaced: false })).toMatchObject({ adopted: { id: "settings" } });
    expect(await seen({})).toMatchObject({ adopted: { id: "team/settings" } });
  });

  it("that differs is another's, and three of the fields are named", async () => {
    const found = await seen({ sent: { data: { a: "1", b: "1", c: "1", d: "1" } }, there: { data: {} } });
    expect(found).toMatchObject({
      found: "foreign",
      why: "The existing object is not as this stack sent it: data.a, data.b, data.c, ….",
    });
  });
});
