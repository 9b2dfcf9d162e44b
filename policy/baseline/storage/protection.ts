import { forgeNames } from "@hearth-platform/hearth/forge/forge-names";
import { storageClasses } from "@hearth-platform/hearth/limits/sets";
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

export const protection = stackPolicy({
  id: "st-protect",
  title: "Data outlives a mistake",
  rule: "Resources that hold data are protected from deletion: volumes, databases, buckets and their namespaces. No setting deletes data together with its object.",
  severity: PolicySeverity.critical,
  level: {
    production: EnforcementLevel.mandatory,
    development: EnforcementLevel.advisory,
    maintenance: EnforcementLevel.mandatory,
  },
  remediation: "Set the resource option protect. If the data may be lost, name the object in hearth:allowDataLoss.",
  tags: ["storage", "data"],
  settings: {},
  kinds: [...bucketKinds, ...volumeKinds, setKind, databaseKind, classKind, "Namespace"],
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
  const claims = resource.get("spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted");
  if (resource.groupKind === setKind && claims.value === "Delete")
    yield violationOf(resource, claims, "It must be Retain.");
  const database = resource.get("spec", "databaseReclaimPolicy");
  if (resource.groupKind === databaseKind && database.value === "delete")
    yield violationOf(resource, database, "It must be retain.");
  const dropped = [resource.get("spec"), ...resource.get("spec", "schemas").items].map((each) => each.get("ensure"));
  for (const ensure of resource.groupKind === databaseKind ? dropped : [])
    if (ensure.value === "absent")
      yield violationOf(resource, ensure, "It must be present: absent drops the database.");
  const reclaim = resource.get("reclaimPolicy");
  if (resource.groupKind === classKind && isOfPlatform(resource) && reclaim.value !== "Retain")
    yield violationOf(resource, reclaim, "It must be Retain: by default volumes are deleted with their claims.");
}

/** Whether claims get the class by name, as the platform's do, or without a word. */
function isOfPlatform(resource: PolicyResource): boolean {
  const annotations = resource.get("metadata", "annotations");
  return (
    Object.values<string>(storageClasses).includes(resource.name ?? "") ||
    defaultClass.some((key) => annotations.get(key).value === "true")
  );
}

/** Name of a resource in hearth:allowDataLoss. */
function dataNameOf(resource: PolicyResource): string {
  const bucket = resource.get("bucket");
  if (bucketKinds.includes(resource.groupKind)) return bucket.text ?? "";
  const name = resource.name ?? "";
  return resource.groupKind === "Namespace" ? name : `${namespaceOf(resource)}/${name}`;
}
