import { allPlans, innerComponents } from "@hearth-platform/hearth/core/component";
import { objectId } from "@hearth-platform/hearth/core/plan";
import {
  forgeBucketArgs,
  forgeClients,
  forgeDatabase,
  forgeExtensions,
} from "@hearth-platform/hearth/forge/store-needs";
import { hubClients, hubDatabase } from "@hearth-platform/hearth/hub/store-needs";
import type { Cluster } from "@hearth-platform/hearth/kubernetes/custom-resources/cluster";
import type { StoresArgs } from "@hearth-platform/hearth/stores/shared/args";
import { storesComponent } from "@hearth-platform/hearth/stores/shared/component";
import { storeConnections } from "@hearth-platform/hearth/stores/shared/plan";
import { describe, expect, test } from "vitest";
import { platform } from "../../../support/platform.ts";

const stores: StoresArgs = {
  namespace: "platform",
  database: { database: forgeDatabase, extensions: forgeExtensions, clients: forgeClients({ platform }) },
  objectStorage: {
    endpoint: "https://fsn1.your-objectstorage.com",
    region: "fsn1",
    buckets: forgeBucketArgs("a1b2", "platform"),
    databaseBackups: "db-backups-a1b2-platform",
  },
  platform: { ...platform, secrets: { store: { name: "hearth" }, generate: true } },
};

const storesPlan = (args: StoresArgs) => {
  const [plan] = allPlans(storesComponent.stages(args));
  return plan;
};

describe("the stores that forge and hub share", () => {
  test("are the specification's: database, pooler, backup configuration, keystore and credentials", () => {
    expect(storesPlan(stores).objects.map(({ object }) => objectId(object))).toEqual(
      expect.arrayContaining([
        "Namespace/platform",
        "ExternalSecret/forge-s3-credentials",
        "Cluster/forge-db",
        "Pooler/forge-db-pooler",
        "ObjectStore/forge-db-backup",
        "StatefulSet/keystore",
      ]),
    );
  });

  test("have the forge's fourteen buckets and that of the database's backups", () => {
    const { buckets } = storesPlan(stores);
    expect(buckets).toHaveLength(15);
    for (const { bucket } of buckets) expect(bucket).toMatch(/-a1b2-platform$/);
  });

  test("are none of the buckets that exist already, which are connected to all the same", () => {
    const existing = { ...stores, objectStorage: { ...stores.objectStorage, existingBuckets: true } };
    expect(storesPlan(existing).buckets).toEqual([]);
    expect(innerComponents("platform", storesComponent.stages(existing)).map(({ name }) => name)).toEqual([
      "platform-db",
      "platform-keystore",
    ]);
    expect(storeConnections(existing).objectStore).toEqual(storeConnections(stores).objectStore);
  });

  test("have a database that the forge runs on, with its extensions and room for all its connections", () => {
    const found = storesPlan(stores).objects.find(({ object }) => objectId(object) === "Cluster/forge-db");
    const spec = (found?.object as Cluster | undefined)?.spec;
    expect(spec?.imageName).toMatch(/:17\./);
    expect(spec?.bootstrap?.initdb?.postInitApplicationSQL).toContain('CREATE EXTENSION IF NOT EXISTS "amcheck"');
    const peak = forgeClients({ platform }).reduce((sum, { connections }) => sum + connections, 0);
    expect(Number(spec?.postgresql?.parameters?.max_connections)).toBeGreaterThan(peak);
  });

  test("are given what was given, and what has another default here: defaults of their own would be in the state", () => {
    const inner = innerComponents("platform", storesComponent.stages({ ...stores, keystore: {} }));
    const [, database, keystore] = inner.map(({ args }) => args);
    expect(database).toMatchObject({ resources: { limits: { memory: "7Gi" } } });
    expect(keystore).toMatchObject({ use: "queue", resources: { limits: { memory: "1Gi" } } });
    for (const own of ["version", "instances", "storageSize", "databases", "backup.schedule"])
      expect(database).not.toHaveProperty(own);
    for (const own of ["storageSize", "password", "replicas"]) expect(keystore).not.toHaveProperty(own);
  });

  test("are reached by the pooler and the keystore's Service", () => {
    const { database, keystore } = storeConnections(stores);
    expect(database).toMatchObject({
      host: "forge-db-pooler.platform.svc",
      port: 5432,
      user: "app",
      database: "forge",
    });
    expect(keystore).toMatchObject({ host: "keystore.platform.svc", port: 6379 });
  });
});

describe("the database's memory", () => {
  /**
   * MiB of its own that a server process grows to, measured with PostgreSQL 15.18 and 1000 tables of 25 columns and 5 indexes, after one
   * query of the catalogue: 3.5 with no table touched, 9.2 with 150, 14.9 with 300, 22.6 with 500; 5.8 with all 60 of the hub's.
   */
  const grown: Readonly<Record<string, number>> = { [forgeDatabase]: 15, [hubDatabase]: 6 };
  /** MiB of page tables of a process that has touched all of so many MiB of shared buffers: 8 bytes a page of 4 KiB. */
  const pageTables = (shared: number) => (shared * 8) / 4096;

  test.each(["production", "development"] as const)(
    "holds the peak of a forge's and a hub's connections in %s",
    (profile) => {
      const ofProfile = { ...stores.platform, profile };
      const clients = [...forgeClients({ platform: ofProfile }), ...hubClients({ platform: ofProfile })];
      const database = { ...stores.database, databases: [{ name: hubDatabase }], clients };
      const { objects } = storesPlan({ ...stores, database, platform: ofProfile });
      const found = objects.find(({ object }) => objectId(object) === "Cluster/forge-db")?.object as unknown as Cluster;
      const { parameters = {} } = found.spec.postgresql ?? {};
      const mebibytes = (name: string) => Number.parseInt(parameters[name] ?? "", 10);
      const [shared, maintenance] = [mebibytes("shared_buffers"), mebibytes("maintenance_work_mem")];
      const processes = clients.reduce(
        (sum, { connections, database: name }) =>
          sum + connections * ((grown[name ?? forgeDatabase] ?? 0) + pageTables(shared)),
        0,
      );
      expect(String(found.spec.resources?.limits?.memory)).toBe("7Gi");
      expect(shared + maintenance + processes).toBeLessThan(7 * 1024);
    },
  );
});
