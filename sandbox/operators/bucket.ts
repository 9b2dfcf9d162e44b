/**
 * Stands in for Crossplane's provider-upjet-aws: makes the bucket of a Bucket object, really, on the sandbox's S3 server.
 *
 * Not simulated: any other kind of the provider (versioning, policy, lifecycle), tags, ProviderConfigs, and
 * deletion: the bucket of a deleted object stays.
 */
import { CreateBucketCommand, HeadBucketCommand, type S3Client } from "@aws-sdk/client-s3";
import type { KubeClient } from "../kubernetes/client.ts";
import { identity, type KubernetesObject } from "../kubernetes/objects.ts";
import { type Condition, transition } from "./conditions.ts";
import { type Operator, report } from "./controller.ts";

const manager = "crossplane";
const nameAnnotation = "crossplane.io/external-name";

export interface Bucket extends KubernetesObject {
  spec: { forProvider: { region: string } };
  status?: { conditions?: Condition[] };
}

/** Name of the bucket on the server: the annotation's, else the object's. */
export function bucketName({ metadata }: Bucket): string {
  return metadata.annotations?.[nameAnnotation] ?? metadata.name;
}

/** The status after an attempt. */
export function bucketStatus(bucket: Bucket, failure?: string) {
  const before = bucket.status?.conditions;
  const name = bucketName(bucket);
  const synced = failure
    ? { status: "False" as const, reason: "ReconcileError", message: `create failed: ${failure}` }
    : { status: "True" as const, reason: "ReconcileSuccess" };
  const ready = failure
    ? { status: "False" as const, reason: "Creating" }
    : { status: "True" as const, reason: "Available" };
  return {
    conditions: [transition(before, { type: "Synced", ...synced }), transition(before, { type: "Ready", ...ready })],
    atProvider: failure ? {} : { id: name, arn: `arn:aws:s3:::${name}`, region: bucket.spec.forProvider.region },
  };
}

/** The operator for Buckets; `s3` reaches the server. */
export function buckets(client: KubeClient, s3: S3Client): Operator {
  return {
    reconciles: { apiVersion: "s3.aws.upbound.io/v1beta2", kind: "Bucket" },
    async reconcile(object) {
      const bucket = object as Bucket;
      const failure = await ensureBucket(s3, bucketName(bucket)).then(
        () => undefined,
        (error: Error) => error,
      );
      if (!failure) {
        const { apiVersion, kind, metadata } = identity(bucket);
        const annotations = { [nameAnnotation]: bucketName(bucket) };
        await client.apply({ apiVersion, kind, metadata: { ...metadata, annotations } }, manager);
      }
      const status = bucketStatus(bucket, failure?.message);
      await report(client, bucket, status, `${manager}-status`);
      if (failure) throw failure;
    },
  };
}

async function ensureBucket(s3: S3Client, name: string): Promise<void> {
  try {
    await s3.send(new HeadBucketCommand({ Bucket: name }));
  } catch (error) {
    if ((error as Error).name !== "NotFound") throw error;
    await s3.send(new CreateBucketCommand({ Bucket: name }));
  }
}
