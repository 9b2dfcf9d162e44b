export { Admission } from "./admission/admission.ts";
export type * from "./admission/args.ts";
export { AdmissionAction } from "./admission/args.ts";
export type * from "./cloudsuite/args.ts";
export { OfficeEngine } from "./cloudsuite/args.ts";
export { CloudSuite } from "./cloudsuite/cloudsuite.ts";
export type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection, SecretKey } from "./connections.ts";
export type * from "./database/args.ts";
export { Database } from "./database/database.ts";
export type * from "./forge/args.ts";
export {
  ForgeEdition,
  ForgeLdapEncryption,
  ForgeSignInKind,
  ForgeSmtpSecurity,
  ForgeVisibility,
} from "./forge/args.ts";
export { Forge } from "./forge/forge.ts";
export type * from "./hub/args.ts";
export { HubAccess, HubRegistryRoute } from "./hub/args.ts";
export { Hub } from "./hub/hub.ts";
export { type KeystoreArgs, KeystoreUse } from "./keystore/args.ts";
export { Keystore } from "./keystore/keystore.ts";
export type * from "./object-storage/args.ts";
export { BucketProvisioner, ObjectStoreProvider } from "./object-storage/args.ts";
export { forgeBucket } from "./object-storage/bucket-names.ts";
export { ObjectStorage } from "./object-storage/object-storage.ts";
export { awsProviderArgs } from "./object-storage/provider-args.ts";
export type * from "./platform.ts";
export { Profile } from "./platform.ts";
export type { ResourceAmountsArgs, ResourceSpecArgs } from "./resources.ts";
export { type SecretStoreArgs, SecretStoreKind, type SecretsArgs } from "./secrets.ts";
export type * from "./site-webhook/args.ts";
export { SiteWebhook } from "./site-webhook/site-webhook.ts";
export type * from "./stores/args.ts";
export { Stores } from "./stores/stores.ts";
