import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** A project of two modules, with `bundle/` and esbuild. */
let project: string;
const write = (file: string, text: string) => writeFileSync(join(project, file), text);
const bundles = () => readdirSync(join(project, "node_modules", ".cache", "hearth", "main.ts")).sort();

/** Starts the project as hearth's processes start. */
async function start(): Promise<string> {
  const { all } = await execa(process.execPath, ["start.mjs"], { cwd: project, all: true, reject: false });
  return all;
}

describe("a process that loads its modules from a bundle", () => {
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), "hearth-bundle-"));
    cpSync(join(root, "bundle"), join(project, "bundle"), { recursive: true });
    mkdirSync(join(project, "node_modules"));
    symlinkSync(join(root, "node_modules", "esbuild"), join(project, "node_modules", "esbuild"));
    write("package-lock.json", "{}");
    write("start.mjs", 'import { load } from "./bundle/load.mjs";\nawait load(import.meta.resolve("./main.ts"));\n');
    write("main.ts", 'import { word } from "./word.ts";\nconsole.log(word, import.meta.url, import.meta.dirname);\n');
    write("word.ts", 'export const word: string = "first";\n');
  });
  afterEach(() => rmSync(project, { recursive: true }));

  it("tells a module the place of its source", async () => {
    const said = `first file://${project}/main.ts ${project}`;
    expect([await start(), await start()]).toEqual([said, said]);
    expect(bundles()).toHaveLength(2);
  });

  it("follows each change of a source", async () => {
    await start();
    write("word.ts", 'export const word: string = "second";\n');
    expect(await start()).toMatch(/^second /);
    write("main.ts", 'console.log("third");\n');
    expect(await start()).toBe("third");
  });

  it("makes a bundle again that was removed", async () => {
    await start();
    for (const bundle of bundles().filter((name) => name !== "record.json"))
      rmSync(join(project, "node_modules", ".cache", "hearth", "main.ts", bundle), { recursive: true });
    expect(await start()).toMatch(/^first /);
    expect(bundles()).toHaveLength(2);
  });

  it("follows a checkout that is moved", async () => {
    await start();
    const other = `${project}-moved`;
    cpSync(project, other, { recursive: true, verbatimSymlinks: true });
    rmSync(project, { recursive: true });
    project = other;
    expect(await start()).toBe(`first file://${other}/main.ts ${other}`);
  });

  it("starts from the sources where no bundle can be made, and from the bundle again afterwards", async () => {
    rmSync(join(project, "node_modules", "esbuild"));
    expect(await start()).toMatch(/^first /);
    symlinkSync(join(root, "node_modules", "esbuild"), join(project, "node_modules", "esbuild"));
    await start();
    expect(bundles()).toContain("record.json");
  });

  it("starts from the sources where nothing can be written", async () => {
    write("node_modules/.cache", "");
    expect(await start()).toMatch(/^first /);
  });

  it("names the source of what is thrown, and of an error in a source", async () => {
    write("word.ts", "\n\nexport const word: string = undefined!.length;\n");
    for (let count = 0; count < 2; count++) expect(await start()).toContain(`${join(project, "word.ts")}:3`);
    write("word.ts", "export const word = ;\n");
    expect(await start()).toContain(`${join(project, "word.ts")}:1`);
  });

  it("loads several modules one after another", async () => {
    write(
      "start.mjs",
      [
        'import { load } from "./bundle/load.mjs";',
        'const { word } = await load(import.meta.resolve("./main.ts"), import.meta.resolve("./word.ts"));',
        "console.log(word);",
      ].join("\n"),
    );
    write("main.ts", 'console.log("main");\n');
    expect(await start()).toBe("main\nfirst");
  });
});
