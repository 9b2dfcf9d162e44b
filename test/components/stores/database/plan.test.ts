import { objectId } from "@hearth-platform/hearth/core/plan";
import { inOrder } from "@hearth-platform/hearth/core/references";
import type { Cluster } from "@hearth-platform/hearth/kubernetes/custom-resources/cluster";
import type { Database } from "@hearth-platform/hearth/kubernetes/custom-resources/database";
import type { ObjectStore } from "@hearth-platform/hearth/kubernetes/custom-resources/object-store";
import type { PodMonitor } from "@hearth-platform/hearth/kubernetes/custom-resources/pod-monitor";
import type { Pooler } from "@hearth-platform/hearth/kubernetes/custom-resources/pooler";
import type { ScheduledBackup } from "@hearth-platform/hearth/kubernetes/custom-resources/scheduled-backup";
import type { DatabaseArgs } from "@hearth-platform/hearth/stores/database/args";
import { databaseConnection } from "@hearth-platform/hearth/stores/database/plan";
import { describe, expect, test } from "vitest";
import { planDatabase } from "../../../support/plans.ts";
import { forgeDatabase, withPlatform } from "./forge-database.ts";

function planned(args: DatabaseArgs, id: string) {
  const found = planDatabase(args).objects.find(({ object }) => objectId(object) === id);
  if (!found) throw new Error(`The plan has no ${id}.`);
  return found;
}
const ids = (args: DatabaseArgs) => planDatabase(args).objects.map(({ object }) => objectId(object));
const cluster = (args: DatabaseArgs, name = "forge-db") => planned(args, `Cluster/${name}`).object as Cluster;
const pooler = (args: DatabaseArgs) => planned(args, "Pooler/forge-db-pooler").object as Pooler;

describe("the cluster", () => {
  test("has two instances, the pinned image, 20Gi of replicated-block each, and is protected", () => {
    expect(cluster(forgeDatabase).spec).toMatchObject({
      instances: 2,
      imageName: expect.stringMatching(/^ghcr\.io\/cloudnative-pg\/postgresql:16\.\d+/),
      storage: { size: "20Gi", storageClass: "replicated-block" },
      enableSuperuserAccess: false,
      enablePDB: true,
      affinity: { enablePodAntiAffinity: true },
    });
    expect(planned(forgeDatabase, "Cluster/forge-db").holdsData).toBe(true);
  });

  test("with one instance lets its node be drained and waits for no standby", () => {
    const { spec } = cluster({ ...forgeDatabase, instances: 1 });
    expect(spec.enablePDB).toBe(false);
    expect(spec.postgresql?.synchronous).toBeUndefined();
    expect(cluster(forgeDatabase).spec.postgresql?.synchronous).toMatchObject({ dataDurability: "preferred" });
  });

  test("starts with the application's database, owned by app, and its extensions", () => {
    expect(cluster(forgeDatabase).spec.bootstrap?.initdb).toMatchObject({
      database: "forge",
      owner: "app",
      secret: { name: "forge-db-app" },
      postInitApplicationSQL: [
        'CREATE EXTENSION IF NOT EXISTS "pg_trgm"',
        'CREATE EXTENSION IF NOT EXISTS "btree_gist"',
        'CREATE EXTENSION IF NOT EXISTS "amcheck"',
      ],
    });
  });

  test("is awaited, and everything that names it comes after it", () => {
    expect(cluster(forgeDatabase).metadata.annotations).toMatchObject({ "pulumi.com/waitFor": "condition=Ready" });
    const ordered = inOrder(planDatabase(forgeDatabase));
    const dependsOn = Object.fromEntries(
      ordered.map(({ planned: { object }, dependsOn }) => [objectId(object), dependsOn]),
    );
    expect(dependsOn["Cluster/forge-db"]).toEqual(
      expect.arrayContaining(["Secret/forge-db-app", "ObjectStore/forge-db-backup"]),
    );
    for (const id of ["Pooler/forge-db-pooler", "Database/forge-db-registry", "ScheduledBackup/forge-db"])
      expect(dependsOn[id]).toContain("Cluster/forge-db");
  });

  test("follows the platform: mirror, pull secrets, nodes, priority, labels, annotations", () => {
    const args = withPlatform({
      images: { mirrors: { "ghcr.io": "registry.example.org/ghcr" }, pullSecrets: ["pull"] },
      workloads: {
        "forge-db": {
          nodeSelector: { disk: "fast" },
          tolerations: [{ key: "db", operator: "Exists" }],
          priorityClassName: "high",
          labels: { team: "a" },
          annotations: { "example.org/watch": "database" },
        },
        "forge-db-pooler": { annotations: { "example.org/watch": "pooler" } },
      },
    });
    expect(cluster(args).spec).toMatchObject({
      imageName: expect.stringMatching(/^registry\.example\.org\/ghcr\/cloudnative-pg\/postgresql:/),
      imagePullSecrets: [{ name: "pull" }],
      priorityClassName: "high",
      affinity: { nodeSelector: { disk: "fast" }, tolerations: [{ key: "db", operator: "Exists" }] },
      inheritedMetadata: {
        labels: { team: "a", "app.kubernetes.io/part-of": "forge-db" },
        annotations: { "example.org/watch": "database" },
      },
    });
    expect(pooler(args).spec.template?.metadata?.annotations).toEqual({ "example.org/watch": "pooler" });
    expect(pooler(args).spec.pgbouncer.image).toMatch(/^registry\.example\.org\/ghcr\/cloudnative-pg\/pgbouncer:/);
    expect(pooler(args).spec.template?.spec?.nodeSelector).toBeUndefined();
  });
});

test("its password is a generated basic-auth Secret of the owner, which the operator reloads", () => {
  expect(planDatabase(forgeDatabase).secrets).toMatchObject([
    {
      name: "forge-db-app",
      namespace: "forge",
      type: "kubernetes.io/basic-auth",
      labels: { "cnpg.io/reload": "true" },
      data: { username: { value: "app" }, password: { password: 32 } },
    },
  ]);
});

test("further databases, and extensions added later, are Database objects that are never dropped", () => {
  const registry = planned(forgeDatabase, "Database/forge-db-registry").object as Database;
  expect(registry.spec).toEqual({
    name: "registry",
    owner: "app",
    cluster: { name: "forge-db" },
    databaseReclaimPolicy: "retain",
  });
  expect(registry.metadata.annotations).toEqual({ "pulumi.com/waitFor": "jsonpath={.status.applied}=true" });
  const forge = planned(forgeDatabase, "Database/forge-db-forge").object as Database;
  expect(forge.spec.extensions?.map(({ name }) => name)).toEqual(["pg_trgm", "btree_gist", "amcheck"]);
  expect(ids({ ...forgeDatabase, extensions: [], databases: [] }).filter((id) => id.startsWith("Database/"))).toEqual(
    [],
  );
});

describe("the pooler", () => {
  test("is the address of every client, in session mode, with a pool for each of its clients", () => {
    expect(databaseConnection(forgeDatabase)).toEqual({
      host: "forge-db-pooler.forge.svc",
      port: 5432,
      database: "forge",
      user: "app",
      password: { name: "forge-db-app", key: "password" },
    });
    expect(databaseConnection(forgeDatabase, "registry").database).toBe("registry");
    expect(pooler(forgeDatabase).spec).toMatchObject({
      cluster: { name: "forge-db" },
      type: "rw",
      instances: 2,
      pgbouncer: { poolMode: "session", parameters: { default_pool_size: "60", max_client_conn: "1000" } },
    });
    expect(cluster(forgeDatabase).spec.postgresql?.parameters?.max_connections).toBe("200");
  });

  test("has requests and limits for each container, the operator's own too", () => {
    const { initContainers, containers } = pooler(forgeDatabase).spec.template?.spec ?? {};
    const all = [...(initContainers ?? []), ...(containers ?? [])];
    expect(all.map(({ name }) => name)).toEqual(["bootstrap-controller", "pgbouncer"]);
    for (const { resources } of all)
      expect(resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { cpu: expect.any(String), memory: expect.any(String) },
      });
  });

  const budget = "PodDisruptionBudget/forge-db-pooler";

  test("keeps one of two pods while nodes are drained; a single one lets its node be drained", () => {
    for (const instances of [1, 2])
      expect(planned({ ...forgeDatabase, instances }, budget).object).toMatchObject({
        spec: { maxUnavailable: 1, selector: { matchLabels: { "cnpg.io/poolerName": "forge-db-pooler" } } },
      });
  });

  test("is waited for until its pods are ready, as its budget counts them", () => {
    for (const instances of [1, 2]) {
      const { object, after } = planned({ ...forgeDatabase, instances }, budget);
      expect(after).toEqual(["Pooler/forge-db-pooler"]);
      expect(object.metadata.annotations).toMatchObject({
        "pulumi.com/waitFor": `jsonpath={.status.currentHealthy}=${instances}`,
      });
    }
  });

  test("is waited for again after a recovery, which is another cluster's", () => {
    const recovered = { ...forgeDatabase, recover: { suffix: "r1" } };
    expect(planned(recovered, budget).object.metadata.annotations).not.toEqual(
      planned(forgeDatabase, budget).object.metadata.annotations,
    );
  });
});

describe("backups", () => {
  test("go to the bucket with the write-ahead log, by credentials from a Secret", () => {
    const store = planned(forgeDatabase, "ObjectStore/forge-db-backup").object as ObjectStore;
    expect(store.spec).toMatchObject({
      retentionPolicy: "30d",
      configuration: {
        destinationPath: "s3://database-a1b2-forge/",
        endpointURL: "https://fsn1.your-objectstorage.com",
        s3Credentials: {
          accessKeyId: { name: "forge-s3-credentials", key: "AWS_ACCESS_KEY_ID" },
          secretAccessKey: { name: "forge-s3-credentials", key: "AWS_SECRET_ACCESS_KEY" },
        },
      },
    });
    expect(store.spec.instanceSidecarConfiguration?.env).toContainEqual({
      name: "AWS_REQUEST_CHECKSUM_CALCULATION",
      value: "when_required",
    });
    expect(cluster(forgeDatabase).spec.plugins).toMatchObject([
      { isWALArchiver: true, parameters: { barmanObjectName: "forge-db-backup", serverName: "forge-db" } },
    ]);
  });

  test("of a major beyond the specification have an archive of their own: its log begins anew, over that of the old one", () => {
    const archive = (args: DatabaseArgs, name?: string) =>
      cluster(args, name).spec.plugins?.[0]?.parameters?.serverName;
    expect(archive({ ...forgeDatabase, version: "16" })).toBe("forge-db");
    expect(archive({ ...forgeDatabase, version: "17" })).toBe("forge-db-pg17");
    const recovered = {
      ...forgeDatabase,
      version: "17",
      recover: { suffix: "r1", targetTime: "2026-11-20T08:30:00Z" },
    };
    expect(archive(recovered, "forge-db-r1")).toBe("forge-db-r1-pg17");
    const [source] = cluster(recovered, "forge-db-r1").spec.externalClusters ?? [];
    expect(source?.plugin?.parameters?.serverName).toBe("forge-db-pg17");
  });

  test("are taken by a schedule of six fields, the first at once", () => {
    const { spec } = planned(forgeDatabase, "ScheduledBackup/forge-db").object as ScheduledBackup;
    expect(spec.schedule.split(" ")).toHaveLength(6);
    expect(spec).toMatchObject({ immediate: true, method: "plugin", cluster: { name: "forge-db" } });
  });

  test("are left out where no bucket is named", () => {
    const args = { ...forgeDatabase, backup: undefined };
    expect(ids(args).filter((id) => /ObjectStore|ScheduledBackup/.test(id))).toEqual([]);
    expect(cluster(args).spec.plugins).toBeUndefined();
  });
});

test("monitors select the instances and the pooler by the operator's labels, unless monitoring is off", () => {
  const selector = (name: string) =>
    (planned(forgeDatabase, `PodMonitor/${name}`).object as PodMonitor).spec.selector.matchLabels;
  expect(selector("forge-db")).toMatchObject({ "cnpg.io/cluster": "forge-db" });
  expect(selector("forge-db-pooler")).toEqual({ "cnpg.io/poolerName": "forge-db-pooler" });
  expect(ids(withPlatform({ monitoring: false })).some((id) => id.startsWith("PodMonitor/"))).toBe(false);
});

describe("recovery to a point in time", () => {
  const recovered = { ...forgeDatabase, recover: { suffix: "r1", targetTime: "2026-11-20T08:30:00Z" } };

  test("is a new cluster from the old one's backups, archiving under its own name", () => {
    const { spec } = cluster(recovered, "forge-db-r1");
    expect(spec.bootstrap).toEqual({
      recovery: {
        source: "forge-db",
        database: "forge",
        owner: "app",
        secret: { name: "forge-db-app" },
        recoveryTarget: { targetTime: "2026-11-20T08:30:00Z" },
      },
    });
    expect(spec.externalClusters?.[0]?.plugin?.parameters).toEqual({
      barmanObjectName: "forge-db-backup",
      serverName: "forge-db",
    });
    expect(spec.plugins?.[0]?.parameters?.serverName).toBe("forge-db-r1");
    expect(planned(recovered, "ScheduledBackup/forge-db-r1").object).toBeDefined();
  });

  test("is named by its instant where it has no suffix", () => {
    const args = { ...forgeDatabase, recover: { targetTime: "2026-11-20 10:30:00+02:00" } };
    const { spec } = cluster(args, "forge-db-20261120-083000");
    expect(spec.bootstrap?.recovery?.recoveryTarget).toEqual({ targetTime: "2026-11-20T08:30:00Z" });
  });

  test("turns the pooler to it, whose name and address stay", () => {
    const entry = planned(recovered, "Pooler/forge-db-pooler");
    expect((entry.object as Pooler).spec.cluster.name).toBe("forge-db-r1");
    expect(entry.replaceOnChanges).toEqual(["spec.cluster.name"]);
    expect(databaseConnection(recovered)).toEqual(databaseConnection(forgeDatabase));
  });

  test("keeps the old cluster as it was until it is let go", () => {
    const old = planned(recovered, "Cluster/forge-db");
    expect(old.object).toEqual(cluster(forgeDatabase));
    expect(old).toMatchObject({
      holdsData: true,
      ignoreChanges: ["spec.bootstrap", "spec.externalClusters", "spec.storage.storageClass"],
    });
    expect(ids({ ...recovered, recover: { ...recovered.recover, keepSource: false } })).not.toContain(
      "Cluster/forge-db",
    );
  });
});
