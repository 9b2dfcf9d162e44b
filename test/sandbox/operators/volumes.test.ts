import { addressOf } from "@hearth-platform/sandbox/operators/load-balancer";
import {
  type Claim,
  growth,
  isReserved,
  refusal,
  type StorageClass,
  volumeFor,
} from "@hearth-platform/sandbox/operators/volumes";
import { describe, expect, it } from "vitest";

const claim = (accessModes: string[], asked: string, has?: string): Claim => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data", namespace: "team", uid: "1" },
  spec: { accessModes, storageClassName: "replicated-block", resources: { requests: { storage: asked } } },
  status: { capacity: { storage: has } },
});

const storageClass = (accessModes: string): StorageClass => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "replicated-block" },
  provisioner: "volumes.sandbox.hearth",
  reclaimPolicy: "Retain",
  parameters: { accessModes },
});

describe("a claim", () => {
  it("gets a volume of its own that outlives it", () => {
    expect(volumeFor(claim(["ReadWriteOnce"], "10Gi"), storageClass("single-writer"))).toMatchObject({
      metadata: { name: "pvc-1" },
      spec: {
        claimRef: { name: "data", namespace: "team", uid: "1" },
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "10Gi" },
        persistentVolumeReclaimPolicy: "Retain",
      },
    });
  });

  it("for several writers gets none of a single-writer class", () => {
    expect(refusal(claim(["ReadWriteMany"], "1Gi"), storageClass("single-writer"))).toContain("ReadWriteMany");
    expect(refusal(claim(["ReadWriteMany"], "1Gi"), storageClass("multi-writer"))).toBeUndefined();
    expect(refusal(claim(["ReadWriteOncePod"], "1Gi"), storageClass("single-writer"))).toBeUndefined();
  });

  it("has none made while a volume is reserved for it by its name", () => {
    const own = claim(["ReadWriteOnce"], "10Gi");
    const volume = (claimRef: object) => ({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "old" },
      spec: { claimRef },
    });
    expect(isReserved(own, [volume({ name: "data", namespace: "team" })])).toBe(true);
    expect(isReserved(own, [volume({ name: "data", namespace: "club" })])).toBe(false);
    // Released by a claim of the name that is gone.
    expect(isReserved(own, [volume({ name: "data", namespace: "team", uid: "0" })])).toBe(false);
  });

  it("grows when it asks for more than it has, in whatever unit", () => {
    expect(growth(claim([], "20Gi", "10Gi"))).toBe("20Gi");
    expect(growth(claim([], "10240Mi", "10Gi"))).toBeUndefined();
    expect(growth(claim([], "20Gi"))).toBeUndefined();
  });
});

describe("a load balancer's address", () => {
  it("is of TEST-NET-1 and stays the same", () => {
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "shell", namespace: "forge" } };
    expect(addressOf(service)).toMatch(/^192\.0\.2\.([1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-4])$/);
    expect(addressOf(service)).toBe(addressOf({ ...service }));
  });
});
