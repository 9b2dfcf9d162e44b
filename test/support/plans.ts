import type { AdmissionArgs } from "@hearth-platform/hearth/admission/args";
import { admissionComponent } from "@hearth-platform/hearth/admission/component";
import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuite } from "@hearth-platform/hearth/cloudsuite/schema";
import { planOf } from "@hearth-platform/hearth/core/component";
import { resolve } from "@hearth-platform/hearth/core/resolve";
import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { forgeComponent } from "@hearth-platform/hearth/forge/component";
import { forgeDefaults } from "@hearth-platform/hearth/forge/defaults";
import { forge } from "@hearth-platform/hearth/forge/schema";
import type { HubArgs } from "@hearth-platform/hearth/hub/args";
import { hubComponent } from "@hearth-platform/hearth/hub/component";
import { hubDefaults } from "@hearth-platform/hearth/hub/defaults";
import { hub } from "@hearth-platform/hearth/hub/schema";
import type { DatabaseArgs } from "@hearth-platform/hearth/stores/database/args";
import { databaseComponent } from "@hearth-platform/hearth/stores/database/component";
import { databaseDefaults } from "@hearth-platform/hearth/stores/database/defaults";
import { database } from "@hearth-platform/hearth/stores/database/schema";
import type { KeystoreArgs } from "@hearth-platform/hearth/stores/keystore/args";
import { keystoreComponent } from "@hearth-platform/hearth/stores/keystore/component";
import type { ObjectStorageArgs } from "@hearth-platform/hearth/stores/object-storage/args";
import { objectStorageComponent } from "@hearth-platform/hearth/stores/object-storage/component";

/** Everything that a component makes, as one plan, from the arguments that its users give. */

export const planAdmission = (args: AdmissionArgs) => planOf({ component: admissionComponent, args });
export const planDatabase = (args: DatabaseArgs) => planOf({ component: databaseComponent, args });
export const planKeystore = (args: KeystoreArgs) => planOf({ component: keystoreComponent, args });
export const planForge = (args: ForgeArgs) => planOf({ component: forgeComponent, args });
export const planHub = (args: HubArgs) => planOf({ component: hubComponent, args });
export const planObjectStorage = (args: ObjectStorageArgs) => planOf({ component: objectStorageComponent, args });

/** The arguments of a component as its plan reads them. */

export const resolvedDatabase = (args: DatabaseArgs) =>
  databaseDefaults(resolve(database, args, args.platform.profile));
export const resolvedForge = (args: ForgeArgs) => forgeDefaults(resolve(forge, args, args.platform.profile));
export const resolvedHub = (args: HubArgs) => hubDefaults(resolve(hub, args, args.platform.profile));
export const resolvedSuite = (args: CloudSuiteArgs) => resolve(cloudSuite, args, args.platform.profile);
