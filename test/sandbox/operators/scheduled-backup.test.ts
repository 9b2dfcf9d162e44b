import { immediateBackup, type ScheduledBackup } from "@hearth-platform/sandbox/operators/scheduled-backup";
import { describe, expect, it } from "vitest";

const scheduled = (spec: Partial<ScheduledBackup["spec"]>, status = {}): ScheduledBackup => ({
  apiVersion: "postgresql.cnpg.io/v1",
  kind: "ScheduledBackup",
  metadata: { name: "daily", namespace: "forge", uid: "1" },
  spec: { cluster: { name: "forge-db" }, schedule: "0 0 3 * * *", method: "plugin", ...spec },
  status,
});
const metadata = { name: "forge-db", uid: "2" };
const cluster = { apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster", metadata, spec: {} };
const now = new Date("2026-01-02T03:04:05Z");

describe("a ScheduledBackup", () => {
  it("makes one backup at once when it says immediate", () => {
    expect(immediateBackup(scheduled({ immediate: true }), cluster, now)).toMatchObject({
      kind: "Backup",
      metadata: { name: "daily-20260102030405", labels: { "cnpg.io/scheduled-backup": "daily" } },
      spec: { cluster: { name: "forge-db" }, method: "plugin" },
    });
  });

  it("makes none when suspended, when not immediate, and none twice", () => {
    expect(immediateBackup(scheduled({}), cluster, now)).toBeUndefined();
    expect(immediateBackup(scheduled({ immediate: true, suspend: true }), cluster, now)).toBeUndefined();
    const before = { lastCheckTime: "2026-01-01T00:00:00Z" };
    expect(immediateBackup(scheduled({ immediate: true }, before), cluster, now)).toBeUndefined();
  });

  it.each([
    ["none", undefined],
    ["self", [{ kind: "ScheduledBackup", uid: "1" }]],
    ["cluster", [{ kind: "Cluster", uid: "2" }]],
  ] as const)("gives its backups the owner %s", (backupOwnerReference, owners) => {
    const backup = immediateBackup(scheduled({ immediate: true, backupOwnerReference }), cluster, now);
    if (owners) expect(backup?.metadata.ownerReferences).toMatchObject(owners);
    else expect(backup?.metadata.ownerReferences).toBeUndefined();
  });

  it("hands the labels of the cluster down to backups that it owns", () => {
    const spec = { inheritedMetadata: { labels: { team: "platform" } } };
    const labels = (backupOwnerReference: "cluster" | "self") =>
      immediateBackup(scheduled({ immediate: true, backupOwnerReference }), { ...cluster, spec }, now)?.metadata.labels;
    expect(labels("cluster")).toMatchObject({ team: "platform", "cnpg.io/cluster": "forge-db" });
    expect(labels("self")).not.toHaveProperty("team");
  });
});
