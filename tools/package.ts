/**
 * Builds the npm package of the components in `components/dist`: JavaScript as ESM and as CommonJS, with types, since
 * Node runs no TypeScript below `node_modules`. `npm run pack` builds and packs it; `npm publish components/dist` publishes it.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..");
const source = join(root, "components");
const formats = { esm: ts.ModuleKind.ES2022, cjs: ts.ModuleKind.CommonJS } as const;
type Format = keyof typeof formats;

/** Builds the package in a folder, which is made anew. @throws Error with what the compiler says */
export function buildPackage(target: string): void {
  rmSync(target, { recursive: true, force: true });
  const program = ts.createProgram([join(source, "index.ts")], {
    ...compilerOptions(),
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    // `npm run types` has judged the sources; to do so again takes half of the build.
    noCheck: true,
    rootDir: source,
    outDir: "/",
  });
  const write = (path: string, text: string) => {
    for (const format of Object.keys(formats)) writeTo(join(target, format, path), text);
  };
  const { diagnostics } = program.emit(undefined, (path, text) => write(relative("/", path), withJsImports(text)));
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, formatHost));
  for (const file of program.getSourceFiles()) {
    const path = relative(source, file.fileName);
    if (file.isDeclarationFile || path.startsWith("..")) continue;
    for (const format of Object.keys(formats) as Format[])
      writeTo(join(target, format, path.replace(/\.ts$/, ".js")), javascript(file.text, format));
  }
  for (const path of textFiles()) write(path, readFileSync(join(source, path), "utf8"));
  writeTo(join(target, "cjs", "package.json"), json({ type: "commonjs" }));
  writeTo(join(target, "package.json"), json(manifest()));
  cpSync(join(root, "LICENSE"), join(target, "LICENSE"));
  cpSync(join(source, "README.md"), join(target, "README.md"));
}

/** The scripts that components read when they are loaded; those of the hub are TypeScript, which its pods' Node runs. */
function textFiles(): string[] {
  return execFileSync("git", ["ls-files", "*.sh", "*.php", "*.rb", "*.conf", "hub/scripts/*.ts"], {
    cwd: source,
    encoding: "utf8",
  })
    .trim()
    .split("\n");
}

/** CommonJS has no `import.meta`; its own words mean the same, and `createRequire` takes a path as well as a URL. */
function javascript(text: string, format: Format): string {
  const input =
    format === "cjs"
      ? text.replaceAll("import.meta.dirname", "__dirname").replaceAll("import.meta.url", "__filename")
      : text;
  return ts.transpileModule(input, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: formats[format],
      esModuleInterop: true,
      rewriteRelativeImportExtensions: true,
    },
  }).outputText;
}

/** The compiler rewrites relative imports in JavaScript only. */
function withJsImports(declarations: string): string {
  return declarations.replaceAll(/((?:from|import) "|import\(")(\.[^"]+)\.ts"/g, '$1$2.js"');
}

function manifest(): object {
  const { name, version, description, license, dependencies } = JSON.parse(
    readFileSync(join(source, "package.json"), "utf8"),
  );
  // The compiler is for the Pulumi plugin alone, which is run from its sources.
  const { typescript: _, ...needed } = dependencies;
  const entry = (format: Format) => ({ types: `./${format}/index.d.ts`, default: `./${format}/index.js` });
  return {
    name,
    version,
    description,
    license,
    type: "module",
    engines: { node: ">=20.11" },
    main: "./cjs/index.js",
    types: "./cjs/index.d.ts",
    exports: {
      ".": { import: entry("esm"), require: entry("cjs") },
      "./package.json": "./package.json",
    },
    files: ["esm", "cjs"],
    dependencies: needed,
  };
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(source, "tsconfig.json"), ts.sys.readFile);
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, source).options;
}

const formatHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => "\n",
};

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

function writeTo(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (import.meta.main) buildPackage(join(source, "dist"));
