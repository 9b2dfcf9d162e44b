import { keystoreClaim } from "@hearth-platform/hearth/catalogue/names";
import { dataName, type KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { forgeBuckets } from "@hearth-platform/hearth/forge/buckets";
import { forgeNames } from "@hearth-platform/hearth/forge/forge-names";
import { hubBucket } from "@hearth-platform/hearth/hub/buckets";
import type { Cluster } from "@hearth-platform/hearth/kubernetes/custom-resources/cluster";
import type { ObjectStore } from "@hearth-platform/hearth/kubernetes/custom-resources/object-store";
import { barmanPlugin } from "@hearth-platform/hearth/stores/database/backup";
import { profiles, providerOf } from "@hearth-platform/hearth/stores/object-storage/profiles";
import { sharedNamespace } from "@hearth-platform/hearth/stores/shared/names";
import { bucketSettingsOf } from "../../providers.ts";
import type { Stack } from "../../stack-settings.ts";
import type { ApiKind } from "./needs.ts";

/** A bucket, or a folder of it. */
export interface BucketPlace {
  /** URL of the object store. */
  readonly endpoint: string;
  readonly region: string;
  /** The bucket stands in the path of a URL, not in its host. */
  readonly pathStyle: boolean;
  readonly bucket: string;
  /** Begins the names of its objects: of an archive the cluster's name, whatever major wrote it; empty: the whole bucket. */
  readonly folder: string;
}

/** An object that an update makes, empty, where the cluster has none: a database, or a volume. */
export interface DataNeed extends ApiKind {
  readonly namespace: string;
  readonly name: string;
  /** Its kind in a word or two. */
  readonly what: "database" | "keystore" | "git store";
  /** A database that is made of a backup, or a volume beside such a database. */
  readonly recovers: boolean;
  /** Where a database's backups and log go. */
  readonly archive?: BucketPlace;
  /** Buckets whose objects it knows of. */
  readonly beside: readonly BucketPlace[];
  /** That it is lost is allowed, see `hearth:allowDataLoss`. */
  readonly mayBeLost: boolean;
}

/** Data-bearing objects that an update would create empty if they are gone. @param objects of the stack's plans */
export function dataNeedsOf(stack: Stack, objects: readonly KubernetesObject[]): DataNeed[] {
  const allowed = stack.settings.allowDataLoss ?? [];
  const { namespace: shared = sharedNamespace } = stack.settings;
  const buckets = dataBuckets(stack);
  const beside = (namespace: string, part?: Part) =>
    buckets
      .filter((each) => each.namespace === namespace && (part ?? each.part) === each.part)
      .map(({ place }) => place);
  const clusters = objects.filter((object): object is Cluster => object.kind === "Cluster");
  const recovering = clusters.filter(({ spec }) => spec.bootstrap?.recovery).map(({ metadata }) => metadata.namespace);
  const claim = (namespace: string, name: string) =>
    objects.some(
      ({ kind, metadata }) =>
        kind === "PersistentVolumeClaim" && metadata.namespace === namespace && metadata.name === name,
    );
  const volumes = [
    // A suite's keystore is a cache.
    { what: "keystore", name: keystoreClaim, buckets: beside(shared) },
    { what: "git store", name: forgeNames.repositories, buckets: beside(shared, "forge") },
  ] as const;
  return [
    ...clusters.map(({ apiVersion, kind, metadata: { namespace = "", name }, spec }) => ({
      ...{ apiVersion, kind, namespace, name, what: "database" as const },
      recovers: spec.bootstrap?.recovery !== undefined,
      archive: archiveOf({ namespace, spec }, objects, stack),
      beside: beside(namespace),
      mayBeLost: allowed.includes(dataName(name, namespace)),
    })),
    ...volumes
      .filter(({ name }) => claim(shared, name))
      .map(({ what, name, buckets }) => ({
        ...{ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: shared, name, what },
        recovers: recovering.includes(shared),
        beside: buckets,
        mayBeLost: allowed.includes(dataName(name, shared)),
      })),
  ];
}

type Part = "forge" | "hub" | "suite";

/** Buckets of what is no copy of anything: not of backups, nor of caches. */
export function dataBuckets(stack: Stack): { namespace: string; part: Part; place: BucketPlace }[] {
  const { settings, suites } = stack;
  const { endpoint, region, bucketSuffix } = settings.objectStorage ?? {};
  const { namespace = sharedNamespace, forge, hub } = settings;
  const at = (part: Part, endpoint: string, region: string, namespace: string, bucket: string) => ({
    ...{ namespace, part },
    place: bucketPlace(stack, endpoint, region, bucket),
  });
  const shared = (part: Part, bucket: string) =>
    endpoint && region ? [at(part, endpoint, region, namespace, bucket)] : [];
  return [
    ...(forge && bucketSuffix
      ? Object.values(forgeBuckets(bucketSuffix, namespace, forge).objects).flatMap((each) => shared("forge", each))
      : []),
    ...(hub && bucketSuffix ? shared("hub", hubBucket(bucketSuffix, namespace)) : []),
    ...suites.map(({ config: { namespace, s3 } }) => at("suite", s3.endpoint, s3.region, namespace, s3.buckets.data)),
  ];
}

function archiveOf(
  { namespace, spec }: { namespace: string; spec: Cluster["spec"] },
  objects: readonly KubernetesObject[],
  stack: Stack,
): BucketPlace | undefined {
  const { barmanObjectName, serverName } = spec.plugins?.find(({ name }) => name === barmanPlugin)?.parameters ?? {};
  const store = objects.find(
    (object): object is ObjectStore =>
      object.kind === "ObjectStore" &&
      object.metadata.namespace === namespace &&
      object.metadata.name === barmanObjectName,
  );
  if (!store || serverName === undefined) return undefined;
  const { configuration, instanceSidecarConfiguration } = store.spec;
  const region = instanceSidecarConfiguration?.env?.find(({ name }) => name === "AWS_DEFAULT_REGION")?.value ?? "";
  const { host } = new URL(configuration.destinationPath);
  return {
    ...bucketPlace(stack, configuration.endpointURL ?? "", region, host),
    folder: serverName.replace(/-pg\d+$/, ""),
  };
}

function bucketPlace({ settings }: Stack, endpoint: string, region: string, bucket: string): BucketPlace {
  const { pathStyle } = profiles[providerOf(endpoint, region, bucketSettingsOf(settings))];
  return { endpoint, region, pathStyle, bucket, folder: "" };
}
