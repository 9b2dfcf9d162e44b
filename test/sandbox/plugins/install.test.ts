import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { installPlugins } from "@hearth-platform/sandbox/plugins/install";
import random from "@pulumi/random/package.json" with { type: "json" };
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const names = ["aws", "docker-build", "kubernetes", "random", "tls"];
let pulumiHome: string;

beforeEach(async () => {
  pulumiHome = await mkdtemp(join(tmpdir(), "hearth-plugins-"));
});
afterEach(() => rm(pulumiHome, { recursive: true }));

const installed = async () => (await readdir(join(pulumiHome, "plugins"))).sort();

describe("installPlugins", () => {
  test("puts each stand-in where the engine looks, at the version of its SDK", async () => {
    await installPlugins({ pulumiHome, environment: {} });

    const folders = await installed();
    expect(folders.map((folder) => folder.replace(/-v[\d.]+$/, ""))).toEqual([
      "language-nodejs",
      ...names.map((name) => `resource-${name}`),
    ]);
    expect(folders).toContain(`resource-random-v${random.version}`);
  });

  test("makes executables that start the stand-in under the Node that installed them", async () => {
    await installPlugins({ pulumiHome, environment: {} });

    const file = join(pulumiHome, "plugins", `resource-random-v${random.version}`, "pulumi-resource-random");
    const script = await readFile(file, "utf8");
    expect(script).toMatch(/^#!\/bin\/sh\n/);
    expect(script).toContain(`exec '${process.execPath}' '`);
    expect(script).toMatch(/\/sandbox\/plugins\/random\/main\.ts' "\$@"\n$/);
    await promisify(execFile)("sh", ["-n", file]);
    expect((await stat(file)).mode & 0o111).toBe(0o111);
  });

  test("changes nothing the second time", async () => {
    await installPlugins({ pulumiHome, environment: {} });
    const file = join(pulumiHome, "plugins", `resource-random-v${random.version}`, "pulumi-resource-random");
    const before = await stat(file);

    await installPlugins({ pulumiHome, environment: {} });

    expect((await stat(file)).ino).toBe(before.ino);
  });

  test("two at once end well", async () => {
    await Promise.all([1, 2, 3].map(() => installPlugins({ pulumiHome, environment: {} })));

    expect(await installed()).toHaveLength(names.length + 1);
  });

  test("removes stand-ins of other versions and leaves other plugins alone", async () => {
    await installPlugins({ pulumiHome, environment: {} });
    const plugins = join(pulumiHome, "plugins");
    const script = await readFile(join(plugins, `resource-random-v${random.version}`, "pulumi-resource-random"));
    await mkdir(join(plugins, "resource-random-v1.0.0"));
    await writeFile(join(plugins, "resource-random-v1.0.0", "pulumi-resource-random"), script);
    await mkdir(join(plugins, "resource-tls-v1.0.0"));
    await writeFile(join(plugins, "resource-tls-v1.0.0", "pulumi-resource-tls"), "an official plugin");

    await installPlugins({ pulumiHome, environment: {} });

    const folders = await installed();
    expect(folders).not.toContain("resource-random-v1.0.0");
    expect(folders).toContain("resource-tls-v1.0.0");
  });

  test("HEARTH_PLUGINS=official takes the stand-ins away, so that the engine gets the official plugins", async () => {
    await installPlugins({ pulumiHome, environment: {} });

    await installPlugins({ pulumiHome, environment: { HEARTH_PLUGINS: "official" } });

    expect(await installed()).toEqual([]);
  });
});
