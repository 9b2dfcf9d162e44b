import { cloudSuiteProblems } from "@hearth-platform/hearth/cloudsuite/rules";
import { isEndpointOf } from "@hearth-platform/hearth/limits/sets";
import { wideningAdvice, wideningProblems } from "@hearth-platform/hearth/limits/widening";
import { describe, expect, it } from "vitest";
import { completeSuite } from "../cloudsuite/suite.ts";

const why = { reason: "It runs there." };
const all = {
  regions: [{ name: "eu-central-1", endpoint: "*.s3.eu-central-1.amazonaws.com", ...why }],
  storageClasses: [
    { name: "longhorn", multiWriter: false, expandable: true, ...why },
    { name: "cephfs", multiWriter: true, expandable: false, ...why },
  ],
  databaseMajors: [{ major: 17, ...why }],
  databaseReplicas: { most: 3, ...why },
  cloudsuiteReplicas: { most: 5, ...why },
};

/** A suite with some of its values changed. */
function suite(change: {
  db?: string;
  region?: string;
  endpoint?: string;
  storageClass?: string;
  web?: number;
  instances?: number;
}) {
  const { versions, s3, storage, replicas } = completeSuite;
  return {
    ...completeSuite,
    versions: { ...versions, db: change.db ?? versions.db },
    s3: { ...s3, region: change.region ?? s3.region, endpoint: change.endpoint ?? s3.endpoint },
    storage: { ...storage, storageClass: change.storageClass ?? storage.storageClass },
    replicas: { ...replicas, cloudsuite: change.web ?? 1, db: change.instances ?? replicas.db },
  };
}

function codes(change: Parameters<typeof suite>[0], widening: typeof all | undefined): string[] {
  const args = suite(change);
  return cloudSuiteProblems(args, widening)
    .filter(({ severity }) => severity === "error")
    .map(({ code, path }) => `${code} ${path}`);
}

const amazon = { region: "eu-central-1", endpoint: "https://x.s3.eu-central-1.amazonaws.com" };

/** The way on that a refusal names. */
const another = (line: string) => ` An entry allows another: \`platform.limits: ${line}\`.`;

describe("a suite", () => {
  it.each<[what: string, change: Parameters<typeof suite>[0], left: string]>([
    ["another region", { ...amazon, region: "eu-central-2" }, "value s3.region"],
    ["an endpoint elsewhere", { ...amazon, endpoint: "https://s3.example.org" }, "region-location s3.region"],
    [
      "two web pods on a class with a single writer",
      { storageClass: "longhorn", web: 2 },
      "replicas-storage replicas.cloudsuite",
    ],
    [
      "two web pods on the specification's class with one",
      { storageClass: "replicated-block", web: 2 },
      "replicas-storage replicas.cloudsuite",
    ],
  ])("is refused %s all the same", (_, change, left) => {
    expect(codes(change, all)).toEqual([left]);
  });

  it("is told in each remedy what its own stack allows", () => {
    const remedies = (change: Parameters<typeof suite>[0]) =>
      cloudSuiteProblems(suite(change), all)
        .filter(({ severity }) => severity === "error")
        .map(({ remedy }) => remedy);
    expect(remedies({ ...amazon, region: "eu-central-2" })).toEqual([
      `Write fsn1, nbg1, hel1 or eu-central-1.${another("{regions: [{name: <region>, endpoint: <host of s3.endpoint>, reason: <why>}]}")}`,
    ]);
    expect(remedies({ storageClass: "ceph" })).toEqual([
      `Write replicated-block, smb-csi, longhorn or cephfs.${another("{storageClasses: [{name: <name>, multiWriter: false, expandable: true, reason: <why>}]}")}`,
    ]);
    expect(remedies({ db: "18" })).toEqual([
      `Write 12, 13, 14, 15, 16 or 17.${another("{databaseMajors: [{major: 17, reason: <why>}, {major: 18, reason: <why>}]}")}`,
    ]);
    expect(remedies({ db: "11" })).toEqual(["Write 12, 13, 14, 15, 16 or 17."]);
    expect(remedies({ storageClass: "smb-csi", web: 6 })).toEqual([
      "Write 1 with replicated-block or longhorn, 1 to 5 with smb-csi or cephfs.",
    ]);
    expect(remedies({ instances: 4 })).toEqual([
      "Write 2 to 3 (primary and standbys, for production) or 1 (no failover, for development).",
    ]);
  });
});

it("a region belongs to an endpoint, label by label", () => {
  expect(isEndpointOf("fsn1", "fsn1.your-objectstorage.com", all)).toBeUndefined();
  expect(isEndpointOf("eu-central-1", "a.b.s3.eu-central-1.amazonaws.com", all)).toBe(false);
});

describe("a widening", () => {
  it("is told as advice with its reason", () => {
    expect(
      wideningAdvice("limits", { databaseMajors: [{ major: 17, reason: "GitLab 19 needs it", until: "2027-05-31" }] }),
    ).toEqual([
      {
        severity: "warning",
        code: "limit-widened",
        path: "limits.databaseMajors[0]",
        message: "PostgreSQL 17 is allowed beside the specification: GitLab 19 needs it.",
        remedy: "It ends after 2027-05-31.",
      },
    ]);
    expect(wideningAdvice("limits", all)).toHaveLength(6);
  });

  it.each([
    ["2027-05-31", []],
    ["2027-06-01", ["limit-ended limits.databaseReplicas"]],
    [undefined, []],
  ])("holds up to its last day: on %s", (today, problems) => {
    const found = wideningProblems("limits", { databaseReplicas: { most: 3, until: "2027-05-31", ...why } }, today);
    expect(found.map(({ code, path }) => `${code} ${path}`)).toEqual(problems);
  });

  it("neither redefines a class of the specification nor leaves out a major", () => {
    const smb = { name: "smb-csi", multiWriter: false, expandable: false, ...why };
    expect(
      wideningProblems("limits", { storageClasses: [smb], databaseMajors: [{ major: 18, ...why }] }),
    ).toMatchObject([
      { code: "limit-own", path: "limits.storageClasses[0].name" },
      { code: "limit-gap", path: "limits.databaseMajors" },
    ]);
  });
});

describe("the class of volumes with one writer", () => {
  const remedies = (storageClass: string, limits?: typeof all) => {
    const storage = { ...completeSuite.storage, dbClass: storageClass, keystoreClass: storageClass };
    const args = { ...completeSuite, storage };
    const problems = cloudSuiteProblems(args, limits).filter(({ severity }) => severity === "error");
    return problems.map(({ path, remedy }) => `${path}: ${remedy}`);
  };
  const way = another("{storageClasses: [{name: <name>, multiWriter: false, expandable: true, reason: <why>}]}");

  it.each<[what: string, storageClass: string, limits: typeof all | undefined, wanted: string[]]>([
    ["the specification's", "replicated-block", undefined, []],
    ["one that the stack adds", "longhorn", all, []],
    ["one with several writers that the stack adds", "cephfs", all, []],
    ["no network storage", "smb-csi", all, ["Write replicated-block, longhorn or cephfs."]],
    ["no other", "gp3", undefined, [`Write replicated-block.${way}`]],
  ])("is %s", (_, storageClass, limits, wanted) => {
    const paths = ["storage.dbClass", "storage.keystoreClass"];
    expect(remedies(storageClass, limits)).toEqual(paths.flatMap((path) => wanted.map((each) => `${path}: ${each}`)));
  });
});
