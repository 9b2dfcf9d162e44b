import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBundle } from "@hearth-platform/site-webhook/build";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

test("the bundle is one file under 150 KB that imports Node's own modules alone, and is the same each time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "site-webhook-bundle-"));
  const [first, second] = ["first.mjs", "second.mjs"].map((name) => join(folder, name));
  buildBundle(first);
  buildBundle(second);
  const text = await readFile(first ?? "", "utf8");
  expect(Buffer.byteLength(text)).toBeLessThan(150_000);
  expect(await readFile(second ?? "", "utf8")).toBe(text);
  const imports = [...text.matchAll(/\b(?:from\s*|import\s*|require\()"([@\w][^"]*)"/g)].map(([, name]) => name);
  expect(imports.length).toBeGreaterThan(5);
  const builtins =
    /^(?:node:)?(?:child_process|crypto|events|fs|fs\/promises|http|http2|https|net|os|path|perf_hooks|process|stream|stream\/promises|timers|tls|url|util|worker_threads)$/;
  expect(imports.filter((name) => !builtins.test(name ?? ""))).toEqual([]);
  expect(text).not.toContain(root);
  await rm(folder, { recursive: true });
});

test("nothing but hono and its Node adapter is needed at run time", async () => {
  const { dependencies } = JSON.parse(await readFile(join(root, "webhook", "package.json"), "utf8"));
  expect(Object.keys(dependencies).sort()).toEqual(["@hono/node-server", "hono"]);
});

test("the image has a base to choose, a numeric user that is not root, one file, and needs no shell", async () => {
  const text = await readFile(join(root, "webhook", "Dockerfile"), "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines[0]).toMatch(/^ARG BASE=/);
  expect(lines[1]).toMatch(/^FROM \$\{BASE\}$/);
  expect(lines.filter((line) => line.startsWith("COPY"))).toHaveLength(1);
  expect(lines.find((line) => line.startsWith("USER"))).toMatch(/^USER [1-9]\d*:[1-9]\d*$/);
  expect(lines.some((line) => line.startsWith("RUN"))).toBe(false);
  for (const line of lines.filter((line) => /^(CMD|ENTRYPOINT)/.test(line))) expect(line).toMatch(/^\w+ \[/);
});
