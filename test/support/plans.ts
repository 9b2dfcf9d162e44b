import { planOf } from "@hearth-platform/hearth/core/component";
import type { DatabaseArgs } from "@hearth-platform/hearth/stores/database/args";
import { databaseComponent } from "@hearth-platform/hearth/stores/database/component";
import type { KeystoreArgs } from "@hearth-platform/hearth/stores/keystore/args";
import { keystoreComponent } from "@hearth-platform/hearth/stores/keystore/component";
import type { ObjectStorageArgs } from "@hearth-platform/hearth/stores/object-storage/args";
import { objectStorageComponent } from "@hearth-platform/hearth/stores/object-storage/component";

/** Everything that a component makes, as one plan, from the arguments that its users give. */

export const planDatabase = (args: DatabaseArgs) => planOf({ component: databaseComponent, args });
export const planKeystore = (args: KeystoreArgs) => planOf({ component: keystoreComponent, args });
export const planObjectStorage = (args: ObjectStorageArgs) => planOf({ component: objectStorageComponent, args });
