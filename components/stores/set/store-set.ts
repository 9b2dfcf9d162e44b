import { joinPlans, type Plan } from "../../core/plan.ts";
import type { DatabaseArgs } from "../database/args.ts";
import { databaseStore } from "../database/store.ts";
import type { KeystoreArgs } from "../keystore/args.ts";
import { keystoreStore } from "../keystore/store.ts";
import type { ObjectStorageArgs } from "../object-storage/args.ts";
import { objectStorageStore } from "../object-storage/store.ts";
import type { Store } from "../store.ts";

/** The stores that a component makes for itself, by their arguments. */
export interface StoreSet {
  /** None where the buckets exist already. */
  readonly objectStorage?: ObjectStorageArgs;
  /** None where an existing database is used. */
  readonly database?: DatabaseArgs;
  /** None where an existing keystore is used. */
  readonly keystore?: KeystoreArgs;
}

/** A store of a set, with its arguments. */
export interface StoreOfSet {
  readonly store: Store<object, unknown>;
  readonly args: object;
}

/** The stores of a set that there are, in the order of creation. */
export function storesOf(set: StoreSet): StoreOfSet[] {
  return storeStages(set).flat();
}

/** The stores of a set that there are, those that wait for others after them: the database needs the bucket of its backups. */
export function storeStages({ objectStorage, database, keystore }: StoreSet): StoreOfSet[][] {
  return [
    objectStorage ? [{ store: objectStorageStore, args: objectStorage }] : [],
    [
      ...(database ? [{ store: databaseStore, args: database }] : []),
      ...(keystore ? [{ store: keystoreStore, args: keystore }] : []),
    ],
  ];
}

/** Everything that the stores of a set create. */
export function planOfStores(set: StoreSet): Plan {
  return joinPlans(...storesOf(set).map(({ store, args }) => store.plan(args)));
}

/** Secrets that applications read to reach the stores of a set, by the platform's names. */
export function secretsOfStores(set: StoreSet): string[] {
  return storesOf(set).flatMap(({ store, args }) => store.secrets(args));
}
