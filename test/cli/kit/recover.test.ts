import { recoverLines } from "@hearth-platform/cli/kit/recover";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { checkFiles, wholePlatform } from "../../support/stack-files.ts";

const { stack } = checkFiles(wholePlatform());
if (!stack) throw new Error("The stack is not valid.");
const [suite] = stack.suites;
const { namespace } = suite?.config ?? {};
if (!suite || namespace === undefined) throw new Error("The stack has a suite.");
const made = "2026-11-20T12:00:00Z";
const archive = { endpoint: "https://s3.example.org", bucket: "backups", folder: "db" };
const ofSuite = { namespace, cluster: "cloudsuite-db", archive };
const shared = { namespace: "platform", cluster: "forge-db-r1", archive };
const recover = (source: string) => ({ suffix: "r20261120", source, keepSource: false });

describe("the lines that bring databases back", () => {
  it.each([
    ["the suite's before the shared one", [ofSuite, shared]],
    ["the shared one before the suite's", [shared, ofSuite]],
  ])("name each at its own place, with its cluster as it was called: %s", (_, databases) => {
    expect(parse(recoverLines(stack, databases, made))).toEqual({
      config: {
        "hearth:database": { recover: recover("forge-db-r1") },
        "hearth:cloudsuites": [{ name: suite.settings.name, config: suite.file, recover: recover("cloudsuite-db") }],
      },
    });
  });

  it("leave out what has no archive", () => {
    expect(parse(recoverLines(stack, [{ ...ofSuite, archive: undefined }, shared], made))).toEqual({
      config: { "hearth:database": { recover: recover("forge-db-r1") } },
    });
    expect(recoverLines(stack, [{ ...shared, archive: undefined }], made)).toBe(
      "# The stack has no database with an archive.\n",
    );
  });
});
