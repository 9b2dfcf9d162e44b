import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { Severity } from "@hearth-platform/hearth/core/problems";
import { EnforcementLevel, levelOf } from "@hearth-platform/policy/core/policy";
import { limitsPack } from "@hearth-platform/policy/limits/policies";
import type { ConfigContext } from "@hearth-platform/stack/areas/suites/config-file";
import { ConfigFile } from "@hearth-platform/stack/areas/suites/config-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configFiles } from "../../stack/arbitrary-config.ts";
import type { BadFile } from "../../stack/corpus/bad-file.ts";
import { allBadFiles } from "../../stack/corpus/bad-files.ts";
import { goodFiles } from "../../stack/corpus/good-files.ts";
import { check, withValue } from "../../stack/suite-file.ts";
import { loadedSuite } from "../support/suites.ts";
import { judged } from "../support/verdicts.ts";

/** What `./hearth validate` calls the rule of a policy, and where in config.yaml. */
const rules: Readonly<Record<string, readonly (readonly [code: string, path: string])[]>> = {
  "lim-db-major": [["value", "versions.db"]],
  "lim-cloudsuite-replicas": [
    ["replicas", "replicas.cloudsuite"],
    ["replicas-storage", "replicas.cloudsuite"],
  ],
  "lim-db-replicas": [
    ["replicas", "replicas.db"],
    ["replicas-profile", "replicas.db"],
  ],
  "lim-keystore-replicas": [["replicas", "replicas.keystore"]],
  "lim-db-volume": [["sizing-files", "storage.dbSize"]],
  "lim-keystore-volume": [["keystore-size", "storage.keystoreSize"]],
  "lim-cloudsuite-resources": [
    ["resources-low", "resources.cloudsuite"],
    ["sizing-users", "resources.cloudsuite"],
  ],
  "lim-db-resources": [["resources-low", "resources.db"]],
  "lim-keystore-resources": [["resources-low", "resources.keystore"]],
  "lim-office-resources": [["resources-low", "office.resources"]],
  "lim-whiteboard-resources": [["resources-low", "whiteboard.resources"]],
  "lim-requests": [["request-above-limit", ""]],
  "lim-storage-class": [["value", "storage.storageClass"]],
  "lim-s3-location": [
    ["value", "s3.region"],
    ["region-location", "s3.region"],
  ],
  "lim-office-domain": [
    ["office-domain", "office.domain"],
    ["office-domain-same", "office.domain"],
  ],
  "lim-version-order": [["version-number", "versions.cloudsuite"]],
};

const codes = new Set(Object.values(rules).flatMap((found) => found.map(([code]) => code)));
/** Parts of a suite that are not there unless they are enabled. */
const parts = ["office", "whiteboard"] as const;

/** How often each policy was compared on a file that breaks its rule. */
const broken = new Map<string, number>();

/**
 * Compares the policies with the check of config.yaml, each where nothing else is wrong with the file. What the check calls an error is
 * mandatory in every profile; its warnings, which `--strict` makes errors, are advice in development and mandatory in production.
 */
function compare(name: string, content: string | Uint8Array, context: ConfigContext): void {
  for (const profile of Object.values(Profile)) {
    const { known, problems: all } = check(content, { ...context, profile });
    if (all.some(({ code, severity }) => severity === Severity.error && !codes.has(code))) return;
    // A component never has a field that is mistyped.
    if (!Object.keys(ConfigFile.shape).every((field) => field in known)) return;
    const off = parts.filter((part) => !known[part]?.enabled);
    const problems = all.filter(({ path }) => !off.some((part) => path.startsWith(part)));
    const args = { ...known, ...Object.fromEntries(off.map((part) => [part, undefined])) };
    const { users, files } = context;
    const fixture = loadedSuite({ users, files }, args);
    for (const policy of limitsPack.policies) {
      const own = problems.filter((problem) =>
        rules[policy.id]?.some(([code, path]) => code === problem.code && problem.path.startsWith(path)),
      );
      if (problems.some((problem) => problem.severity === Severity.error && !own.includes(problem))) continue;
      if (own.length > 0) broken.set(policy.id, (broken.get(policy.id) ?? 0) + 1);
      const strict = profile === Profile.production;
      const expected = own.map(
        ({ path, severity }) =>
          `${path} ${strict || severity === Severity.error ? EnforcementLevel.mandatory : EnforcementLevel.advisory}`,
      );
      const found = judged(policy, { ...fixture, stack: { ...fixture.stack, profile } }).violations.map(
        ({ path, advice }) => `${path} ${advice ? EnforcementLevel.advisory : levelOf(policy, profile)}`,
      );
      expect(new Set(found), `${policy.id}, ${profile}: ${name}`).toEqual(new Set(expected));
    }
  }
}

describe("policies and the check of config.yaml give the same verdict", () => {
  it("on every file of the corpus", () => {
    const low = { name: "a low whiteboard", content: withValue("whiteboard.resources.limits.memory", "300Mi") };
    const files: readonly Pick<BadFile, "name" | "content" | "context">[] = [...allBadFiles, ...goodFiles, low];
    for (const { name, content, context = {} } of files) compare(name, content, context);
    expect([...broken.keys()].sort()).toEqual(Object.keys(rules).sort());
  });

  it("on any file without errors, and any load", () => {
    const load = fc.record({ users: fc.nat(100), files: fc.nat(200_000) });
    fc.assert(
      fc.property(configFiles, load, (config, context) => compare("", JSON.stringify(config), context)),
      { numRuns: 100 * Number(process.env.HEARTH_RUNS ?? 1) },
    );
  });
});
