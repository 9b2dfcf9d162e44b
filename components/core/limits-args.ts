// Written by `npm run generate` from limits-schema.ts: change that.

/** A further region of object stores. */
export interface WidenedRegionArgs {
  /** Its code, e.g. `eu-central-1`. */
  name: string;
  /** Host of its endpoints; `*` stands for one label, e.g. `s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  /** Why it is allowed. */
  reason: string;
  /** Last day it is allowed, in UTC, e.g. `2026-12-31`. @default no end */
  until?: string;
}

/** A further class of a suite's web volume. */
export interface WidenedStorageClassArgs {
  /** The StorageClass, e.g. `longhorn`. */
  name: string;
  /** Pods on several nodes may write one volume. Without it a suite has one web pod. */
  multiWriter: boolean;
  /** Its volumes can grow. Without it `webSize` stays as it is. */
  expandable: boolean;
  /** Why it is allowed. */
  reason: string;
  /** Last day it is allowed, in UTC, e.g. `2026-12-31`. @default no end */
  until?: string;
}

/** A further major of PostgreSQL. */
export interface WidenedMajorArgs {
  /** 17 or 18. */
  major: number;
  /** Why it is allowed. */
  reason: string;
  /** Last day it is allowed, in UTC, e.g. `2026-12-31`. @default no end */
  until?: string;
}

/** A higher number. */
export interface WidenedNumberArgs {
  /** The most that is allowed. */
  most: number;
  /** Why it is allowed. */
  reason: string;
  /** Last day it is allowed, in UTC, e.g. `2026-12-31`. @default no end */
  until?: string;
}

/** What is allowed beside the specification's sets; nothing else changes them. */
export interface LimitsArgs {
  /** Further regions of object stores. @default none */
  regions?: WidenedRegionArgs[];
  /** Further classes of suites' web volumes. @default none */
  storageClasses?: WidenedStorageClassArgs[];
  /** Further majors of PostgreSQL, one after the other. @default none */
  databaseMajors?: WidenedMajorArgs[];
  /** More instances of a database. @default 2 */
  databaseReplicas?: WidenedNumberArgs;
  /** More web pods of a suite on a class with several writers. @default 3 */
  cloudsuiteReplicas?: WidenedNumberArgs;
}
