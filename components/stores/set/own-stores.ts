import type { InnerComponent } from "../../core/component.ts";
import type { DatabaseArgs } from "../database/args.ts";
import { databaseComponent } from "../database/component.ts";
import type { KeystoreArgs } from "../keystore/args.ts";
import { keystoreComponent } from "../keystore/component.ts";
import type { ObjectStorageArgs } from "../object-storage/args.ts";
import { objectStorageComponent } from "../object-storage/component.ts";

/** The stores that a component makes for itself, by their arguments. */
export interface OwnStores {
  /** None where the buckets exist already. */
  readonly objectStorage?: ObjectStorageArgs;
  /** None where an existing database is used. */
  readonly database?: DatabaseArgs;
  /** None where an existing keystore is used. */
  readonly keystore?: KeystoreArgs;
}

/** The stores as stages of the component that makes them: the database needs the bucket of its backups. */
export function storeStages(own: OwnStores): InnerComponent[][] {
  return [
    own.objectStorage ? [{ component: objectStorageComponent, args: own.objectStorage, suffix: "storage" }] : [],
    [
      ...(own.database ? [{ component: databaseComponent, args: own.database, suffix: "db" }] : []),
      ...(own.keystore ? [{ component: keystoreComponent, args: own.keystore, suffix: "keystore" }] : []),
    ],
  ];
}
