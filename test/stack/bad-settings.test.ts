import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePath } from "@hearth-platform/hearth/core/paths";
import { stackPlans } from "@hearth-platform/stack/parts";
import { formatReport } from "@hearth-platform/stack/settings/report";
import { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import { settingPath, sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { type StackFiles, wholePlatform, withSettings, writeStack } from "../support/stack-files.ts";
import { conflicts, rawFiles } from "./bad-settings/conflicts.ts";
import { forgeValues } from "./bad-settings/forge.ts";
import { hubValues } from "./bad-settings/hub.ts";
import { platformValues } from "./bad-settings/platform.ts";
import type { BadValues } from "./bad-settings/row.ts";
import { siteWebhookValues } from "./bad-settings/site-webhook.ts";
import { storeValues } from "./bad-settings/stores.ts";
import { suiteValues } from "./bad-settings/suites.ts";

const whole = wholePlatform();
const without = (...areas: string[]) => withSettings(whole, Object.fromEntries(areas.map((area) => [area, undefined])));

/** Stacks with one area alone. */
const alone = {
  hub: withSettings(without("forge", "cloudsuites", "siteWebhook"), { "hub.signOn": undefined }),
  forge: without("hub", "cloudsuites", "siteWebhook"),
  suite: without("hub", "forge", "siteWebhook"),
  webhook: without("hub", "forge", "cloudsuites"),
};

const stackFile = "Pulumi.test.yaml";
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-bad-"));
  writeStack(whole, folder, stackFile);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The errors of a stack's files, and that judging wrote nothing. */
function judge() {
  const before = readdirSync(folder, { recursive: true });
  const { source, problems } = sourceFromFile(folder, stackFile.slice("Pulumi.".length, -".yaml".length));
  const checked = source ? checkStack(folder, source) : { problems };
  // Each value is judged once.
  const told = checked.problems.map(({ path, code, message }) => JSON.stringify([path, code, message]));
  expect(told).toEqual([...new Set(told)]);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
  expect(formatReport(checked.problems)).not.toMatch(/hunter2|\n\s+at /);
  return checked.problems.filter(({ severity }) => severity === "error");
}

/** Lines of the key at `path` and of its value in the stack's file; where there is none, of what should hold it. */
function linesOf(path: string): number[] {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(join(folder, stackFile), "utf8"), { lineCounter: lines });
  for (let place = [...settingPath(parsePath(path))]; place.length > 0; place = place.slice(0, -1)) {
    const value = document.getIn(place, true);
    if (!isNode(value)) continue;
    const holder = document.getIn(place.slice(0, -1), true) as { items?: { key?: unknown }[] };
    const key = holder.items?.find((item) => String(item.key) === String(place.at(-1)))?.key;
    return [key, value].flatMap((node) => (isNode(node) && node.range ? [lines.linePos(node.range[0]).line] : []));
  }
  return [1];
}

function expectRefused(files: StackFiles, path: string, says: string) {
  writeStack(files, folder, stackFile);
  const errors = judge();
  const all = errors.map((problem) => `${problem.path} ${problem.code}: ${problem.message}`);
  const found = errors.filter((problem) => problem.path === `hearth:${path}` && problem.code === says);
  expect(found, all.join("\n")).not.toEqual([]);
  for (const { file, line, message, remedy } of found) {
    expect(file).toBe(stackFile);
    expect(linesOf(path)).toContain(line);
    expect(message).toMatch(/\.$/);
    expect(remedy).toMatch(/\w.*(?:[.?]|--stack test)$/s);
  }
  // Nothing else is said of a value than what is wrong with it.
  expect(errors.filter((problem) => !problem.path.startsWith(`hearth:${path.split(/[.[]/)[0]}`))).toEqual([]);
}

const rowsOf = (values: BadValues) =>
  Object.entries(values).flatMap(([path, rows]) =>
    rows.map(([value, says, at = path]) => ({ path, value, says, at, shown: JSON.stringify(value)?.slice(0, 60) })),
  );

/** The first row of each setting. */
const oneOfEach = (values: BadValues) =>
  rowsOf(Object.fromEntries(Object.entries(values).map(([path, rows]) => [path, rows.slice(0, 1)])));

describe("the settings of the whole platform are refused with", () => {
  it.each(
    rowsOf({ ...platformValues, ...storeValues, ...forgeValues, ...hubValues, ...siteWebhookValues, ...suiteValues }),
  )("$path: $shown", ({ path, value, says, at }) => expectRefused(withSettings(whole, { [path]: value }), at, says));

  it.each(conflicts)("what does not fit: $set", ({ set, at, says }) =>
    expectRefused(withSettings(whole, set), at, says),
  );
});

// What is wrong with a value was shown above: here, that an area needs no other to say so.
describe("a stack of one area alone is refused with", () => {
  it.each(oneOfEach(storeValues))("a hub: $path: $shown", ({ path, value, says, at }) =>
    expectRefused(withSettings(alone.hub, { [path]: value }), at, says),
  );

  it.each(oneOfEach(forgeValues))("a forge: $path: $shown", ({ path, value, says, at }) =>
    expectRefused(withSettings(alone.forge, { [path]: value }), at, says),
  );
  it.each(oneOfEach(suiteValues))("a suite: $path: $shown", ({ path, value, says, at }) =>
    expectRefused(withSettings(alone.suite, { [path]: value }), at, says),
  );
  it.each(oneOfEach(siteWebhookValues))("a webhook: $path: $shown", ({ path, value, says, at }) =>
    expectRefused(withSettings(alone.webhook, { [path]: value }), at, says),
  );
});

describe("a stack's file is refused with", () => {
  it.each(rawFiles)("$what", ({ content, says }) => {
    writeFileSync(join(folder, stackFile), content);
    const errors = judge();
    expect(errors.map(({ code }) => code)).toContain(says);
    for (const { file, line, remedy } of errors) {
      expect(file).toBe(stackFile);
      // A file that can't be read has no lines.
      if (says !== "file") expect(line).toBeGreaterThan(0);
      expect(remedy).toMatch(/[.?]$/);
    }
  });
});

describe("any settings", () => {
  const patience = 60_000;
  it(
    "are refused with places and remedies, or planned, and nothing is thrown",
    () => {
      const paths = pathsOf(StackSettings);
      const source = sourceFromFile(folder, "fuzz").source;
      expect(source).toBeUndefined();
      fc.assert(
        fc.property(
          fc.constantFrom(...paths),
          fc.jsonValue(),
          fc.constantFrom(whole, alone.hub),
          (path, value, files) => {
            const { settings } = withSettings(files, { [path]: value });
            const { stack, problems } = checkStack(folder, { file: stackFile, values: settings });
            for (const problem of problems)
              if (!/^\S.*[.?)]$/s.test(problem.remedy) || problem.message === "") expect.fail(formatReport([problem]));
            if (stack) stackPlans(stack);
          },
        ),
        { numRuns: 150 * Number(process.env.HEARTH_RUNS ?? 1) },
      );
    },
    patience,
  );
});

/** Every setting's path; of lists the first entry. */
function pathsOf(schema: z.ZodType, base = ""): string[] {
  const { innerType, shape, element } = schema.def as unknown as {
    innerType?: z.ZodType;
    shape?: Record<string, z.ZodType>;
    element?: z.ZodType;
  };
  if (innerType) return pathsOf(innerType, base);
  const own = base === "" ? [] : [base];
  if (element) return [...own, ...pathsOf(element, `${base}[0]`)];
  return [
    ...own,
    ...Object.entries(shape ?? {}).flatMap(([key, part]) => pathsOf(part, base === "" ? key : `${base}.${key}`)),
  ];
}
