// Written by `npm run generate` from schema.ts: change that.
import type { PlatformArgs } from "../core/platform-args.ts";

/** What the API server does with a change that breaks a limit. */
export const AdmissionAction = {
  /** Admits it, warns whoever makes it, and notes it in the audit log. */
  warn: "warn",
  /** Admits it and notes it in the audit log. */
  audit: "audit",
  /** Refuses it and notes it in the audit log; what the limits only recommend is warned about. */
  deny: "deny",
} as const;
export type AdmissionAction = (typeof AdmissionAction)[keyof typeof AdmissionAction];

/** A namespace whose objects are judged. */
export interface AdmissionNamespaceArgs {
  /** Its name. */
  name: string;
  /** Storage class of its suite's web volume, which decides how many web pods it may have. @default no suite in it */
  storageClass?: string;
  /** Number of files its suite is meant for; the least size of the database's volume follows from it. @default the least there is */
  files?: number;
}

/** The table "Limits" inside the cluster: the API server judges whoever scales or changes what is deployed. */
export interface AdmissionArgs {
  /** Namespace of the ConfigMap with the limits, made with it; names of the policies start with it. Each stack of a cluster needs its own. @default hearth-limits */
  namespace?: string;
  /** What happens to a change that breaks a limit. @default warn */
  action?: AdmissionAction;
  /** Namespaces whose objects are judged; all others are left alone. */
  namespaces: AdmissionNamespaceArgs[];
  /** Settings every component of the stack shares. */
  platform: PlatformArgs;
}
