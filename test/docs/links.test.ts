import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorsOf, pages, withoutCode } from "../support/pages.ts";

/** Every link of every page leads somewhere; every page of docs/ is in the index. */

const root = join(import.meta.dirname, "../..");
const all = pages();

/** Targets of the page's links and pictures. */
const linksOf = (text: string) => [...withoutCode(text).matchAll(/\]\(([^)\s]*)\)/g)].map(([, target = ""]) => target);

/** What is wrong with a link, or undefined. */
function fault(file: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return URL.canParse(target) && target.startsWith("https://") ? undefined : "not https";
  const [path = "", anchor] = target.split("#");
  const to = path === "" ? join(root, file) : join(root, dirname(file), path);
  if (path.startsWith("/") || relative(root, to).startsWith("..")) return "leads out of the project";
  if (!existsSync(to)) return "no such file";
  if (anchor !== undefined && !anchorsOf(readFileSync(to, "utf8")).has(anchor)) return "no such heading";
  return undefined;
}

test("the pages are found", () => {
  expect(all.length).toBeGreaterThan(30);
  expect(all.flatMap(({ text }) => linksOf(text)).length).toBeGreaterThan(200);
});

describe.each(all)("$file", ({ file, text }) => {
  test("has links that lead somewhere", () => {
    const faults = linksOf(text).flatMap((target) => {
      const found = fault(file, target);
      return found === undefined ? [] : [`${target}: ${found}`];
    });
    expect(faults).toEqual([]);
  });

  test("names pages of docs/ that are there", () => {
    const named = [...text.matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md/g)].map(([path]) => path);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

test("the index has every page of docs/", () => {
  const index = readFileSync(join(root, "docs/README.md"), "utf8");
  const listed = new Set(linksOf(index).map((target) => relative(root, join(root, "docs", target))));
  const there = all.map(({ file }) => file).filter((file) => file.startsWith("docs/") && file !== "docs/README.md");
  expect(there.filter((file) => !listed.has(file))).toEqual([]);
});
