import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPackage } from "../../tools/package.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "hearth-package-"));
const installed = join(folder, "node_modules/@hearth-platform/hearth");
let archive: string;

/** The shortest program of the package's README. */
const [, program = ""] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(root, "components/README.md"), "utf8")) ?? [];
/** Runs a compiled program under Pulumi's mocks, as a program's own unit tests do; they lack the call that registers a hook. */
const mocks = `const pulumi = require("@pulumi/pulumi");
const types = [];
const newResource = ({ type, name, inputs }) => {
  types.push(type);
  return { id: name + "-id", state: inputs };
};
Promise.resolve(pulumi.runtime.setMocks({ newResource, call: ({ inputs }) => inputs }))
  .then(async () => {
    pulumi.runtime.getMonitor().registerResourceHook = (_request, callback) => callback(null, {});
    let program;
    await pulumi.runtime.runInPulumiStack(async () => {
      program = await import(process.argv[2]);
    });
    await pulumi.runtime.disconnect();
    program.host.apply((host) => process.stdout.write(JSON.stringify({ host, types })));
  });
`;
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
  buildPackage(built);
  const pack = ["pack", "--ignore-scripts", "--offline", "--json", "--pack-destination", folder];
  const { stdout } = await execa("npm", pack, { cwd: built, preferLocal: true, localDir: root });
  archive = join(folder, JSON.parse(stdout)[0].filename);
  mkdirSync(installed, { recursive: true });
  await execa("tar", ["-xzf", archive, "-C", installed, "--strip-components=1"]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  for (const name of [...Object.keys(dependencies), "@types/node"]) {
    const link = join(folder, "node_modules", name);
    mkdirSync(join(link, ".."), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link);
  }
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("it has the README and the licence", () => {
  expect(readdirSync(installed)).toEqual(expect.arrayContaining(["LICENSE", "README.md"]));
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
      cpSync(join(folder, name, "package.json"), join(folder, "bin", name, "package.json"));
    }
    writeFileSync(join(folder, "mocks.cjs"), mocks);
    const files = Object.keys(kinds).map((name) => `${name}/index.ts`);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const { stdout } = await execa("tsc", ["--project", folder], { preferLocal: true, localDir: root, reject: false });
    expect(stdout).toBe("");
  }, 600_000);

  test.for(Object.keys(kinds))("a program in %s compiles and runs", async (name) => {
    expect(readdirSync(join(folder, "bin", name))).toContain("index.js");
    const { stdout } = await execa(process.execPath, ["mocks.cjs", join(folder, "bin", name, "index.js")], {
      cwd: folder,
    });
    const { host, types } = JSON.parse(stdout);
    expect(host).toBe("keystore.default.svc");
    expect(types).toEqual(expect.arrayContaining(["hearth:index:Keystore", "kubernetes:apps/v1:StatefulSet"]));
  });
});
