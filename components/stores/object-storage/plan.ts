import { dataName, joinPlans, type KubernetesObject, type Plan } from "../../core/plan.ts";
import type { ObjectStoreConnection } from "../connections-args.ts";
import { BucketProvisioner, type ObjectStorageArgs } from "./args.ts";
import type { ResolvedObjectStorage } from "./defaults.ts";
import { profiles, providerOf } from "./profiles.ts";

/** How applications reach the object store. */
export function objectStoreConnection(args: Omit<ObjectStorageArgs, "buckets" | "platform">): ObjectStoreConnection {
  const { endpoint, region, settings, credentials } = args;
  return { endpoint, region, pathStyle: profiles[providerOf(endpoint, region, settings)].pathStyle, credentials };
}

/** The buckets: made with the S3 API, or asked for with an object each from a resource manager in the cluster. */
export function planObjectStorage(args: ResolvedObjectStorage): Plan {
  if (args.settings.provisioner === BucketProvisioner.cluster)
    return joinPlans({
      objects: args.buckets.map((bucket) => ({
        object: bucketObject(args, bucket.name),
        holdsData: true,
        dataName: dataName(bucket.name),
      })),
    });
  return joinPlans({
    buckets: args.buckets.map(({ name, ...versions }) => ({ bucket: name, ...versions })),
  });
}

function bucketObject({ region, settings }: ResolvedObjectStorage, name: string): KubernetesObject {
  const { apiVersion, kind, providerConfig, namespace } = settings.cluster;
  const object = {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace && { namespace }),
      labels: { "app.kubernetes.io/managed-by": "hearth" },
      annotations: { "crossplane.io/external-name": name, "pulumi.com/waitFor": "condition=Ready" },
    },
    spec: {
      // All but Delete: the bucket outlives its object.
      managementPolicies: ["Observe", "Create", "Update", "LateInitialize"],
      providerConfigRef: { name: providerConfig },
      forProvider: { region },
    },
  };
  return object;
}
