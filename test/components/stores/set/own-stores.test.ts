import { innerComponents, planOf } from "@hearth-platform/hearth/core/component";
import { objectId } from "@hearth-platform/hearth/core/plan";
import { type OwnStores, storeStages } from "@hearth-platform/hearth/stores/set/own-stores";
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
const storesOf = (own: OwnStores) => innerComponents("notes", storeStages(own));
const whole = { keystore, database, objectStorage };

test("the buckets are a stage before the database, whose backups go there", () => {
  expect(storeStages(whole).map((stage) => stage.map(({ component }) => component.name))).toEqual([
    ["ObjectStorage"],
    ["Database", "Keystore"],
  ]);
  expect(storesOf(whole).map(({ name }) => name)).toEqual(["notes-storage", "notes-db", "notes-keystore"]);
});

test("of a store that is used from elsewhere nothing is made", () => {
  const objects = (own: OwnStores) =>
    storesOf(own).flatMap((store) => planOf(store).objects.map(({ object }) => objectId(object)));
  expect(objects(whole)).toEqual(expect.arrayContaining(["Cluster/notes-db", "StatefulSet/keystore"]));
  expect(objects({ keystore })).not.toContain("Cluster/notes-db");
  expect(objects({})).toEqual([]);
});

test("every store says how it is reached before it is made", () => {
  const outputs = storesOf(whole).map(({ component, args }) => component.outputs(args, () => undefined));
  expect(outputs).toMatchObject([
    { connection: { endpoint: "https://fsn1.your-objectstorage.com", credentials: "notes-s3" } },
    { connection: { host: "notes-db-pooler.notes.svc", database: "notes" } },
    { connection: { host: "keystore.notes.svc", port: 6379 } },
  ]);
});
