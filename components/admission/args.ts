// Written by `npm run generate` from schema.ts: change that.
import type { PlatformArgs } from "../core/platform-args.ts";

/** What the API server does with a change that breaks a limit. */
export const AdmissionAction = {
  /** Admits it, warns the client, and records it in the audit log. */
  warn: "warn",
  /** Admits it and records it in the audit log. */
  audit: "audit",
  /** Refuses it and records it in the audit log. Limits that are only recommended give warnings. */
  deny: "deny",
} as const;
export type AdmissionAction = (typeof AdmissionAction)[keyof typeof AdmissionAction];

/** A namespace whose objects are checked. */
export interface AdmissionNamespaceArgs {
  /** Its name. */
  name: string;
  /** Storage class of its suite's web volume, e.g. `smb-csi`, which decides how many web pods it may have. @default no suite in it */
  storageClass?: string;
  /** Number of users the suite is meant for. It sets the recommended resources of its web pods. At least 0. @default the least there is */
  users?: number;
  /** Number of files the suite is meant for. It sets the smallest size of the database's volume. At least 0. @default the least there is */
  files?: number;
}

/** The table "Limits" inside the cluster: the API server judges whoever scales or changes what is deployed. */
export interface AdmissionArgs {
  /** Namespace of the ConfigMap with the limits, created with it. The policies' names start with it. Each stack of a cluster needs its own. @default hearth-limits */
  namespace?: string;
  /** What happens to a change that breaks a limit. @default warn */
  action?: AdmissionAction;
  /** Lets a drill make its own database, which has one instance whatever the limits say; nobody else can. @default false */
  drills?: boolean;
  /** Namespaces whose objects are checked. The policies ignore all others. */
  namespaces: AdmissionNamespaceArgs[];
  /** Settings that all components of the stack share. */
  platform: PlatformArgs;
}
