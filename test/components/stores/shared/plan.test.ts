import { objectId } from "@hearth-platform/hearth/core/plan";
import {
  forgeBucketArgs,
  forgeClients,
  forgeDatabase,
  forgeExtensions,
} from "@hearth-platform/hearth/forge/store-needs";
import type { Cluster } from "@hearth-platform/hearth/kubernetes/custom-resources/cluster";
import type { StoresArgs } from "@hearth-platform/hearth/stores/shared/args";
import { planStores, storeConnections, storesPlan } from "@hearth-platform/hearth/stores/shared/plan";
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

  test("have the forge's twelve buckets and that of the database's backups", () => {
    const { buckets } = storesPlan(stores);
    expect(buckets).toHaveLength(13);
    for (const { bucket } of buckets) expect(bucket).toMatch(/-a1b2-platform$/);
  });

  test("are none of the buckets that exist already, which are connected to all the same", () => {
    const existing = { ...stores, objectStorage: { ...stores.objectStorage, existingBuckets: true } };
    expect(planStores(existing).objectStorage).toBeUndefined();
    expect(storeConnections(existing).objectStore).toEqual(storeConnections(stores).objectStore);
  });

  test("have a database that the forge runs on, with its extensions and room for all its connections", () => {
    const found = storesPlan(stores).objects.find(({ object }) => objectId(object) === "Cluster/forge-db");
    const spec = (found?.object as Cluster | undefined)?.spec;
    expect(spec?.imageName).toMatch(/:16\./);
    expect(spec?.bootstrap?.initdb?.postInitApplicationSQL).toContain('CREATE EXTENSION IF NOT EXISTS "amcheck"');
    const peak = forgeClients({ platform }).reduce((sum, { connections }) => sum + connections, 0);
    expect(Number(spec?.postgresql?.parameters?.max_connections)).toBeGreaterThan(peak);
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
