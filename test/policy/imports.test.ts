import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { importedFile } from "../support/workspace-imports.ts";

const policies = join(import.meta.dirname, "..", "..", "policy");

/** Packages that a module needs when it runs, and those of the files it imports. What only types need is not there then. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const imports = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^"';]*?from\s*)?"([^"]+)"/gm);
  return [...imports].flatMap(([, name = ""]) => {
    const own = importedFile(file, name);
    return own === undefined ? [name] : packagesOf(own, seen);
  });
}

it.each(["limits", "baseline"])(
  "the pack of %s needs the SDK of policies, zod for the tables it reads, rules for secrets, and no provider's SDK",
  (pack) => {
    const packages = packagesOf(join(policies, pack, "index.ts")).filter((name) => !name.startsWith("node:"));
    expect(packages).toContain("@pulumi/policy");
    const wanted = /^(@pulumi\/(policy|pulumi\/runtime\/rpc\.js)|@secretlint\/secretlint-rule-preset-recommend|zod)$/;
    expect(packages.filter((name) => !wanted.test(name))).toEqual([]);
  },
);
