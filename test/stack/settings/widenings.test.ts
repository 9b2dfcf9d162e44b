import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wideningsOf } from "@hearth-platform/stack/settings/widenings";
import { afterEach, beforeEach, expect, it } from "vitest";
import { stringify } from "yaml";

/** What a config.yaml may have because the stacks that name it allow it. */

let project = "";
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "hearth-widenings-"));
});
afterEach(() => rmSync(project, { recursive: true }));

const limits = { databaseReplicas: { least: 1, most: 3, reason: "a test platform" } };

function stack(name: string, suites: readonly string[], more: object = {}): void {
  const config = {
    "hearth:cloudsuites": suites.map((suite) => ({ name: suite, config: `suites/${suite}/config.yaml` })),
    ...more,
  };
  writeFileSync(join(project, `Pulumi.${name}.yaml`), stringify({ config }));
}
const allowed = (suite: string) => wideningsOf(project, join(project, `suites/${suite}/config.yaml`));

it("is said once by each stack that names the file, whichever else it names", () => {
  stack("one", ["a", "b"], { "hearth:limits": limits });
  stack("two", ["b"]);
  expect(allowed("a")).toEqual([limits]);
  expect(allowed("b")).toEqual([limits, undefined]);
});

it("is nothing where no stack names the file", () => {
  stack("one", ["a"], { "hearth:limits": limits });
  writeFileSync(join(project, "Pulumi.broken.yaml"), "config: [\n");
  expect(allowed("c")).toEqual([]);
  expect(allowed("a")).toEqual([limits]);
});
