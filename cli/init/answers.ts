import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { locations, storageClasses } from "@hearth-platform/hearth/limits/sets";
import { databaseSizes, suiteTiers } from "@hearth-platform/hearth/limits/sizes";
import type { StorageClass } from "kubernetes-types/storage/v1.d.ts";
import type { FoundCluster } from "./found-cluster.ts";

/** Sizes of a suite: the rows of the table "Limits". */
export const tiers = suiteTiers.map(({ tier }) => tier);
export type Tier = (typeof tiers)[number];

/** A person's decisions about a new suite. */
export interface SuiteAnswers {
  /** Name of the suite, and of its namespace. */
  readonly name: string;
  /** Public host. */
  readonly domain: string;
  readonly size: Tier;
  /** Storage class of the web volume; in a stack of its own that of every volume. */
  readonly storage: string;
  /** Region of the object store. */
  readonly location: string;
  /** Address of the object store. */
  readonly endpoint: string;
  /** Whether documents can be edited in the browser. */
  readonly office: boolean;
  readonly whiteboard: boolean;
  readonly profile: Profile;
  /** End of the buckets' names, which must be no one else's. */
  readonly suffix: string;
}

/** A person's decisions about a new stack with its first suite. */
export interface Answers extends SuiteAnswers {
  /** ClusterIssuer of the certificates. */
  readonly issuer: string;
  /** GatewayClass of the routes; undefined: Traefik's own. */
  readonly gatewayClass?: string | undefined;
  /** ClusterSecretStore; undefined: passwords are generated. */
  readonly secretStore?: string | undefined;
  readonly monitoring: boolean;
}

/** The defaults: what the cluster has, else the specification's. @param cluster undefined: none was asked */
export function defaults(name: string, cluster?: FoundCluster): Answers {
  return {
    name,
    domain: `${name}.example.org`,
    size: "small",
    storage: cluster ? bestClass(cluster.classes) : storageClasses.replicatedBlock,
    location: locations[0],
    endpoint: endpointIn(locations[0]),
    office: true,
    whiteboard: true,
    // A standby on the same node as its database would save nothing.
    profile: cluster?.nodes === 1 ? Profile.development : Profile.production,
    suffix: crypto.randomUUID().slice(0, 4),
    issuer: cluster?.issuers[0] ?? "letsencrypt",
    gatewayClass: cluster && !cluster.hasTraefik ? cluster.gatewayClasses[0] : undefined,
    secretStore: cluster?.secretStores[0],
    monitoring: cluster?.hasMonitoring ?? true,
  };
}

/** The specification's class if the cluster has it, else its default class, else its first. */
function bestClass(classes: readonly StorageClass[]): string {
  const names = classes.map(({ metadata }) => metadata?.name ?? "");
  const own = names.find((name) => name === storageClasses.replicatedBlock);
  const marked = classes.find(
    ({ metadata }) => metadata?.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true",
  );
  return own ?? marked?.metadata?.name ?? names[0] ?? storageClasses.replicatedBlock;
}

/** Address of the object store in a region: the specification's provider, or Amazon where the region has the form of its names. */
export function endpointIn(region: string): string {
  return /^[a-z]{2}(-[a-z]+)+-\d$/.test(region)
    ? `https://s3.${region}.amazonaws.com`
    : `https://${region}.your-objectstorage.com`;
}

/** Drivers of file storage, whose volumes pods on several nodes can write. */
const fileDrivers =
  /^((smb|nfs)\.csi\.k8s\.io|efs\.csi\.aws\.com|file\.csi\.azure\.com|filestore\.csi\.storage\.gke\.io|.*cephfs\.csi\.ceph\.com|cluster\.local\/.*nfs.*|driver\.longhorn\.io)$/;

/** The entries of `hearth:limits` that these answers need, each with its reason; undefined: none. */
export function limitsFor(
  { storage, location, endpoint }: SuiteAnswers,
  cluster?: FoundCluster,
): LimitsArgs | undefined {
  const isOwnClass = Object.values<string>(storageClasses).includes(storage);
  const isOwnRegion = locations.some((own) => own === location);
  if (isOwnClass && isOwnRegion) return undefined;
  const found = cluster?.classes.find(({ metadata }) => metadata?.name === storage);
  const regions = [
    { name: location, endpoint: new URL(endpoint).host, reason: "The object store of this stack is there." },
  ];
  const classes = [
    {
      name: storage,
      multiWriter: found !== undefined && fileDrivers.test(found.provisioner),
      expandable: found?.allowVolumeExpansion === true,
      reason: found ? `The cluster has this class, of ${found.provisioner}.` : "The cluster has this class.",
    },
  ];
  return { ...(!isOwnRegion && { regions }), ...(!isOwnClass && { storageClasses: classes }) };
}

/** The load that a size is for, as the checker takes it: the most users and files of its row. */
export function loadOf(size: Tier): { users: number; files: number } {
  const row = tiers.indexOf(size);
  const last = (bound: number | undefined, before: number | undefined) =>
    Number.isFinite(bound) ? (bound ?? 0) : (before ?? 0) + 1;
  return {
    users: last(suiteTiers[row]?.upToUsers, suiteTiers[row - 1]?.upToUsers),
    files: last(databaseSizes[row]?.upToFiles, databaseSizes[row - 1]?.upToFiles),
  };
}
