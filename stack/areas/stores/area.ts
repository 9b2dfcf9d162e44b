import { majorsUnder } from "@hearth-platform/hearth/catalogue/database-majors";
import { databaseNames, keystoreClaim, names } from "@hearth-platform/hearth/catalogue/names";
import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { valueProblems } from "@hearth-platform/hearth/core/arguments";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { block, optional, without } from "@hearth-platform/hearth/core/schema";
import { dnsLabel, ownNamespaceName } from "@hearth-platform/hearth/core/value-rules";
import { forgeBucketArgs } from "@hearth-platform/hearth/forge/store-needs";
import { hubVersion } from "@hearth-platform/hearth/hub/versions";
import { limits } from "@hearth-platform/hearth/limits/table";
import { profileProblems } from "@hearth-platform/hearth/limits/value-rules";
import { inPlaceProblems } from "@hearth-platform/hearth/stores/database/rules";
import { keystorePassword } from "@hearth-platform/hearth/stores/keystore/plan";
import { providerProblems, regionProblems } from "@hearth-platform/hearth/stores/object-storage/rules";
import { bucket } from "@hearth-platform/hearth/stores/object-storage/schema";
import { storesComponent } from "@hearth-platform/hearth/stores/shared/component";
import { sharedNames, sharedNamespace } from "@hearth-platform/hearth/stores/shared/names";
import { storesDatabase, storesKeystore } from "@hearth-platform/hearth/stores/shared/schema";
import type { StackSettings } from "../../settings/stack-schema.ts";
import { type Area, ofSettings, storeKeysProblems } from "../area.ts";

const settings = {
  database: optional(
    block(
      "SharedDatabase",
      "The database that forge and hub share.",
      without(storesDatabase, "database", "extensions", "databases", "clients"),
    ),
    "one of the default size",
  ),
  keystore: optional(
    block("SharedKeystore", "The keystore that forge and hub share.", storesKeystore.shape),
    "one of the default size",
  ),
};

/** The stores that forge and hub share. */
export const storesArea: Area<typeof settings, "Stores"> = {
  settings,
  component: storesComponent,
  after: ["admission"],
  parts: (_, { stores }) => (stores ? [{ name: "platform", args: stores.args, objectStore: stores.objectStore }] : []),
  rules: [
    ofSettings(["database", "profile"], ({ database, profile }, widening) =>
      profileProblems(limits.databaseInstances, "database.instances", database?.instances, {
        profile,
        limits: widening,
      }),
    ),
    ofSettings(["hub", "database"], hubDatabase),
    ofSettings(["database"], ({ database }) =>
      inPlaceProblems("database.recover", sharedNames.database, database?.recover),
    ),
    ofSettings(["objectStorage"], ({ objectStorage = {} }) => [
      ...providerProblems("objectStorage.endpoint", objectStorage),
      ...regionProblems("objectStorage.region", objectStorage.endpoint, objectStorage.region),
    ]),
    ofSettings(["forge", "namespace", "objectStorage"], forgeBucketNames),
    ofSettings(["forge", "hub", "secrets"], ({ forge, hub, secrets }) =>
      forge || hub ? storeKeysProblems(sharedNames.objectStoreCredentials, secrets) : [],
    ),
  ],
  versions: ofSettings(["forge", "hub", "database", "keystore"], ({ forge, hub, database, keystore }) =>
    forge || hub
      ? [
          {
            path: "database.version",
            program: "postgresql",
            version: database?.version ?? programs.postgresql.deployed,
          },
          { path: "keystore.version", program: "valkey", version: keystore?.version ?? programs.valkey.deployed },
        ]
      : [],
  ),
  workloads: () => [sharedNames.database, sharedNames.pooler, names.keystore, names.keystoreExporter],
  secrets: () => ({
    own: [sharedNames.objectStoreCredentials, databaseNames(sharedNames.database).credentials, keystorePassword],
  }),
  data: [keystoreClaim, sharedNames.database],
  recordsCluster: true,
};

/** The forge judges its database itself; the hub does not know which one it gets. */
function hubDatabase({ hub, database }: Pick<StackSettings, "hub" | "database">): Problem[] {
  if (!hub) return [];
  const version = database?.version ?? programs.postgresql.deployed;
  const { oldest, newest } = majorsUnder("harbor", hubVersion(hub));
  if (Number(version) >= oldest && Number(version) <= newest) return [];
  return [
    error(
      "hub-database",
      "database.version",
      `Hub ${hubVersion(hub)} runs on PostgreSQL ${oldest} to ${newest}, and the database is ${version}.`,
      `Write ${newest}, or upgrade the hub first.`,
    ),
  ];
}

/** Names of buckets are made of suffix and namespace, which may be right by themselves and too long together. */
function forgeBucketNames({
  forge,
  namespace = sharedNamespace,
  objectStorage,
}: Pick<StackSettings, "forge" | "namespace" | "objectStorage">): Problem[] {
  const suffix = objectStorage?.bucketSuffix;
  const wrong = [...dnsLabel("", suffix), ...ownNamespaceName("", namespace)];
  if (!forge || suffix === undefined || wrong.length > 0) return [];
  const path = ["objectStorage", "bucketSuffix"];
  return forgeBucketArgs(suffix, namespace)
    .flatMap(({ name }) => valueProblems(bucket.shape.name, name, undefined, path))
    .slice(0, 1);
}
