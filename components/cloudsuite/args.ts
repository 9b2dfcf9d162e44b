// Written by `npm run generate` from schema.ts: change that.
import type { MailArgs } from "../core/mail-args.ts";
import type { PlatformArgs } from "../core/platform-args.ts";
import type { SecretKey } from "../core/secret-key-args.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";
import type { DatabaseConnection, KeystoreConnection } from "../stores/connections-args.ts";
import type { DatabaseRecoveryArgs } from "../stores/database/args.ts";
import type { BucketSettingsArgs } from "../stores/object-storage/args.ts";

/** Versions of a suite's parts: `versions` of config.yaml. */
export interface CloudSuiteVersionsArgs {
  /** Tag of the Nextcloud Apache image, e.g. `34.0.4-apache`; never older than the data, at most one major newer. */
  cloudsuite: string;
  /** PostgreSQL major in quotes: `"12"`, `"13"`, `"14"`, `"15"`, `"16"`. */
  db: string;
  /** Tag of the keystore image, e.g. `8.1.9-alpine`. */
  keystore: string;
  /** Tag of the office image, needed with `office`; of Collabora e.g. `26.04.4.2.1`. @default none */
  office?: string;
  /** Tag of the whiteboard image, needed with `whiteboard`, e.g. `v2.0.0`. @default none */
  whiteboard?: string;
}

/** Names of a suite's buckets: `s3.buckets` of config.yaml. */
export interface CloudSuiteBucketsArgs {
  /** Bucket of the users' files, e.g. `data-team-a1b2`. */
  data: string;
  /** Bucket of the database backups, e.g. `backups-team-a1b2`. */
  backups: string;
}

/** Object storage of a suite: `s3` of config.yaml. */
export interface CloudSuiteS3Args {
  /** URL of the S3-compatible endpoint, e.g. `https://fsn1.your-objectstorage.com`. */
  endpoint: string;
  /** Region code of the endpoint's location: `fsn1`, `nbg1` or `hel1`. */
  region: string;
  /** Names of the buckets. */
  buckets: CloudSuiteBucketsArgs;
}

/** Volumes of a suite: `storage` of config.yaml. */
export interface CloudSuiteStorageArgs {
  /** Storage class of the web volume: `replicated-block` (single-writer), `smb-csi` (multi-writer), or one that `platform.limits` adds. Database and keystore have the stack's `storageClass`. */
  storageClass: string;
  /** Size of each database replica's volume, with a binary suffix, e.g. `10Gi`. */
  dbSize: string;
  /** Size of the keystore's volume, with a binary suffix, e.g. `5Gi`. */
  keystoreSize: string;
  /** Storage class of the database's volumes; in a stack its `storageClass` unless it is set here. @default replicated-block */
  dbClass?: string;
  /** Storage class of the keystore's volume; in a stack its `storageClass` unless it is set here. @default replicated-block */
  keystoreClass?: string;
  /** Size of the volume with the program, its apps and configuration, with a binary suffix. Users' files are in the object store. @default 10Gi */
  webSize?: string;
}

/** Resources of a suite's own parts: `resources` of config.yaml. */
export interface CloudSuiteResourcesArgs {
  /** Of each web pod. */
  cloudsuite: ResourceSpecArgs;
  /** Of each database instance. */
  db: ResourceSpecArgs;
  /** Of the keystore. */
  keystore: ResourceSpecArgs;
}

/** Replica counts of a suite: `replicas` of config.yaml. */
export interface CloudSuiteReplicasArgs {
  /** Web pods: 1 with `replicated-block`, up to 3 with `smb-csi`. At least 1. */
  cloudsuite: number;
  /** Database instances: 2 for production, 1 for development. At least 1. */
  db: number;
  /** Keystore pods: 1. Always 1. */
  keystore: number;
}

/** Limits of PHP. */
export interface CloudSuitePhpArgs {
  /** Memory of one request, of a background job, or of a command, e.g. `1Gi`. @default 512Mi */
  memory?: string;
  /** Greatest form, and greatest file that is sent in one piece. Nextcloud's clients send larger ones in parts. Example: `4Gi`. @default 512Mi for a form, 1Gi for a request */
  upload?: string;
}

/** Program that edits documents in the browser. */
export const OfficeEngine = {
  collabora: "collabora",
  onlyoffice: "onlyoffice",
} as const;
export type OfficeEngine = (typeof OfficeEngine)[keyof typeof OfficeEngine];

/** Office editing: `office` of config.yaml. */
export interface CloudSuiteOfficeArgs {
  /** Public host of the office server, a subdomain of the suite's domain, e.g. `office.cloud.example.org`. */
  domain: string;
  /** Resources of the office pod. */
  resources: ResourceSpecArgs;
  /** Office server that edits the documents. @default collabora */
  engine?: OfficeEngine;
}

/** Whiteboard: `whiteboard` of config.yaml. */
export interface CloudSuiteWhiteboardArgs {
  /** Resources of the whiteboard pod. */
  resources: ResourceSpecArgs;
}

/** The client that a component `Forge` of the same program makes for the suite. Name that component in `dependsOn`. */
export interface CloudSuiteApplicationArgs {
  /** Namespace of the forge. */
  namespace: string;
  /** Secret with its id and secret, in the forge's namespace. */
  secret: string;
}

/** Sign-on with an OpenID Connect provider. The suite's administrator keeps a password, at `/login?direct=1`. */
export interface CloudSuiteSignOnArgs {
  /** Text of the sign-in button. @default host of the issuer */
  name?: string;
  /** What the names of accounts and groups begin with: with `forge`, user 42 is `forge-42`. It never changes. @default provider */
  identifier?: string;
  /** The provider's `issuer`, exactly as in its `/.well-known/openid-configuration`, e.g. `https://id.example.org`. */
  issuer: string;
  /** Secret key of the client's id, in the suite's namespace. @default none: needed without `application` */
  clientId?: SecretKey;
  /** Secret key of the client's secret, in the suite's namespace. @default none: needed without `application` */
  clientSecret?: SecretKey;
  /** The client, made by a forge of the same program. @default none: `clientId` and `clientSecret` */
  application?: CloudSuiteApplicationArgs;
  /** Scopes the suite asks for. @default openid, profile, email */
  scopes?: string[];
  /** Claim that tells who somebody is. It must never change for a person, nor be given to another. @default sub */
  userClaim?: string;
  /** Claim of the ID token that holds the user's groups. @default groups */
  groupsClaim?: string;
  /** Groups of the provider that the suite has too, in full, e.g. `team/design`: people enter and leave them at each sign-on. Their ids in the suite begin with the identifier. @default none: groups are the suite's own */
  groups?: string[];
  /** Only members of `groups` may sign on. @default false */
  onlyMembers?: boolean;
  /** The sign-in page goes to the provider at once. @default false */
  automatic?: boolean;
  /** The provider has a private address. Nextcloud then calls private addresses for its users too, e.g. for federated shares. @default false */
  privateAddress?: boolean;
  /** Secret key, in the suite's namespace, of a token of the provider, a GitLab, with the scope `read_user`. Every 15 minutes the suite asks with it which users GitLab has blocked or deleted, and disables their accounts. @default none: sessions and app passwords of a blocked user work until somebody disables the account */
  gitlabToken?: SecretKey;
}

/** Push: clients hear of changes at once, instead of asking every half minute. Of Nextcloud's `notify_push`, the app and its server. */
export interface CloudSuitePushArgs {
  /** Whether clients are told. Before you remove the block, set it to `false`, so that they ask again. */
  enabled: boolean;
  /** Tag of the server's image. Its first two numbers are those of the app. @default v1.4.1 */
  version?: string;
  /** Resources of the server's pod. @default 50m and 64Mi, up to 500m and 256Mi */
  resources?: ResourceSpecArgs;
}

/** Previews of pictures and PDF files. Imaginary makes them in a pod of its own, which calls nobody, in place of PHP in the web pods. */
export interface CloudSuitePreviewsArgs {
  /** Whether Imaginary makes the previews. Before you remove the block, set it to `false`, so that Nextcloud makes them itself again. */
  enabled: boolean;
  /** Tag of the image. @default 20260817_082005 */
  version?: string;
  /** Resources of the pod. @default 100m and 256Mi, up to 2000m and 1Gi */
  resources?: ResourceSpecArgs;
}

/** A collaboration suite in a namespace of its own, described by the fields of one config.yaml. */
export interface CloudSuiteArgs {
  /** Namespace of the suite, e.g. `team`: a DNS label that nothing else uses. It is created with the suite. */
  namespace: string;
  /** Public host, e.g. `cloud.example.org`, used for ingress, TLS certificate, trusted domain and office server URL. */
  domain: string;
  /** Versions of the parts. */
  versions: CloudSuiteVersionsArgs;
  /** Object storage. */
  s3: CloudSuiteS3Args;
  /** Volumes. */
  storage: CloudSuiteStorageArgs;
  /** Resources of the pods. */
  resources: CloudSuiteResourcesArgs;
  /** Replica counts. */
  replicas: CloudSuiteReplicasArgs;
  /** Office editing. @default none */
  office?: CloudSuiteOfficeArgs;
  /** Whiteboard. @default none */
  whiteboard?: CloudSuiteWhiteboardArgs;
  /** Sign-on of all users but the administrator. @default none: accounts in the suite, which its administrator makes */
  signOn?: CloudSuiteSignOnArgs;
  /** Push of changes to clients. @default none: clients ask every half minute */
  push?: CloudSuitePushArgs;
  /** Previews of pictures and PDF files by Imaginary. @default none: PHP in the web pods makes those of common pictures */
  previews?: CloudSuitePreviewsArgs;
  /** Settings that all components of the stack share. */
  platform: PlatformArgs;
  /** Nextcloud's apps that are on, with their settings: the app's id → its settings, e.g. `calendar: {}` or `files: {default_quota: 10 GB}`. `core` has settings alone. An app that leaves the list stays on. @default those of the image */
  apps?: Record<string, Record<string, string>>;
  /** Country of telephone numbers without a prefix, e.g. `DE`. @default none: numbers need their prefix */
  phoneRegion?: string;
  /** Language of new users whose browser names none, e.g. `de`. @default English */
  language?: string;
  /** Limits of PHP. @default the image's */
  php?: CloudSuitePhpArgs;
  /** Mail of this suite. @default the platform's `mail`; without it the suite sends none */
  mail?: MailArgs;
  /** Shows visitors the maintenance page and stops background jobs. @default false */
  maintenance?: boolean;
  /** Recovery of the suite's database to a point in time. Files in the object store do not go back with it. @default none */
  recover?: DatabaseRecoveryArgs;
  /** Uses an existing PostgreSQL database instead of making one. @default a cluster of its own */
  database?: DatabaseConnection;
  /** Uses an existing keystore instead of making one. @default a keystore of its own */
  keystore?: KeystoreConnection;
  /** Network policies that allow exactly the connections the suite needs and deny all others. @default as the whole stack: with profile production */
  networkPolicies?: boolean;
  /** Uses existing buckets instead of making them. @default false: they are made */
  existingBuckets?: boolean;
  /** How the buckets are made. @default by this program */
  objectStorage?: BucketSettingsArgs;
}
