import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuiteChanges } from "@hearth-platform/hearth/cloudsuite/changes";
import { problemsOfMade } from "@hearth-platform/hearth/core/problems";
import { describe, expect, test } from "vitest";
import { completeSuite, onPlatform } from "./suite.ts";

function codes(now: CloudSuiteArgs, before: CloudSuiteArgs = completeSuite): string[] {
  return cloudSuiteChanges(before, now).map((problem) => `${problem.path}: ${problem.code}`);
}

const atVersion = (cloudsuite: string) => ({
  ...completeSuite,
  versions: { ...completeSuite.versions, cloudsuite },
});

const withVolume = (storage: Partial<CloudSuiteArgs["storage"]>) => ({
  ...completeSuite,
  storage: { ...completeSuite.storage, ...storage },
});

const withBuckets = (buckets: Partial<CloudSuiteArgs["s3"]["buckets"]>) => ({
  ...completeSuite,
  s3: { ...completeSuite.s3, buckets: { ...completeSuite.s3.buckets, ...buckets } },
});

describe("a first update that failed", () => {
  const web = "Deployment team/cloudsuite";
  const refused = (now: CloudSuiteArgs, made: string[], before: CloudSuiteArgs = completeSuite) =>
    problemsOfMade(cloudSuiteChanges(before, now), new Set(made)).map(({ path }) => path);

  test("before it made a bucket, a volume or the namespace lets them have other names", () => {
    const elsewhere = { ...withBuckets({ data: "data-team-other" }), namespace: "crew" };
    expect(refused(elsewhere, [])).toEqual([]);
    expect(refused(elsewhere, ["data-team-a1b2"])).toEqual(["s3.buckets.data"]);
    expect(refused(elsewhere, ["team"])).toEqual(["namespace"]);
  });

  test("before the suite ran lets the version go back, or further on", () => {
    for (const version of ["30.0.14-apache", "33.0.1-apache"]) {
      expect(refused(atVersion(version), ["team", "team/cloudsuite-db"])).toEqual([]);
      expect(refused(atVersion(version), [web])).toEqual(["versions.cloudsuite"]);
    }
  });

  test("keeps a bucket that existed before, once the suite ran", () => {
    const existing = { ...completeSuite, existingBuckets: true };
    expect(refused({ ...withBuckets({ data: "data-team-other" }), existingBuckets: true }, [web], existing)).toEqual([
      "s3.buckets.data",
    ]);
  });
});

describe("a suite's version", () => {
  test.each(["31.0.8-apache", "31.0.9-apache", "32.0.1-apache"])("31.0.8 may become %s", (version) => {
    expect(codes(atVersion(version))).toEqual([]);
  });

  test.each(["31.0.7-apache", "30.0.14-apache", "latest"])(
    "31.0.8 may not become %s, which is or may be older",
    (version) => {
      expect(codes(atVersion(version))).toEqual(["versions.cloudsuite: version-downgrade"]);
    },
  );

  test("no major is left out, and nothing unlocks that", () => {
    const allowed = onPlatform(atVersion("33.0.0-apache"), { allowDataLoss: ["team/cloudsuite"] });
    expect(codes(allowed)).toEqual(["versions.cloudsuite: version-skips-major"]);
  });
});

test("an app goes only after the configuration Job has turned it off", () => {
  const both = (enabled: boolean) => ({ ...completeSuite, push: { enabled }, previews: { enabled } });
  const [on, off] = [both(true), both(false)];
  expect(codes(completeSuite, on)).toEqual(["push: app-left-on", "previews: app-left-on"]);
  for (const [now, before] of [
    [off, on],
    [completeSuite, off],
    [on, completeSuite],
  ] as const)
    expect(codes(now, before)).toEqual([]);
});

test.each([
  ["another namespace", { ...completeSuite, namespace: "other" }, "namespace: data-left-behind"],
  ["another storage class", withVolume({ storageClass: "smb-csi" }), "storage.storageClass: data-left-behind"],
  ["another data bucket", withBuckets({ data: "data-other-1" }), "s3.buckets.data: data-left-behind"],
  ["another backup bucket", withBuckets({ backups: "backups-other-1" }), "s3.buckets.backups: data-left-behind"],
  [
    "another object store",
    { ...completeSuite, s3: { ...completeSuite.s3, endpoint: "https://nbg1.your-objectstorage.com" } },
    "s3.endpoint: data-left-behind",
  ],
  [
    "another database",
    {
      ...completeSuite,
      database: { host: "pg", port: 5432, database: "x", user: "x", password: { name: "x", key: "password" } },
    },
    "database: data-left-behind",
  ],
  ["a smaller volume", withVolume({ webSize: "5Gi" }), "storage.webSize: volume-shrinks"],
] as const)("a change of a suite to %s is refused", (_, now, expected) => {
  expect(codes(now)).toEqual([expected]);
});

test("a volume grows where its class can, and where a class that was added can't, that is refused", () => {
  const on = (expandable: boolean, webSize?: string) =>
    onPlatform(withVolume({ storageClass: "added", ...(webSize && { webSize }) }), {
      limits: { storageClasses: [{ name: "added", multiWriter: false, expandable, reason: "It is there." }] },
    });
  expect(codes(on(true, "20Gi"), on(true))).toEqual([]);
  expect(codes(on(false, "20Gi"), on(false))).toEqual(["storage.webSize: volume-fixed"]);
  expect(codes(on(false), on(false))).toEqual([]);
});

test("each refusal names what unlocks it", () => {
  const now = withBuckets({ data: "data-other-1" });
  expect(cloudSuiteChanges(completeSuite, now)[0]?.remedy).toContain("`platform.allowDataLoss: [data-team-a1b2]`");
  expect(codes(onPlatform(now, { allowDataLoss: ["data-team-a1b2"] }))).toEqual([]);
});

test("what is unlocked is of one suite, not of all in the stack", () => {
  const smaller = withVolume({ webSize: "5Gi" });
  expect(codes(onPlatform(smaller, { allowDataLoss: ["team/cloudsuite"] }))).toEqual([]);
  for (const other of ["cloudsuite", "club/cloudsuite"])
    expect(codes(onPlatform(smaller, { allowDataLoss: [other] }))).toEqual(["storage.webSize: volume-shrinks"]);
});

test.each([
  ["another domain", { ...completeSuite, domain: "files.example.org" }],
  ["a larger volume", withVolume({ webSize: "20Gi" })],
  ["no office any more", { ...completeSuite, office: undefined }],
  ["other resources and replicas", { ...completeSuite, replicas: { cloudsuite: 1, db: 1, keystore: 1 } }],
])("a change of a suite to %s is allowed", (_, now) => {
  expect(codes(now)).toEqual([]);
});
