// Written by `npm run generate` from limits-schema.ts: change that.

/** A further region of object stores. */
export interface WidenedRegionArgs {
  /** Region code, e.g. `eu-central-1`. */
  name: string;
  /** Host of the region's endpoints; `*` stands for one label, e.g. `s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  /** Reason for allowing it. */
  reason: string;
  /** Last day it is allowed, in UTC, e.g. `2026-12-31`. @default no end */
  until?: string;
}

/** A further storage class, for all volumes of the stack. */
export interface WidenedStorageClassArgs {
  /** The StorageClass, e.g. `longhorn`. */
  name: string;
  /** Whether pods on several nodes can write one volume. If not, a suite has one web pod. */
  multiWriter: boolean;
  /** Whether its volumes can grow. If not, their sizes can't change. */
  expandable: boolean;
  /** Reason for allowing it. */
  reason: string;
  /** Last day it is allowed, in UTC, e.g. `2026-12-31`. @default no end */
  until?: string;
}

/** A further major of PostgreSQL. */
export interface WidenedMajorArgs {
  /** A major after the specification's last one, 16. From 17 to 18. */
  major: number;
  /** Reason for allowing it. */
  reason: string;
  /** Last day it is allowed, in UTC, e.g. `2026-12-31`. @default no end */
  until?: string;
}

/** A higher number. */
export interface WidenedNumberArgs {
  /** The highest number allowed. At least 1. */
  most: number;
  /** Reason for allowing it. */
  reason: string;
  /** Last day it is allowed, in UTC, e.g. `2026-12-31`. @default no end */
  until?: string;
}

/** Other numbers of instances. */
export interface WidenedInstancesArgs {
  /** The lowest number allowed in production; 1 has no failover. From 1 to 2. @default 2 */
  least?: number;
  /** The highest number allowed. At least 1. */
  most: number;
  /** Reason for allowing it. */
  reason: string;
  /** Last day it is allowed, in UTC, e.g. `2026-12-31`. @default no end */
  until?: string;
}

/** A lower number. */
export interface WidenedPodsArgs {
  /** The lowest number allowed in production; with 1 there is an outage whenever its node is drained. From 1 to 2. */
  least: number;
  /** Reason for allowing it. */
  reason: string;
  /** Last day it is allowed, in UTC, e.g. `2026-12-31`. @default no end */
  until?: string;
}

/** Values allowed beyond the specification's sets. Nothing else extends them. */
export interface LimitsArgs {
  /** Further regions of object stores. @default none */
  regions?: WidenedRegionArgs[];
  /** Further storage classes. @default none */
  storageClasses?: WidenedStorageClassArgs[];
  /** Further majors of PostgreSQL for suites, without gaps. @default none */
  databaseMajors?: WidenedMajorArgs[];
  /** More instances of a database, or one in production. @default 2 */
  databaseReplicas?: WidenedInstancesArgs;
  /** More web pods of a suite on a class with several writers. @default 3 */
  cloudsuiteReplicas?: WidenedNumberArgs;
  /** One web pod of the forge in production. @default 2 or more */
  forgeWebReplicas?: WidenedPodsArgs;
}
