import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { databaseSizes, suiteTiers } from "@hearth-platform/hearth/limits/sizes";
import { describe, expect, it } from "vitest";
import { importedFile } from "../support/workspace-imports.ts";
import { checkedBadFiles } from "./corpus/bad-files.ts";

const root = join(import.meta.dirname, "../..");
const docs = readFileSync(join(root, "docs/reference/config-file.md"), "utf8");

/** The code at the start of each row of the last table. */
const documented = [...docs.slice(docs.indexOf("## Codes")).matchAll(/^\| `([a-z-]+)` \| (Warning: )?/gm)].map(
  ([, code = "", warning]) => ({ code, severity: warning ? "warning" : "error" }),
);

/** Codes of the rules on arguments that stand in the stack, or on those and the file together. */
const ofComponents = [
  // A file has no Output.
  "not-plain",
  ...[
    "app-managed",
    "app-name",
    "app-setting",
    "country",
    "language",
    "limit",
    "limit-widened",
    "php-memory",
    "push-proxies",
  ],
  ...["required", "server-host", "sign-on", "group", "issuer", "issuer-slash", "scope"],
];

/** Rules that the schema of config.yaml names; those of other schemas are of components. */
const rulesOfValues = ["cloudsuite/value-rules", "kubernetes/resource-rules", "stores/keystore/value-rules"];

/** The file and all that it imports of our own, types and schemas aside. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || /[/-]schema\.ts$/.test(file)) return found;
  found.add(file);
  const source = readFileSync(file, "utf8");
  for (const [, path = ""] of source.matchAll(/^(?:import|export) (?!type)[^;]*? from "([^"]+)";$/gm)) {
    const own = importedFile(file, path);
    if (own !== undefined) withImports(own, found);
  }
  return found;
}

/** Codes in the source of the check. */
function codesInSource(): string[] {
  const commands = readdirSync(join(root, "cli/validate")).map((file) => join(root, "cli/validate", file));
  const rules = rulesOfValues.map((file) => `components/${file}.ts`);
  const checks = ["stack/areas/suites/config-file.ts", "stack/settings/read-file.ts", ...rules].flatMap((file) => [
    ...withImports(join(root, file)),
  ]);
  const files = [...new Set([...checks, ...commands])];
  const source = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const calls = [...source.matchAll(/\b(?:error|warning|problem)\(\s*"([a-z-]+)"/g)].map(([, code = ""]) => code);
  const fields = [...source.matchAll(/\bcode: (.*)$/gm)].flatMap(([, rest = ""]) =>
    [...rest.matchAll(/"([a-z-]+)"/g)].map(([, code = ""]) => code),
  );
  return [...new Set([...calls, ...fields])].filter((code) => !ofComponents.includes(code));
}

const badFiles = checkedBadFiles().map(({ checked }) => checked);

describe("docs/reference/config-file.md", () => {
  it("has every code of the source, and no other", () => {
    expect(documented.map(({ code }) => code).sort()).toEqual(codesInSource().sort());
  });

  it("says which codes are warnings", () => {
    const enabled = badFiles.flatMap(({ problems, known }) =>
      known.office?.enabled === false || known.whiteboard?.enabled === false ? [] : problems,
    );
    const inDocs = new Set(documented.map(({ code, severity }) => `${severity} ${code}`));
    const found = new Set(enabled.map(({ code, severity }) => `${severity} ${code}`));
    expect([...found].filter((each) => !inDocs.has(each))).toEqual([]);
  });

  it("has the sizes of the limits", () => {
    for (const { tier, requests, limits: most } of suiteTiers)
      expect(docs).toMatch(
        new RegExp(
          `\\| ${tier} \\| .* \\| \`${requests.cpu}\`, \`${requests.memory}\` \\| \`${most.cpu}\`, \`${most.memory}\` \\|`,
        ),
      );
    for (const { size } of databaseSizes) expect(docs).toContain(`\`${size}\``);
  });
});

it("the corpus has every code that a file alone can have", () => {
  const found = new Set(badFiles.flatMap(({ problems }) => problems.map(({ code }) => code)));
  // Whether a version has fixes depends on the day.
  const outside = ["file", "version-ends", "version-ended", "synthesis", "dry-run", "dry-run-kind", "dry-run-cluster"];
  expect(documented.map(({ code }) => code).filter((code) => !found.has(code))).toEqual(outside);
});
