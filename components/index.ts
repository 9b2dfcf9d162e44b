export { Admission } from "./admission/admission.ts";
export type * from "./admission/args.ts";
export { AdmissionAction } from "./admission/args.ts";
export type * from "./cloudsuite/args.ts";
export { OfficeEngine } from "./cloudsuite/args.ts";
export { CloudSuite } from "./cloudsuite/cloudsuite.ts";
export type * from "./copies/args.ts";
export { Copies } from "./copies/copies.ts";
export type { MailArgs } from "./core/mail-args.ts";
export { MailSecurity } from "./core/mail-args.ts";
export type * from "./core/platform-args.ts";
export { Profile, SecretStoreKind } from "./core/platform-args.ts";
export type { SecretKey } from "./core/secret-key-args.ts";
export type * from "./dashboards/args.ts";
export { Dashboards } from "./dashboards/dashboards.ts";
export type * from "./drill/args.ts";
export { DrillApplication } from "./drill/args.ts";
export { Drill } from "./drill/drill.ts";
export type * from "./forge/args.ts";
export {
  ForgeEdition,
  ForgeLdapEncryption,
  ForgeRepositoryBackup,
  ForgeSignInKind,
  ForgeVisibility,
} from "./forge/args.ts";
export { Forge } from "./forge/forge.ts";
export type * from "./hub/args.ts";
export { HubAccess, HubRegistryRoute } from "./hub/args.ts";
export { Hub } from "./hub/hub.ts";
export type { ResourceAmountsArgs, ResourceSpecArgs } from "./kubernetes/resources-args.ts";
export type * from "./service-image/args.ts";
export { ServiceImage } from "./service-image/service-image.ts";
export type * from "./site-webhook/args.ts";
export { SiteWebhook } from "./site-webhook/site-webhook.ts";
export type {
  DatabaseConnection,
  KeystoreConnection,
  ObjectStoreConnection,
} from "./stores/connections-args.ts";
export type * from "./stores/database/args.ts";
export { Database } from "./stores/database/database.ts";
export { type KeystoreArgs, KeystoreUse } from "./stores/keystore/args.ts";
export { Keystore } from "./stores/keystore/keystore.ts";
export type * from "./stores/object-storage/args.ts";
export { BucketProvisioner, ObjectStoreProvider } from "./stores/object-storage/args.ts";
export { ObjectStorage } from "./stores/object-storage/object-storage.ts";
export { awsProviderArgs } from "./stores/object-storage/provider-args.ts";
export type * from "./stores/shared/args.ts";
export { sharedBucket } from "./stores/shared/names.ts";
export { Stores } from "./stores/shared/stores.ts";
