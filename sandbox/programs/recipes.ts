import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { cacheKey } from "./cache.ts";
import { type Operator, operators, type Program } from "./catalog.ts";
import { buildEnvironment, type Go, runGo } from "./go.ts";

/** How one entry of the cache is made. */
export interface Recipe {
  /** Folder of its Go module beside this file; `<name>-<key>` is its folder in the cache. */
  readonly name: string;
  /** 16 hexadecimal digits that change with everything that shapes the result. */
  readonly key: string;
  /** For people: `Building kwok, kwokctl`. */
  readonly title: string;
  readonly space: Program["space"];
  make(job: BuildJob): Promise<void>;
}

/** One making of an entry. */
export interface BuildJob {
  /** To be filled. */
  readonly folder: string;
  /** Folder of Go's caches, which recipes share. */
  readonly caches: string;
  /** File that gets Go's messages. */
  readonly log: string;
  /** Stops it. */
  readonly signal: AbortSignal;
}

const space = { modules: 250, compiled: 0, result: 11 };

/** Builds a program's binaries and links. @param source folder of its Go module; default: beside this file */
export async function programRecipe(
  program: Program,
  go: Go,
  source = join(import.meta.dirname, program.name),
): Promise<Recipe> {
  const { name, module, packages, tags = [], links = [], files = [] } = program;
  const version = moduleVersion(await readFile(join(source, "go.mod"), "utf8"), module);
  const variables = Object.entries(program.variables?.(version) ?? {}).map(([name, value]) => `-X ${name}=${value}`);
  const ldflags = ["-s", "-w", ...variables].join(" ");
  // The linker strips debug information anyway: not making it saves an eighth of the time and a quarter of the disk.
  const flags = ["-gcflags=all=-dwarf=false", `-tags=${tags.join(",")}`, `-ldflags=${ldflags}`];
  return {
    name,
    key: await sourceKey(source, { flags, packages, links, ...(files.length > 0 && { files }), ...platform(go) }),
    title: `Building ${program.what} (usually ${program.minutes} min)`,
    space: program.space,
    async make({ folder, ...job }) {
      const scratch = join(folder, "scratch");
      await mkdir(scratch);
      const run = (...args: string[]) => runGo({ ...job, args, source, scratch, go });
      await run("build", ...flags, "-o", `${folder}/`, ...packages);
      for (const link of links) await symlink(name, join(folder, link));
      if (files.length > 0) {
        const dir = (await run("list", "-m", "-f", "{{.Dir}}", module)).trim();
        for (const file of files) await copyFile(join(dir, file), join(folder, basename(file)));
      }
      await rm(scratch, { recursive: true });
    },
  };
}

/** Downloads the operators' modules, checked against `go.sum`, and copies their CRDs: a subfolder an operator. */
export async function crdsRecipe(go: Go, source = join(import.meta.dirname, "crds")): Promise<Recipe> {
  return {
    name: "crds",
    key: await sourceKey(source, { operators }),
    title: "Downloading the operators' custom resource definitions",
    space,
    async make({ folder, ...job }) {
      const modules = await runGo({ ...job, args: ["mod", "download", "-json"], source, scratch: folder, go });
      for (const operator of operators) await copyCrds(operator, moduleFolder(modules, operator), folder);
    },
  };
}

async function copyCrds({ name, folder, files }: Operator, module: string, to: string): Promise<void> {
  await mkdir(join(to, name));
  let copied = 0;
  for (const file of await readdir(join(module, folder))) {
    if (!file.endsWith(".yaml") || (files && !files.includes(file))) continue;
    const text = await readFile(join(module, folder, file), "utf8");
    if (!/^kind: CustomResourceDefinition$/m.test(text)) continue;
    await writeFile(join(to, name, file), text);
    copied++;
  }
  if (copied === 0) throw new Error(`no CustomResourceDefinition is in ${join(module, folder)}: correct catalog.ts`);
}

/** @param modules standard output of `go mod download -json`: one JSON object after another */
function moduleFolder(modules: string, { module }: Operator): string {
  for (const text of modules.split(/(?<=^\})\n/m)) {
    if (text.trim() === "") continue;
    const { Path, Dir } = JSON.parse(text);
    if (Path === module) return Dir;
  }
  throw new Error(`${module} is not in crds/go.mod: add it there`);
}

function moduleVersion(goMod: string, module: string): string {
  for (const line of goMod.split("\n")) {
    const [path, version] = line
      .replace(/^require /, "")
      .trim()
      .split(" ");
    if (path === module && version?.startsWith("v")) return version;
  }
  throw new Error(`${module} is not in go.mod: add it there`);
}

async function sourceKey(source: string, recipe: unknown): Promise<string> {
  const files = (await readdir(source)).filter((file) => /\.(go|mod|sum)$/.test(file)).sort();
  return cacheKey(
    files.map((file) => join(source, file)),
    recipe,
  );
}

function platform({ version, os, arch }: Go) {
  return { version, os, arch, buildEnvironment };
}
