import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareVersions, parseVersion } from "@hearth-platform/hearth/core/versions";
import { execa } from "execa";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPackage, oldestPeers } from "../../tools/package.ts";
import { linkPackages, packedPackage, unpackPackage } from "../support/packed-package.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "hearth-package-"));
const modules = join(folder, "node_modules");
const installed = join(modules, "@hearth-platform/hearth");
const repository = "https://git.example.org/acme/hearth";
let archive: string;

/** The shortest program of the package's README, what takes plain values from elsewhere, and the program's unit test: under Pulumi's mocks as they are. */
const readme = readFileSync(join(root, "components/README.md"), "utf8");
const [program = "", elsewhere = "", unitTest = ""] = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, code]) => code,
);
/** As in the template `typescript` of `pulumi new`. */
const compilerOptions = {
  strict: true,
  outDir: "bin",
  target: "es2020",
  module: "nodenext",
  moduleResolution: "nodenext",
  sourceMap: true,
  experimentalDecorators: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};

/** A fresh project with the packed package installed: no registry is asked, its dependencies are the repository's. */
beforeAll(async () => {
  const built = join(folder, "built");
  await buildPackage(built, repository);
  archive = await packedPackage(built, folder);
  await unpackPackage(archive, installed);
  const { dependencies, peerDependencies } = manifestIn(installed);
  linkPackages(modules, [...Object.keys({ ...dependencies, ...peerDependencies }), "@types/node"]);
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifestIn = (place: string) => JSON.parse(readFileSync(join(place, "package.json"), "utf8"));

test("it has the README, the licence, the logo and the plugin for other languages", () => {
  expect(readdirSync(installed)).toEqual(expect.arrayContaining(["LICENSE", "README.md", "logo.svg"]));
  expect(readdirSync(join(installed, "plugin")).sort()).toEqual([
    "PulumiPlugin.yaml",
    "index.js",
    "package.json",
    "schema.json",
  ]);
});

test("a program has each SDK of Pulumi once: they are peers, from the oldest that is tested to the checkout's and newer", () => {
  const { dependencies, peerDependencies } = manifestIn(installed);
  const used = Object.entries<string>(manifestIn(join(root, "components")).dependencies);
  const sdks = used.filter(([name]) => name.startsWith("@pulumi/"));
  expect(Object.keys(dependencies).filter((name) => name.startsWith("@pulumi/"))).toEqual([]);
  expect(Object.keys(peerDependencies).sort()).toEqual(sdks.map(([name]) => name).sort());
  for (const [name, version] of sdks) {
    const oldest = oldestPeers[name] ?? "";
    expect(peerDependencies[name]).toBe(`${oldest.startsWith("0.") ? "~" : "^"}${oldest}`);
    expect(parseVersion(version)?.[0], name).toBe(parseVersion(oldest)?.[0]);
    expect(compareVersions(oldest, version), name).toBeLessThanOrEqual(0);
  }
});

test("it asks for the Node that Pulumi's SDK asks for", () => {
  expect(manifestIn(installed).engines).toEqual(manifestIn(join(root, "node_modules/@pulumi/pulumi")).engines);
});

test("its manifest and the links of its README lead to the repository, at its version", () => {
  const { version, repository: own, homepage, bugs } = manifestIn(installed);
  expect({ own, homepage, bugs }).toEqual({
    own: { type: "git", url: `git+${repository}.git`, directory: "components" },
    homepage: `${repository}/tree/v${version}/components`,
    bugs: `${repository}/issues`,
  });
  const links = [...readFileSync(join(installed, "README.md"), "utf8").matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to);
  expect(links).toContain(`${repository}/blob/v${version}/docs/reference/prerequisites.md`);
  expect(links.filter((to) => !/^(https:|#)/.test(to ?? ""))).toEqual([]);
});

test("publint finds nothing", async () => {
  expect((await publint({ pkgDir: installed, pack: false, strict: true })).messages).toEqual([]);
});

/** In a Node of its own: vitest's would load the checker's TypeScript, by the condition `development`. */
const typesCheck = `import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
const archive = new Uint8Array(readFileSync(process.argv[1]));
console.log(JSON.stringify(await checkPackage(createPackageFromTarballData(archive))));
`;

test("its types are those of its JavaScript, however it is imported", async () => {
  const check = ["--input-type=module", "--eval", typesCheck, archive];
  const { stdout } = await execa(process.execPath, check, { cwd: root });
  expect(JSON.parse(stdout)).toMatchObject({ types: { kind: "included" }, problems: [] });
});

describe("in a fresh TypeScript project", () => {
  const kinds = { commonjs: "commonjs", esm: "module" };

  beforeAll(async () => {
    for (const [name, type] of Object.entries(kinds)) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "package.json"), JSON.stringify({ type }));
      writeFileSync(join(folder, name, "index.ts"), program);
      writeFileSync(join(folder, name, "index.test.ts"), unitTest);
      cpSync(join(folder, name, "package.json"), join(folder, "bin", name, "package.json"));
    }
    // It awaits at the top level.
    writeFileSync(join(folder, "esm", "elsewhere.ts"), `${program}${elsewhere}`);
    const files = [...Object.keys(kinds).map((name) => `${name}/index.test.ts`), "esm/elsewhere.ts"];
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const { stdout } = await execa("tsc", ["--project", folder], { preferLocal: true, localDir: root, reject: false });
    expect(stdout).toBe("");
  }, 600_000);

  test.for(Object.keys(kinds))("a program in %s compiles and passes its unit test", async (name) => {
    const { all } = await execa(process.execPath, ["--test", join(folder, "bin", name, "index.test.js")], {
      cwd: folder,
      all: true,
      reject: false,
    });
    expect(all).toMatch(/^ℹ pass 1$/m);
    expect(all).toMatch(/^ℹ fail 0$/m);
  });
});
