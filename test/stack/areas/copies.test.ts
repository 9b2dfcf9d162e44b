import type { CopiesArgs } from "@hearth-platform/hearth/copies/args";
import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { stackParts, stackPlans } from "@hearth-platform/stack/parts";
import { expect, it } from "vitest";
import { type Changes, checkFiles, wholePlatform, withSettings } from "../../support/stack-files.ts";

const to = { endpoint: "https://s3.eu-central-003.backblazeb2.com", region: "eu-central-003", bucket: "copies-d3v1" };
const check = (changes: Changes = {}) => checkFiles(withSettings(wholePlatform(), { copies: { to }, ...changes }));
const said = (changes: Changes) =>
  check(changes).problems.map(({ path, code, severity }) => `${severity} ${path} ${code}`);

it("every bucket of a stack is copied but caches and scratch space", () => {
  const { stack } = check();
  if (!stack) throw new Error("The stack is not valid.");
  const made = stackPlans(stack).flatMap(({ buckets }) => buckets.map(({ bucket }) => bucket));
  const args = stackParts(stack).find(({ kind }) => kind === "copies")?.args as CopiesArgs;
  const copied = args.sources.flatMap(({ buckets }) => buckets);
  expect(args.sources.map(({ name }) => name)).toEqual(["platform", "team", "club"]);
  expect(made.filter((bucket) => !copied.includes(bucket)).sort()).toEqual([
    "dependency-proxy-d3v1-platform",
    "runner-cache-d3v1-platform",
    "tmp-d3v1-platform",
  ]);
  expect(copied.filter((bucket) => !made.includes(bucket))).toEqual([]);
});

it("the forge's archive leaves out what is copied, unless the settings say otherwise", () => {
  const backup = (changes: Changes) => {
    const { stack } = check(changes);
    if (!stack) throw new Error("The stack is not valid.");
    const args = stackParts(stack).find(({ kind }) => kind === "forge")?.args as ForgeArgs | undefined;
    return args?.backup;
  };
  expect(backup({})).toEqual({ objects: false });
  expect(backup({ copies: undefined })).toBeUndefined();
  expect(backup({ copies: undefined, "forge.backup": { keep: 9 } })).toEqual({ keep: 9 });
  expect(backup({ "forge.backup": { keep: 9, objects: true } })).toEqual({ keep: 9, objects: true });
});

const withoutForge = { forge: undefined, hub: undefined, "cloudsuites[0].signOn": undefined };

it("backups that lose so large a part each night that a copy would stop get a warning", () => {
  const few = "warning hearth:copies.maxDeletedPercent copy-backups";
  expect(said({ "forge.backup": { keep: 4 } })).toEqual([few]);
  expect(said({ "forge.backup": { keep: 5 } })).toEqual([]);
  const archived = { keep: 4, repositories: "archive", scratchSize: "100Gi" };
  expect(said({ "forge.backup": archived })).toEqual([]);
  expect(said({ "forge.backup": { keep: 4 }, copies: { to, maxDeletedPercent: 30 } })).toEqual([]);
  expect(said({ copies: { to, maxDeletedPercent: 10 } })).toEqual([few]);
  expect(said({ copies: { to, maxDeletedPercent: 10 }, ...withoutForge })).toEqual([]);
});

it("copies in the store that they are copies of get a warning", () => {
  expect(said({})).toEqual([]);
  const same = { ...to, endpoint: "https://fsn1.your-objectstorage.com", region: "fsn1" };
  expect(said({ copies: { to: same } })).toEqual(["warning hearth:copies.to.endpoint copy-target"]);
});

it("copies of nothing are refused", () => {
  const none = { forge: undefined, hub: undefined, cloudsuites: undefined };
  expect(said(none)).toEqual(["error hearth:copies nothing-to-copy"]);
});

it("a bucket of a suite takes no copies", () => {
  expect(said({ copies: { to: { ...to, bucket: "data-team-dev1" } } }).join()).toContain("shared");
});

it("existing Secrets with the keys of each source are known by their names", () => {
  const existing = {
    "forge-s3-credentials": "keys",
    "cloudsuite-s3-credentials": "keys",
    "copies-s3-credentials": "keys",
    "source-platform-s3-credentials": "keys",
    "source-team-s3-credentials": "keys",
  };
  expect(said({ secrets: { existing } })).toEqual(["error hearth:secrets secret-source"]);
  const all = { ...existing, "source-club-s3-credentials": "keys" };
  expect(said({ secrets: { existing: all } })).toEqual([]);
  expect(said({ secrets: { existing: all }, hub: undefined })).toEqual([]);
});
