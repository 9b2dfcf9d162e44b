import type { ObjectStorageArgs } from "@hearth-platform/hearth/stores/object-storage/args";
import { objectStoreConnection } from "@hearth-platform/hearth/stores/object-storage/plan";
import { providerOf } from "@hearth-platform/hearth/stores/object-storage/profiles";
import { awsProviderArgs } from "@hearth-platform/hearth/stores/object-storage/provider-args";
import { objectStorageChanges, objectStorageProblems } from "@hearth-platform/hearth/stores/object-storage/rules";
import { sharedBucket } from "@hearth-platform/hearth/stores/shared/names";
import { describe, expect, test } from "vitest";
import { planObjectStorage } from "../../../support/plans.ts";
import { platform } from "../../../support/platform.ts";

const endpoint = "https://fsn1.your-objectstorage.com";
const storage: ObjectStorageArgs = {
  endpoint,
  region: "fsn1",
  credentials: "cloudsuite-s3-credentials",
  buckets: [{ name: "data-team-a1b2" }, { name: "backups-team-a1b2", versioning: false }],
  platform,
};
const byCluster: ObjectStorageArgs = {
  ...storage,
  buckets: [{ name: "data-team-a1b2" }],
  settings: { provisioner: "cluster" },
};

describe("buckets", () => {
  test("are made with the S3 API under exactly the names given", () => {
    expect(planObjectStorage(storage)).toEqual({
      secrets: [],
      objects: [],
      buckets: [
        { bucket: "data-team-a1b2", versioning: true, expireVersionsAfterDays: 30 },
        { bucket: "backups-team-a1b2", versioning: false },
      ],
    });
  });

  test("are asked for from a resource manager in the cluster, which may not delete them", () => {
    const { buckets, objects } = planObjectStorage(byCluster);
    expect(buckets).toEqual([]);
    expect(objects).toEqual([
      {
        holdsData: true,
        dataName: "data-team-a1b2",
        object: {
          apiVersion: "s3.aws.upbound.io/v1beta2",
          kind: "Bucket",
          metadata: {
            name: "data-team-a1b2",
            labels: { "app.kubernetes.io/managed-by": "hearth" },
            annotations: {
              "crossplane.io/external-name": "data-team-a1b2",
              "pulumi.com/waitFor": "condition=Ready",
            },
          },
          spec: {
            forProvider: { region: "fsn1" },
            managementPolicies: ["Observe", "Create", "Update", "LateInitialize"],
            providerConfigRef: { name: "default" },
          },
        },
      },
    ]);
  });

  test("take the kind, version and configuration of another resource manager", () => {
    const cluster = {
      apiVersion: "s3.aws.m.upbound.io/v1beta1",
      kind: "Bucket",
      providerConfig: "hetzner",
      namespace: "storage",
    };
    const [planned] = planObjectStorage({ ...byCluster, settings: { provisioner: "cluster", cluster } }).objects;
    expect(planned?.object).toMatchObject({
      apiVersion: "s3.aws.m.upbound.io/v1beta1",
      metadata: { namespace: "storage" },
      spec: { providerConfigRef: { name: "hetzner" } },
    });
  });

  const versions = (given: Partial<ObjectStorageArgs>) => planObjectStorage({ ...storage, ...given }).buckets[0];
  test("keep former versions for 30 days where the provider lets them go, without being asked to", () => {
    expect(versions({})).toEqual({ bucket: "data-team-a1b2", versioning: true, expireVersionsAfterDays: 30 });
    expect(versions({ settings: { provider: "generic" } })).toEqual({ bucket: "data-team-a1b2", versioning: false });
  });

  test.each(["hetzner", "aws", "ceph", "minio"] as const)(
    "of %s keep former versions without being asked to",
    (provider) => {
      expect(versions({ settings: { provider } })).toMatchObject({ versioning: true, expireVersionsAfterDays: 30 });
    },
  );

  test("keep former versions as the settings of all say", () => {
    expect(versions({ settings: { versioning: false } })).toMatchObject({ versioning: false });
    expect(versions({ settings: { expireVersionsAfterDays: 90 } })).toMatchObject({ expireVersionsAfterDays: 90 });
    expect(versions({ settings: { provider: "generic", versioning: true } })).toEqual({
      bucket: "data-team-a1b2",
      versioning: true,
    });
  });

  test("keep former versions as they say themselves, whatever the settings say", () => {
    const buckets = [{ name: "data-team-a1b2", versioning: true, expireVersionsAfterDays: 7 }];
    expect(versions({ buckets, settings: { versioning: false, expireVersionsAfterDays: 90 } })).toEqual({
      bucket: "data-team-a1b2",
      versioning: true,
      expireVersionsAfterDays: 7,
    });
  });

  test("of the forge end with the namespace's tag", () => {
    expect(sharedBucket("artifacts", "a1b2", "forge")).toBe("artifacts-a1b2-forge");
  });
});

describe("the provider", () => {
  test.each([
    [endpoint, "fsn1", "hetzner"],
    ["https://s3.eu-central-1.amazonaws.com", "eu-central-1", "aws"],
    ["https://s3.example.org", "fsn1", "generic"],
  ])("of %s is %s's %s", (url, region, provider) => expect(providerOf(url, region)).toBe(provider));

  test("uses nothing but the S3 API of the endpoint, and holds no credentials", () => {
    expect(awsProviderArgs(storage, { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" })).toEqual({
      region: "fsn1",
      s3UsePathStyle: true,
      skipCredentialsValidation: true,
      skipMetadataApiCheck: true,
      skipRegionValidation: true,
      skipRequestingAccountId: true,
      endpoints: [{ s3: endpoint, s3control: endpoint }],
    });
  });

  test("leaves the endpoint to AWS_ENDPOINT_URL_S3 where that is set, so that it never reaches the state", () => {
    const args = awsProviderArgs(storage, { AWS_ENDPOINT_URL_S3: "http://127.0.0.1:9000" });
    expect(args.endpoints).toBeUndefined();
    expect(JSON.stringify(args)).not.toContain("127.0.0.1");
  });

  test("names buckets in the host on AWS itself, in the path elsewhere", () => {
    expect(objectStoreConnection(storage)).toEqual({
      endpoint,
      region: "fsn1",
      pathStyle: true,
      credentials: "cloudsuite-s3-credentials",
    });
    const aws = { ...storage, endpoint: "https://s3.eu-central-1.amazonaws.com", region: "eu-central-1" };
    expect(objectStoreConnection(aws).pathStyle).toBe(false);
  });
});

describe("an object store's rules", () => {
  test("have nothing against the storage of a suite", () => expect(objectStorageProblems(storage)).toEqual([]));

  test.each<[string, Partial<ObjectStorageArgs>]>([
    ["endpoint", { endpoint: "http://fsn1.your-objectstorage.com", buckets: [] }],
    ["endpoint", { region: "nbg1", settings: { provider: "hetzner" } }],
    ["buckets[0].name", { buckets: [{ name: "Data" }] }],
    [
      "buckets[0].expireVersionsAfterDays",
      { settings: { provider: "generic" }, buckets: [{ name: "data", versioning: true, expireVersionsAfterDays: 1 }] },
    ],
    [
      "buckets[0].expireVersionsAfterDays",
      { settings: { versioning: false }, buckets: [{ name: "data", expireVersionsAfterDays: 1 }] },
    ],
    ["settings.versioning", { settings: { provisioner: "cluster", versioning: true } }],
    ["settings.expireVersionsAfterDays", { settings: { provider: "generic", expireVersionsAfterDays: 30 } }],
    ["settings.expireVersionsAfterDays", { settings: { versioning: false, expireVersionsAfterDays: 30 } }],
    ["buckets[0].versioning", { settings: { provisioner: "cluster" }, buckets: [{ name: "data", versioning: true }] }],
  ])("refuse %s in %j", (path, wrong) => {
    const problems = objectStorageProblems({ ...storage, ...wrong });
    expect(problems.map((problem) => [problem.severity, problem.path])).toEqual([["error", path]]);
  });

  test.each<[string, Partial<ObjectStorageArgs>]>([
    ["endpoint", { endpoint: "https://nbg1.your-objectstorage.com" }],
    ["region", { region: "nbg1" }],
    ["buckets[0].name", { buckets: [{ name: "data-team-c3d4" }] }],
  ])("refuse a change of %s, which leaves the objects behind", (path, now) => {
    const before = { ...storage, buckets: [{ name: "data-team-a1b2" }] };
    const after = { ...before, ...now };
    expect(objectStorageChanges(before, after).map((problem) => problem.path)).toEqual([path]);
    const allowed = { ...after, platform: { ...after.platform, allowDataLoss: ["data-team-a1b2"] } };
    expect(objectStorageChanges(before, allowed)).toEqual([]);
  });

  test("let buckets be added and put in another order", () => {
    const now = { ...storage, buckets: [{ name: "more" }, ...storage.buckets.toReversed()] };
    expect(objectStorageChanges(storage, now)).toEqual([]);
  });
});
