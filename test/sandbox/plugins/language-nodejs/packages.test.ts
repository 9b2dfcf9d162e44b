import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { programDependencies, requiredPlugins } from "@hearth-platform/sandbox/plugins/language-nodejs/packages";
import { afterEach, beforeEach, expect, test } from "vitest";

let program: string;

beforeEach(async () => {
  program = await mkdtemp(join(tmpdir(), "hearth-program-"));
});
afterEach(() => rm(program, { recursive: true }));

async function manifest(folder: string, content: object): Promise<void> {
  const file = join(program, folder, "package.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
}

test("a program needs the plugins of the SDKs that are installed below it", async () => {
  await manifest("node_modules/@pulumi/random", {
    name: "@pulumi/random",
    version: "4.21.2",
    pulumi: { resource: true },
  });
  await manifest("node_modules/@pulumi/pulumi", { name: "@pulumi/pulumi", version: "3.270.0" });
  await manifest("node_modules/sdk", {
    name: "sdk",
    version: "9.9.9",
    pulumi: { resource: true, name: "other", version: "v1.0.0", server: "https://example.org" },
  });
  await manifest("node_modules/a/node_modules/@pulumi/tls", {
    name: "@pulumi/tls",
    version: "5.0.0",
    pulumi: { resource: true },
  });

  expect(requiredPlugins(program).sort((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: "other", version: "v1.0.0", server: "https://example.org" },
    { name: "random", version: "v4.21.2", server: "" },
    { name: "tls", version: "v5.0.0", server: "" },
  ]);
});

test("an SDK that is found twice is needed once, through links and workspaces too", async () => {
  const sdk = { name: "@pulumi/aws", version: "7.0.0", pulumi: { resource: true } };
  await manifest("components/node_modules/@pulumi/aws", sdk);
  await manifest("node_modules/@pulumi/aws", sdk);
  await manifest("components", { name: "components" });
  await symlink(join(program, "components"), join(program, "node_modules", "components"));
  await symlink(program, join(program, "components", "loop"));

  expect(requiredPlugins(program)).toEqual([{ name: "aws", version: "v7.0.0", server: "" }]);
});

test("the SDKs of a policy pack beside the program are not the program's", async () => {
  await manifest("policy/node_modules/@pulumi/aws", {
    name: "@pulumi/aws",
    version: "7.0.0",
    pulumi: { resource: true },
  });
  await writeFile(join(program, "policy", "PulumiPolicy.yaml"), "runtime: nodejs\n");

  expect(requiredPlugins(program)).toEqual([]);
});

test("a broken package.json does not hide the others", async () => {
  await manifest("node_modules/good", {
    name: "@pulumi/tls",
    version: "5.0.0",
    pulumi: { resource: true },
  });
  await mkdir(join(program, "node_modules", "bad"));
  await writeFile(join(program, "node_modules", "bad", "package.json"), "{");

  expect(requiredPlugins(program)).toHaveLength(1);
});

test("dependencies are those package.json names, or all that is installed", async () => {
  await manifest(".", { dependencies: { b: "^1.0.0" }, devDependencies: { a: "*", missing: "*" } });
  await manifest("node_modules/a", { name: "a", version: "2.0.0" });
  await manifest("node_modules/b", { name: "b", version: "1.5.0" });
  await manifest("node_modules/c", { name: "c", version: "3.0.0" });

  expect(programDependencies(program, false)).toEqual([
    { name: "a", version: "2.0.0" },
    { name: "b", version: "1.5.0" },
  ]);
  expect(programDependencies(program, true).map(({ name }) => name)).toEqual(["a", "b", "c"]);
});
