import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

test("the image's tag follows what it is made of: a file of the bundle, of a dependency, the bundle itself; else nothing is built", async () => {
  const folder = await mkdtemp(join(tmpdir(), "site-webhook-copy-"));
  const at = (...path: string[]) => join(folder, ...path);
  await cp(join(root, "webhook"), at("webhook"), { recursive: true, filter: (path) => !path.endsWith("dist") });
  for (const dependency of ["esbuild", "@esbuild", "@hono", "@hearth-platform"]) {
    await mkdir(dirname(at("node_modules", dependency)), { recursive: true });
    await symlink(join(root, "node_modules", dependency), at("node_modules", dependency));
  }
  await cp(join(root, "node_modules", "hono"), at("node_modules", "hono"), { recursive: true });
  const { contentTag } = (await import(
    at("webhook", "image.ts")
  )) as typeof import("@hearth-platform/site-webhook/image");
  const bundle = at("webhook", "dist", "site-webhook.mjs");
  const edit = async (file: string, found: string, written: string) => {
    const text = await readFile(file, "utf8");
    expect(text).toContain(found);
    await writeFile(file, text.replace(found, written));
  };

  const first = contentTag({});
  const { ino } = await stat(bundle);
  expect(contentTag({})).toBe(first);
  expect(contentTag({ baseImage: "registry.example.org/node" })).not.toBe(first);
  await edit(at("webhook", "clock.ts"), "/** Time", "/** A comment. */ /** Time");
  expect(contentTag({})).toBe(first);
  // A bundle that was not made anew is the same file.
  expect((await stat(bundle)).ino).toBe(ino);

  const bytes = await readFile(bundle, "utf8");
  await writeFile(bundle, `${bytes}// changed by hand`);
  expect(contentTag({})).toBe(first);
  expect(await readFile(bundle, "utf8")).toBe(bytes);

  await edit(at("webhook", "site-name.ts"), "length <= 253", "length <= 252");
  const second = contentTag({});
  expect(second).not.toBe(first);
  await edit(at("node_modules", "hono", "dist", "hono.js"), "super(options);", 'super(options, "");');
  expect(contentTag({})).not.toBe(second);
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
