import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { codeFiles, importedFile, importsOf, packageOf, workspaces } from "./support/workspace-imports.ts";

/** The rules of the layout: which folders there are, and who may import whom. */

const root = join(import.meta.dirname, "..");

/** What each package may import besides itself; the tests, benches and tools see all. */
const below: Readonly<Record<string, readonly string[]>> = {
  program: ["stack", "components"],
  cli: ["stack", "components", "policy", "sandbox", "bundle"],
  stack: ["components", "webhook"],
  policy: ["components", "bundle"],
  // Other programs: what they have to do with the platform goes through names and addresses.
  sandbox: ["stack", "components", "webhook"],
  components: [],
  webhook: ["bundle"],
  bundle: [],
};

const packages = Object.values(workspaces);
const packageFiles = [
  ...["index.ts", "main.js"].map((file) => ({ file, own: "program" })),
  ...packages.flatMap((own) => codeFiles(own).map((file) => ({ file, own }))),
];

interface Import {
  readonly file: string;
  readonly own: string;
  readonly specifier: string;
  /** Loaded when its line is reached, not with the file. */
  readonly dynamic: boolean;
  /** Path of the project's file that is meant. */
  readonly target: string;
  /** Top-level folder of that. */
  readonly other: string;
}

const imports: readonly Import[] = packageFiles.flatMap(({ file, own }) =>
  importsOf(file).flatMap(({ specifier, dynamic }) => {
    const target = importedFile(join(root, file), specifier);
    if (target === undefined) return [];
    const path = relative(root, target);
    const other = path.includes("/") ? (path.split("/")[0] ?? "") : "program";
    return [{ file, own, specifier, dynamic, target: path, other }];
  }),
);
const across = imports.filter(({ own, other }) => own !== other);
const shown = ({ file, specifier }: Import) => `${file} imports ${specifier}`;

const manifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

describe("the layout", () => {
  it("has these folders at the top and no other", () => {
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
      .map(({ name }) => name);
    expect(folders.sort()).toEqual(
      [...packages, "bench", "docs", "examples", "schemas", "suites", "test", "tools"].sort(),
    );
  });

  it("has no loose module in components but its index", () => {
    expect(codeFiles("components").filter((file) => file.split("/").length === 2)).toEqual([
      "components/index.js",
      "components/index.ts",
    ]);
  });

  it("has few loose modules in stack: what brings its folders together", () => {
    const loose = codeFiles("stack").filter((file) => file.split("/").length === 2);
    expect(loose.length).toBeLessThanOrEqual(8);
  });

  it("imports what is there", () => {
    expect(imports.length).toBeGreaterThan(1500);
    expect(imports.filter(({ target }) => !existsSync(join(root, target))).map(shown)).toEqual([]);
  });

  it("exports no name from two packages of the product: one word has one meaning", () => {
    const declared = /^export (?:declare |abstract |async )*(?:const|function\*?|class|interface|type|enum) (\w+)/gm;
    const homes = packages
      .filter((own) => own !== "sandbox")
      .flatMap((own) =>
        codeFiles(own).flatMap((file) =>
          [...readFileSync(join(root, file), "utf8").matchAll(declared)].map(([, name = ""]) => ({ name, own, file })),
        ),
      );
    expect(homes.length).toBeGreaterThan(1500);
    const twice = [...Map.groupBy(homes, ({ name }) => name).values()].filter(
      (all) => new Set(all.map(({ own }) => own)).size > 1,
    );
    expect(twice.map((all) => all.map(({ name, file }) => `${name}: ${file}`))).toEqual([]);
  });

  it("imports another package by its name, never by a path", () => {
    const paths = across.filter(({ own, specifier }) => own !== "program" && specifier.startsWith("."));
    expect(paths.map(shown)).toEqual([]);
  });

  it("imports from a package only what it exports", () => {
    const hidden = across.filter(({ specifier }) => {
      if (specifier.startsWith(".")) return false;
      const { name, path } = packageOf(specifier);
      const exported = Object.keys(manifest(workspaces[name] ?? "").exports);
      return !exported.some(
        (each) => each === (path === "" ? "." : `./${path}`) || matchesGlob(`./${path}`, each.replace("*", "**")),
      );
    });
    expect(hidden.map(shown)).toEqual([]);
  });

  it.each(packages)("lists in the package.json of %s whatever it imports", (own) => {
    const { name, dependencies, devDependencies } = manifest(own);
    const listed = Object.keys({ ...dependencies, ...devDependencies });
    const files = packageFiles.filter((each) => each.own === own).map(({ file }) => file);
    const used = files.flatMap((file) => importsOf(file).map(({ specifier }) => specifier));
    const wanted = used
      .filter((specifier) => !/^(\.|node:|kubernetes-types\/)/.test(specifier))
      .map((specifier) => packageOf(specifier).name)
      .filter((each) => each !== name && !listed.includes(each));
    expect([...new Set(wanted)]).toEqual([]);
  });

  it("imports downwards only", () => {
    const up = across.filter(({ own, other }) => !below[own]?.includes(other));
    expect(up.map(shown)).toEqual([]);
  });

  it("loads the sandbox only when a command asks for it", () => {
    const entries = [
      "cli/hearth.ts",
      "cli/command.ts",
      ...codeFiles("cli").filter((file) => file.endsWith("/command.ts")),
    ];
    const loaded = new Set(entries);
    // A set is walked over what is added meanwhile, too.
    for (const file of loaded)
      for (const each of imports) if (each.file === file && !each.dynamic) loaded.add(each.target);
    expect(loaded.size).toBeGreaterThan(100);
    expect([...loaded].filter((file) => file.startsWith("sandbox/"))).toEqual([]);
  });

  it("has no file of a few lines, but for tables and types that several import", () => {
    const importers = (target: string) =>
      new Set(imports.filter((each) => each.target === target).map(({ file }) => file));
    const small = packageFiles.filter(
      ({ file, own }) =>
        ["components", "stack", "policy"].includes(own) &&
        !/\/(index|alerts)\.(ts|js)$/.test(file) &&
        readFileSync(join(root, file), "utf8").split("\n").length <= 20 &&
        importers(file).size < 2,
    );
    // A class without outputs stands by itself: its definition is read without Pulumi.
    expect(small.map(({ file }) => file)).toEqual([
      "components/admission/admission.ts",
      "components/copies/copies.ts",
      "components/dashboards/dashboards.ts",
      "components/drill/drill.ts",
    ]);
  });

  it("leaves Traefik's words to the rendering of exposure", () => {
    const others = codeFiles("components").filter((file) => !/^components\/(exposure|kubernetes)\//.test(file));
    const words =
      /\b(?:Host|HostRegexp|HostSNI|PathPrefix|PathRegexp|Path|ClientIP|Method|HeaderRegexp)\(\\?`|traefik\.io\//;
    expect(others.filter((file) => words.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });

  it("has no circle among its rooms", () => {
    const arrows = new Map<string, Set<string>>();
    for (const { file, target } of imports) {
      const [from, to] = [room(file), room(target)];
      if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
    expect(arrows.size).toBeGreaterThan(15);
    expect(circle(arrows)).toEqual([]);
  });
});

/** Packages are rooms; in components, stores and policy each folder is one. */
function room(file: string): string {
  const folders = file.split("/").slice(0, -1);
  if (folders[0] === "components" && folders[1] === "stores") return folders.slice(0, 3).join("/");
  if (folders[0] === "components" || folders[0] === "policy") return folders.slice(0, 2).join("/");
  return folders[0] ?? "program";
}

/** Rooms that lead back to themselves, in the order of the arrows; empty where there are none. */
function circle(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const walk = (at: string, way: readonly string[]): string[] => {
    if (way.includes(at)) return [...way.slice(way.indexOf(at)), at];
    if (done.has(at)) return [];
    for (const next of arrows.get(at) ?? []) {
      const found = walk(next, [...way, at]);
      if (found.length > 0) return found;
    }
    done.add(at);
    return [];
  };
  for (const start of arrows.keys()) {
    const found = walk(start, []);
    if (found.length > 0) return found;
  }
  return [];
}
