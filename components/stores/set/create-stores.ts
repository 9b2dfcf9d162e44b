import type * as pulumi from "@pulumi/pulumi";
import { Database } from "../database/database.ts";
import { databaseStore } from "../database/store.ts";
import { Keystore } from "../keystore/keystore.ts";
import { keystoreStore } from "../keystore/store.ts";
import { ObjectStorage } from "../object-storage/object-storage.ts";
import { objectStorageStore } from "../object-storage/store.ts";
import type { Store } from "../store.ts";
import type { StoreSet } from "./store-set.ts";

/**
 * Creates the stores of the component `parent`; the database comes after the bucket of its backups.
 * @param name of the component in Pulumi's state
 * @param dependsOn what comes before all of them
 */
export function createStores(
  parent: pulumi.Resource,
  name: string,
  { objectStorage, database, keystore }: StoreSet,
  dependsOn: readonly pulumi.Resource[],
): pulumi.Resource[] {
  const nameOf = ({ suffix }: Pick<Store<never, never>, "suffix">) => `${name}-${suffix}`;
  const after = (...more: pulumi.Resource[]) => ({ parent, dependsOn: [...dependsOn, ...more] });
  const buckets = objectStorage ? [new ObjectStorage(nameOf(objectStorageStore), objectStorage, after())] : [];
  return [
    ...buckets,
    ...(database ? [new Database(nameOf(databaseStore), database, after(...buckets))] : []),
    ...(keystore ? [new Keystore(nameOf(keystoreStore), keystore, after())] : []),
  ];
}
