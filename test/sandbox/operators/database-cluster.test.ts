import { appSecret, type Cluster, clusterObjects } from "@hearth-platform/sandbox/operators/cloudnative-pg";
import { clusterStatus, nextPodChange, type Pod } from "@hearth-platform/sandbox/operators/database-cluster";
import { instanceClaims, instancePod } from "@hearth-platform/sandbox/operators/database-instance";
import { describe, expect, it } from "vitest";

const cluster = (spec: Cluster["spec"] = {}): Cluster => ({
  apiVersion: "postgresql.cnpg.io/v1",
  kind: "Cluster",
  metadata: { name: "forge-db", namespace: "forge", uid: "1" },
  spec: { instances: 2, storage: { size: "10Gi", storageClass: "replicated-block" }, ...spec },
});

const pod = (of: Cluster, name: string, ready = true): Pod => ({
  ...(instancePod(of, name) as Pod),
  status: { conditions: [{ type: "Ready", status: ready ? "True" : "False", reason: "" }] },
});

const named = (objects: readonly { kind: string; metadata: { name: string } }[]) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe("a Cluster's objects", () => {
  it("are the operator's, under the names that clients use", () => {
    expect(named(clusterObjects(cluster()))).toEqual([
      "ServiceAccount forge-db",
      "Service forge-db-rw",
      "Service forge-db-ro",
      "Service forge-db-r",
      "PodDisruptionBudget forge-db-primary",
    ]);
    expect(named(instanceClaims(cluster({ walStorage: { size: "2Gi" } }), "forge-db-2"))).toEqual([
      "PersistentVolumeClaim forge-db-2",
      "PersistentVolumeClaim forge-db-2-wal",
    ]);
  });

  it("have the labels that the Cluster hands down, before the operator's own of the same name", () => {
    const labels = { "app.kubernetes.io/name": "forge", "cnpg.io/cluster": "other" };
    const { metadata } = instancePod(cluster({ inheritedMetadata: { labels } }), "forge-db-1");
    expect(metadata.labels).toMatchObject({ "app.kubernetes.io/name": "forge", "cnpg.io/cluster": "forge-db" });
  });

  it("let services find the primary and the replicas by the pods' labels", () => {
    const [, rw, ro, any] = clusterObjects(cluster()) as unknown as { spec: { selector: Record<string, string> } }[];
    const selects = (service: typeof rw, name: string) =>
      Object.entries(service?.spec.selector ?? {}).every(
        ([label, value]) => instancePod(cluster(), name).metadata.labels?.[label] === value,
      );
    expect([selects(rw, "forge-db-1"), selects(rw, "forge-db-2")]).toEqual([true, false]);
    expect([selects(ro, "forge-db-1"), selects(ro, "forge-db-2")]).toEqual([false, true]);
    expect([selects(any, "forge-db-1"), selects(any, "forge-db-2")]).toEqual([true, true]);
  });

  it("give the application's secret the keys of the operator", () => {
    const initdb = { database: "gitlab", owner: "git" };
    const { stringData } = appSecret(cluster({ bootstrap: { initdb } })) as unknown as {
      stringData: Record<string, string>;
    };
    expect(stringData).toMatchObject({ username: "git", dbname: "gitlab", host: "forge-db-rw", port: "5432" });
    expect(stringData["fqdn-uri"]).toBe(
      `postgresql://git:${stringData.password}@forge-db-rw.forge.svc.cluster.local:5432/gitlab`,
    );
  });
});

describe("a Cluster's pods", () => {
  const of = cluster();

  it("are made one after the other, the primary first", () => {
    expect(nextPodChange(of, [])).toMatchObject({ create: { metadata: { name: "forge-db-1" } } });
    expect(nextPodChange(of, [pod(of, "forge-db-1", false)])).toBeUndefined();
    expect(nextPodChange(of, [pod(of, "forge-db-1")])).toMatchObject({ create: { metadata: { name: "forge-db-2" } } });
    expect(nextPodChange(of, [pod(of, "forge-db-1"), pod(of, "forge-db-2")])).toBeUndefined();
  });

  it("are replaced after a change of the image, the primary last and never two at once", () => {
    const newer = cluster({ imageName: "postgres:17.1" });
    const both = [pod(of, "forge-db-1"), pod(of, "forge-db-2")];
    expect(nextPodChange(newer, both)).toMatchObject({ remove: { metadata: { name: "forge-db-2" } } });
    expect(nextPodChange(newer, [pod(of, "forge-db-1"), pod(newer, "forge-db-2", false)])).toBeUndefined();
    expect(nextPodChange(newer, [pod(of, "forge-db-1"), pod(newer, "forge-db-2")])).toMatchObject({
      remove: { metadata: { name: "forge-db-1" } },
    });
  });

  it("are left alone while another is not ready or on its way out", () => {
    const newer = cluster({ imageName: "postgres:17.1", instances: 3 });
    const [first, second, third] = ["forge-db-1", "forge-db-2", "forge-db-3"].map((name) => pod(of, name));
    if (!first || !second || !third) throw new Error("There are three.");
    const broken = pod(of, "forge-db-1", false);
    expect(nextPodChange(newer, [broken, second, third])).toBeUndefined();
    const leaving = { ...third, metadata: { ...third.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect(nextPodChange(newer, [first, second, leaving])).toBeUndefined();
  });

  it("stay after a change that needs no restart, and go when there are too many", () => {
    const both = [pod(of, "forge-db-1"), pod(of, "forge-db-2")];
    expect(nextPodChange(cluster({ storage: { size: "20Gi" } }), both)).toBeUndefined();
    expect(nextPodChange(cluster({ instances: 1 }), both)).toMatchObject({
      remove: { metadata: { name: "forge-db-2" } },
    });
  });
});

describe("a Cluster's status", () => {
  const of = cluster({ plugins: [{ name: "barman-cloud.cloudnative-pg.io", isWALArchiver: true }] });
  const condition = (status: ReturnType<typeof clusterStatus>, type: string) =>
    status.conditions.find((each) => each.type === type);

  it("says what is being done until all instances are ready", () => {
    const empty = clusterStatus(of, { pods: [], completedBackups: 0 });
    expect(empty).toMatchObject({ phase: "Setting up primary", readyInstances: 0 });
    expect(condition(empty, "Ready")).toMatchObject({ status: "False", reason: "ClusterIsNotReady" });
    const half = clusterStatus(
      { ...of, status: { currentPrimaryTimestamp: "2026-01-01T00:00:00Z" } },
      { pods: [pod(of, "forge-db-1")], completedBackups: 0 },
    );
    expect(half).toMatchObject({ phase: "Creating a new replica", readyInstances: 1, currentPrimary: "forge-db-1" });
  });

  it("is healthy with all instances, and archives", () => {
    const pods = [pod(of, "forge-db-1"), pod(of, "forge-db-2")];
    const status = clusterStatus(of, { pods, completedBackups: 1 });
    expect(status).toMatchObject({ phase: "Cluster in healthy state", readyInstances: 2, writeService: "forge-db-rw" });
    for (const type of ["Ready", "ContinuousArchiving", "LastBackupSucceeded"])
      expect(condition(status, type)).toMatchObject({ status: "True" });
  });

  it("archives by no plugin that is turned off, and counts the claims of its logs", () => {
    const plugins = [{ name: "barman-cloud.cloudnative-pg.io", isWALArchiver: true, enabled: false }];
    const off = cluster({ plugins, walStorage: { size: "2Gi" } });
    const status = clusterStatus(off, { pods: [pod(off, "forge-db-1")], completedBackups: 0 });
    expect(condition(status, "ContinuousArchiving")).toBeUndefined();
    expect(status.pvcCount).toBe(4);
  });

  it("tells what is missing", () => {
    const obstacle = { phase: "Setting up primary", reason: 'Waiting for secret "forge-db-app"' };
    expect(clusterStatus(of, { pods: [], completedBackups: 0, obstacle }).phaseReason).toContain("forge-db-app");
    const pods = [pod(of, "forge-db-1"), pod(of, "forge-db-2")];
    const archiving = clusterStatus(of, { pods, completedBackups: 0, archivingProblem: 'secrets "s3" not found' });
    expect(condition(archiving, "ContinuousArchiving")).toMatchObject({ status: "False" });
  });

  it("keeps the time of a condition while it stays as it is", () => {
    const pods = [pod(of, "forge-db-1"), pod(of, "forge-db-2")];
    const first = clusterStatus(of, { pods, completedBackups: 0 }, "2026-01-01T00:00:00Z");
    const again = clusterStatus({ ...of, status: first }, { pods, completedBackups: 0 }, "2026-01-02T00:00:00Z");
    expect(again).toEqual(first);
  });
});
