import { S3Client } from "@aws-sdk/client-s3";
import { bucket } from "@hearth-platform/sandbox/plugins/aws/bucket";
import {
  bucketLifecycleConfiguration,
  bucketPolicy,
  bucketPublicAccessBlock,
  bucketVersioning,
} from "@hearth-platform/sandbox/plugins/aws/bucket-settings";
import { checkResource, diffResource, type S3Context } from "@hearth-platform/sandbox/plugins/aws/resource";
import { type Properties, UNKNOWN } from "@hearth-platform/sandbox/plugins/grpc";
import { describe, expect, test } from "vitest";

/** A client that records commands and answers from a table by the command's name. */
function context(answers: Record<string, unknown> = {}): S3Context & { sent: [string, unknown][] } {
  const sent: [string, unknown][] = [];
  const client = new S3Client({ region: "r" });
  client.send = async (command: { constructor: { name: string }; input: unknown }) => {
    const name = command.constructor.name.replace(/Command$/, "");
    sent.push([name, command.input]);
    const answer = answers[name] ?? {};
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { client, region: "us-east-1", sent };
}

function refusal(name: string, httpStatusCode: number): Error {
  return Object.assign(new Error("said the server"), { name, $metadata: { httpStatusCode } });
}

function check(news: Properties, olds?: Properties, seed = 1) {
  const randomSeed = new Uint8Array(32).fill(seed);
  return checkResource(bucket, { urn: "", type: "", name: "Uploads", olds, news, randomSeed });
}

describe("a bucket's lifecycle rules", () => {
  const rules = [{ id: "former-versions", enabled: true, prefix: "", noncurrentVersionExpiration: { days: 30 } }];
  const sentRules = [
    {
      ID: "former-versions",
      Status: "Enabled",
      Filter: { Prefix: "" },
      NoncurrentVersionExpiration: { NoncurrentDays: 30 },
    },
  ];

  test("go out in S3's shape with the bucket, and again when they change", async () => {
    const s3 = context();
    const { state } = await bucket.create(s3, { bucket: "b", lifecycleRules: rules });
    await bucket.update(s3, "b", { bucket: "b", lifecycleRules: rules }, state);
    await bucket.update(s3, "b", { bucket: "b", lifecycleRules: rules }, { ...state, lifecycleRules: [] });
    const sent = s3.sent.filter(([name]) => name === "PutBucketLifecycleConfiguration");
    const request = { Bucket: "b", LifecycleConfiguration: { Rules: sentRules } };
    expect(sent.map(([, input]) => input)).toEqual([request, request]);
  });

  test("that are no longer given stay as they are; other rules are a change", () => {
    const before = { bucket: "b", lifecycleRules: rules };
    expect(diffResource(bucket, before, { bucket: "b" }).changes).toBe(false);
    const longer = [{ ...rules[0], noncurrentVersionExpiration: { days: 60 } }];
    expect(diffResource(bucket, before, { bucket: "b", lifecycleRules: longer }).changes).toBe(true);
  });

  test("are only recorded where the store has none, and any other refusal is told", async () => {
    const inputs = { bucket: "b", lifecycleRules: rules };
    const lacking = context({ PutBucketLifecycleConfiguration: refusal("NotImplemented", 501) });
    expect((await bucket.create(lacking, inputs)).state).toMatchObject({ lifecycleRules: rules });
    const denying = context({ PutBucketLifecycleConfiguration: refusal("AccessDenied", 403) });
    await expect(bucket.create(denying, inputs)).rejects.toThrow("setting lifecycle rules of S3 Bucket (b)");
  });
});

describe("a bucket's name", () => {
  test("is made of the resource's in lower case and the seed that a preview shares with its run", () => {
    const { inputs } = check({});

    expect(inputs.bucket).toMatch(/^uploads-[0-9a-f]{7}$/);
    expect(check({}).inputs).toEqual(inputs);
    expect(check({}, undefined, 2).inputs.bucket).not.toBe(inputs.bucket);
  });

  test("once made is kept, and given up for one the program sets", () => {
    const first = check({}).inputs;

    expect(check({}, first, 9).inputs).toEqual(first);
    expect(check({ bucket: "own" }, first, 9).inputs).toEqual({ bucket: "own" });
    expect(check({}, { bucket: "own" }, 9).inputs.bucket).toMatch(/^uploads-/);
  });

  test("follows a prefix", () => {
    expect(check({ bucketPrefix: "data-" }).inputs.bucket).toMatch(/^data-[0-9a-f]{7}$/);
  });

  test("another one is another bucket, another forceDestroy is not", () => {
    expect(diffResource(bucket, { bucket: "a" }, { bucket: "b", forceDestroy: true })).toEqual({
      changes: true,
      replaces: ["bucket"],
      detailed: {
        bucket: { kind: "update", replace: true, inputDiff: true },
        forceDestroy: { kind: "add", replace: false, inputDiff: true },
      },
    });
  });
});

test("deprecated inline settings are refused by name", () => {
  expect(check({ versioning: { enabled: true } }).failures).toEqual([
    { property: "versioning", reason: "the sandbox's stand-in for this type does not do it" },
  ]);
});

describe("a bucket", () => {
  test("is created without a tag or a location constraint nobody asked for", async () => {
    const s3 = context();

    const { id, state } = await bucket.create(s3, { bucket: "b" });

    expect(s3.sent).toEqual([["CreateBucket", { Bucket: "b" }]]);
    expect(id).toBe("b");
    expect(state).toMatchObject({
      arn: "arn:aws:s3:::b",
      bucketDomainName: "b.s3.amazonaws.com",
      bucketRegionalDomainName: "b.s3.us-east-1.amazonaws.com",
      forceDestroy: false,
      objectLockEnabled: false,
    });
  });

  test("that exists already is an error, also when it is ours", async () => {
    const s3 = context({ CreateBucket: refusal("BucketAlreadyOwnedByYou", 409) });

    await expect(bucket.create(s3, { bucket: "b" })).rejects.toThrow(
      "creating S3 Bucket (b): https response error StatusCode: 409, api error BucketAlreadyOwnedByYou: said the server",
    );
  });

  test("that is not empty is not deleted, unless forceDestroy empties it of every version", async () => {
    const full = context({ DeleteBucket: refusal("BucketNotEmpty", 409) });
    await expect(bucket.remove(full, "b", { forceDestroy: false })).rejects.toThrow("api error BucketNotEmpty");
    expect(full.sent.map(([name]) => name)).toEqual(["DeleteBucket"]);

    const pages = [
      { Versions: [{ Key: "a", VersionId: "1" }], DeleteMarkers: [{ Key: "a", VersionId: "2" }] },
      { Versions: [{ Key: "b", VersionId: "3" }] },
      {},
    ];
    const forced = context({
      get ListObjectVersions() {
        return pages.shift();
      },
    });
    await bucket.remove(forced, "b", { forceDestroy: true });
    expect(forced.sent[1]).toEqual([
      "DeleteObjects",
      {
        Bucket: "b",
        Delete: {
          Objects: [
            { Key: "a", VersionId: "1" },
            { Key: "a", VersionId: "2" },
          ],
        },
      },
    ]);
    expect(forced.sent.map(([name]) => name)).toEqual([
      ...["ListObjectVersions", "DeleteObjects", "ListObjectVersions", "DeleteObjects", "ListObjectVersions"],
      ...["ListObjectsV2", "DeleteBucket"],
    ]);
  });

  test("that somebody deleted is gone, and its deletion is fine", async () => {
    const gone = context({ HeadBucket: refusal("NotFound", 404), DeleteBucket: refusal("NoSuchBucket", 404) });

    expect(await bucket.read(gone, "b", {})).toBeUndefined();
    await expect(bucket.remove(gone, "b", {})).resolves.toBeUndefined();
  });

  test("gets the tags that the program sets, loses them with the last one, and else none are sent", async () => {
    const s3 = context();
    const tagged = { bucket: "b", tags: { team: "platform", number: 1 } };
    await bucket.create(s3, { bucket: "b" });
    const { state } = await bucket.create(s3, tagged);
    await bucket.update(s3, "b", { bucket: "b" }, state);
    await bucket.update(s3, "b", { bucket: "b" }, { bucket: "b" });
    const TagSet = [
      { Key: "team", Value: "platform" },
      { Key: "number", Value: "1" },
    ];
    expect(s3.sent.filter(([name]) => name.endsWith("BucketTagging"))).toEqual([
      ["PutBucketTagging", { Bucket: "b", Tagging: { TagSet } }],
      ["DeleteBucketTagging", { Bucket: "b" }],
    ]);
  });

  test("is asked about tags only when the program sets some", async () => {
    const s3 = context({ GetBucketTagging: { TagSet: [{ Key: "a", Value: "2" }] } });

    await bucket.read(s3, "b", { bucket: "b" });
    expect(s3.sent.map(([name]) => name)).toEqual(["HeadBucket"]);
    expect((await bucket.read(s3, "b", { bucket: "b", tags: { a: "1" } }))?.inputs.tags).toEqual({ a: "2" });
  });
});

describe("settings of a bucket", () => {
  const rules = [
    {
      id: "old",
      status: "Enabled",
      filter: { and: { prefix: "x/", tags: { a: "b" } } },
      expiration: { date: "2030-01-01T00:00:00Z" },
      noncurrentVersionExpiration: { noncurrentDays: 30 },
    },
  ];

  test("lifecycle rules go out in S3's shape and come back in Pulumi's", async () => {
    const s3 = context();
    await bucketLifecycleConfiguration.create(s3, { bucket: "b", rules });
    const [[, request] = []] = s3.sent;

    expect(request).toEqual({
      Bucket: "b",
      LifecycleConfiguration: {
        Rules: [
          {
            ID: "old",
            Status: "Enabled",
            Filter: { And: { Prefix: "x/", Tags: [{ Key: "a", Value: "b" }] } },
            Expiration: { Date: new Date("2030-01-01T00:00:00Z") },
            NoncurrentVersionExpiration: { NoncurrentDays: 30 },
          },
        ],
      },
    });
    const answer = Reflect.get(Object(request), "LifecycleConfiguration");
    const back = context({ GetBucketLifecycleConfiguration: answer });
    expect((await bucketLifecycleConfiguration.read(back, "b", {}))?.inputs).toEqual({ bucket: "b", rules });
  });

  test("what a store does not implement is said in its words", async () => {
    const s3 = context({ PutPublicAccessBlock: refusal("NotImplemented", 501) });

    await expect(bucketPublicAccessBlock.create(s3, { bucket: "b", blockPublicAcls: true })).rejects.toThrow(
      "creating S3 Bucket Public Access Block (b): https response error StatusCode: 501, api error NotImplemented",
    );
  });

  test("versioning is suspended, not removed, with its resource", async () => {
    const s3 = context();

    await bucketVersioning.remove(s3, "b", { versioningConfiguration: { status: "Enabled" } });

    expect(s3.sent).toEqual([
      ["PutBucketVersioning", { Bucket: "b", VersioningConfiguration: { Status: "Suspended" } }],
    ]);
  });

  test("a policy with other blanks is the same policy", () => {
    const before = { bucket: "b", policy: '{"Version": "2012-10-17",  "Statement": []}' };

    expect(
      diffResource(bucketPolicy, before, { bucket: "b", policy: '{"Statement":[],"Version":"2012-10-17"}' }),
    ).toEqual({ changes: false, replaces: [], detailed: {} });
    expect(diffResource(bucketPolicy, before, { bucket: "b", policy: UNKNOWN }).changes).toBe(true);
  });

  test("a public access flag that is left out is false", () => {
    const before = { bucket: "b", blockPublicAcls: true, blockPublicPolicy: false };

    expect(diffResource(bucketPublicAccessBlock, before, { bucket: "b", blockPublicAcls: true }).changes).toBe(false);
  });

  test("another bucket makes another setting", () => {
    const after = { bucket: "other", versioningConfiguration: { status: "Enabled" } };

    expect(diffResource(bucketVersioning, { ...after, bucket: "b" }, after).replaces).toEqual(["bucket"]);
  });
});
