import { objectId } from "@hearth-platform/hearth/core/plan";
import { planOfStores, type StoreSet, secretsOfStores, storesOf } from "@hearth-platform/hearth/stores/set/store-set";
import { expect, test } from "vitest";
import { platform } from "../../../support/platform.ts";

const database = { name: "notes-db", namespace: "notes", version: "16", database: "notes", clients: [], platform };
const keystore = { namespace: "notes", version: "8.1.4-alpine", platform };
const objectStorage = {
  endpoint: "https://fsn1.your-objectstorage.com",
  region: "fsn1",
  buckets: [{ name: "backups-notes" }],
  credentials: "notes-s3",
  platform,
};
const whole: StoreSet = { keystore, database, objectStorage };

test("the buckets come first, since the database's backups go there", () => {
  expect(storesOf(whole).map(({ store }) => store.component)).toEqual(["ObjectStorage", "Database", "Keystore"]);
});

test("a store that is used from elsewhere is not in the set: neither its objects nor its Secrets", () => {
  const kinds = (set: StoreSet) => planOfStores(set).objects.map(({ object }) => objectId(object));
  expect(kinds(whole)).toEqual(expect.arrayContaining(["Cluster/notes-db", "StatefulSet/keystore"]));
  expect(kinds({ keystore })).not.toContain("Cluster/notes-db");
  expect(planOfStores({}).objects).toEqual([]);
  expect(secretsOfStores(whole)).toEqual(["notes-db-app", "keystore-password"]);
  expect(secretsOfStores({ keystore: { ...keystore, password: false } })).toEqual([]);
});

test("every store says how it is reached before it is made", () => {
  expect(storesOf(whole).map(({ store, args }) => store.connection(args))).toMatchObject([
    { endpoint: "https://fsn1.your-objectstorage.com", credentials: "notes-s3" },
    { host: "notes-db-pooler.notes.svc", database: "notes" },
    { host: "keystore.notes.svc", port: 6379 },
  ]);
});
