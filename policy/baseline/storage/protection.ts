import { forgeNames } from "@hearth-platform/hearth/forge/forge-names";
import { isOwnClass } from "@hearth-platform/hearth/limits/sets";
import { EnforcementLevel, PolicySeverity, type StackViolation, stackPolicy, violationOf } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { namespaceOf } from "../selection.ts";

const bucketKinds = ["aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2"];
const volumeKinds = ["PersistentVolumeClaim", "postgresql.cnpg.io/Cluster"];
const setKind = "apps/StatefulSet";
const classKind = "storage.k8s.io/StorageClass";
const defaultClass = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];
const databaseKind = "postgresql.cnpg.io/Database";
const snapshotClassKind = "snapshot.storage.k8s.io/VolumeSnapshotClass";
const managedBucketKind = "s3.aws.upbound.io/Bucket";
const lifecycleKinds = [
  "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration",
  "aws:s3/bucketLifecycleConfigurationV2:BucketLifecycleConfigurationV2",
];
const versioningKinds = ["aws:s3/bucketVersioning:BucketVersioning", "aws:s3/bucketVersioningV2:BucketVersioningV2"];

export const protection = stackPolicy({
  id: "st-protect",
  title: "Data outlives a mistake",
  rule: "Resources that hold data are protected from deletion: volumes, databases, buckets and their namespaces. No setting deletes data together with its object, after a time, or lets go of former versions.",
  severity: PolicySeverity.critical,
  level: {
    production: EnforcementLevel.mandatory,
    development: EnforcementLevel.advisory,
    maintenance: EnforcementLevel.mandatory,
  },
  remediation: "Set the resource option protect. If the data may be lost, name the object in hearth:allowDataLoss.",
  unseen: "Classes that are neither the platform's nor the default, and lifecycles set in the object store itself.",
  tags: ["storage", "data"],
  settings: {},
  kinds: [
    ...bucketKinds,
    ...volumeKinds,
    setKind,
    databaseKind,
    classKind,
    "PersistentVolume",
    snapshotClassKind,
    managedBucketKind,
    ...lifecycleKinds,
    ...versioningKinds,
    "Namespace",
  ],
  *checkStack(resources, _settings, { allowDataLoss }) {
    const withData = new Set(resources.filter(holdsVolumes).map(namespaceOf));
    for (const resource of resources) {
      if (allowDataLoss.length > 0 && allowDataLoss.includes(dataNameOf(resource))) continue;
      yield* deletesData(resource);
      const isNamespace = resource.groupKind === "Namespace";
      const isKept = isNamespace ? withData.has(resource.name ?? "") : isData(resource);
      if (isKept && !resource.protect)
        yield {
          resource,
          path: "",
          message: `It holds ${isNamespace ? "objects with data" : "data"} and must be protected.`,
        };
    }
  },
});

function isData(resource: PolicyResource): boolean {
  // The product's own exception: on this volume backups are put together; when one is done it is empty.
  if (resource.isIn("hearth/Forge") && resource.name === forgeNames.scratch) return false;
  return bucketKinds.includes(resource.groupKind) || volumeKinds.includes(resource.groupKind);
}

/** Whether an object, or what Kubernetes makes of it, would lose data with its namespace. */
function holdsVolumes(resource: PolicyResource): boolean {
  if (resource.groupKind === setKind) return resource.get("spec", "volumeClaimTemplates").items.length > 0;
  return volumeKinds.includes(resource.groupKind);
}

/** Settings by which data goes with its object. */
function* deletesData(resource: PolicyResource): Generator<StackViolation> {
  const forced = resource.get("forceDestroy");
  if (bucketKinds.includes(resource.groupKind) && forced.value === true)
    yield violationOf(resource, forced, "It must not be true: a bucket with objects must stay.");
  for (const when of ["whenDeleted", "whenScaled"]) {
    const claims = resource.get("spec", "persistentVolumeClaimRetentionPolicy", when);
    if (resource.groupKind === setKind && claims.value === "Delete")
      yield violationOf(resource, claims, "It must be Retain.");
  }
  yield* endsWithTime(resource);
  const database = resource.get("spec", "databaseReclaimPolicy");
  if (resource.groupKind === databaseKind && database.value === "delete")
    yield violationOf(resource, database, "It must be retain.");
  const parts = ["schemas", "extensions", "fdws", "servers"].flatMap((key) => resource.get("spec", key).items);
  const dropped = [resource.get("spec"), ...parts].map((each) => each.get("ensure"));
  for (const ensure of resource.groupKind === databaseKind ? dropped : [])
    if (ensure.value === "absent")
      yield violationOf(resource, ensure, "It must be present: absent drops the database.");
  const reclaim = resource.get("reclaimPolicy");
  if (resource.groupKind === classKind && isOfPlatform(resource) && reclaim.value !== "Retain")
    yield violationOf(resource, reclaim, "It must be Retain: by default volumes are deleted with their claims.");
}

/** What goes by itself: with a claim, after some days, or where no former version is kept. */
function* endsWithTime(resource: PolicyResource): Generator<StackViolation> {
  const { groupKind } = resource;
  const reclaim = resource.get("spec", "persistentVolumeReclaimPolicy");
  if (groupKind === "PersistentVolume" && (reclaim.value ?? "Retain") !== "Retain")
    yield violationOf(resource, reclaim, "It must be Retain: the volume is deleted with its claim.");
  const snapshots = resource.get("deletionPolicy");
  if (groupKind === snapshotClassKind && snapshots.value !== "Retain")
    yield violationOf(resource, snapshots, "It must be Retain: snapshots are deleted with their objects.");
  if (groupKind === managedBucketKind) {
    const [policy, may] = [resource.get("spec", "deletionPolicy"), resource.get("spec", "managementPolicies")];
    const deletes = may.exists
      ? may.items.some(({ value }) => value === "*" || value === "Delete")
      : policy.value !== "Orphan";
    if (deletes) yield violationOf(resource, policy, "It must be Orphan, or managementPolicies must leave Delete out.");
    const forced = resource.get("spec", "forProvider", "forceDestroy");
    if (forced.value === true)
      yield violationOf(resource, forced, "It must not be true: a bucket with objects must stay.");
  }
  const isBucket = bucketKinds.includes(groupKind);
  const rules = isBucket ? resource.get("lifecycleRules") : resource.get("rules");
  for (const rule of isBucket || lifecycleKinds.includes(groupKind) ? rules.items : []) {
    const isOn = isBucket ? rule.get("enabled").value !== false : rule.get("status").value !== "Disabled";
    const expiration = rule.get("expiration");
    if (isOn && (expiration.get("days").exists || expiration.get("date").exists))
      yield violationOf(resource, expiration, "It must be absent: objects would go after a time.");
  }
  const status = resource.get("versioningConfiguration", "status");
  if (versioningKinds.includes(groupKind) && status.value !== "Enabled")
    yield violationOf(resource, status, "It must be Enabled: deleted objects could not be had again.");
  const versioning = resource.get("versioning", "enabled");
  if (isBucket && versioning.value === false)
    yield violationOf(resource, versioning, "It must not be false: deleted objects could not be had again.");
}

/** Whether claims get the class by name, as the platform's do, or without a word. */
function isOfPlatform(resource: PolicyResource): boolean {
  const annotations = resource.get("metadata", "annotations");
  return isOwnClass(resource.name ?? "") || defaultClass.some((key) => annotations.get(key).value === "true");
}

/** Name of a resource in hearth:allowDataLoss. */
function dataNameOf(resource: PolicyResource): string {
  const bucket = resource.get("bucket");
  if (bucketKinds.includes(resource.groupKind)) return bucket.text ?? "";
  const name = resource.name ?? "";
  return resource.groupKind === "Namespace" ? name : `${namespaceOf(resource)}/${name}`;
}
