/**
 * Builds the npm package of the components in `components/dist`: JavaScript as ESM and as CommonJS, with types, since
 * Node runs no TypeScript below `node_modules`; and the plugin for other languages. `npm run pack` builds and packs it;
 * `npm publish components/dist` publishes it.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { packageSchema } from "./package-schema.ts";
import { repositoryUrl } from "./repository.ts";

const root = join(import.meta.dirname, "..");
const source = join(root, "components");
const formats = { esm: ts.ModuleKind.ES2022, cjs: ts.ModuleKind.CommonJS } as const;
type Format = keyof typeof formats;

/**
 * The oldest SDKs that the components run on: the tests install these and those of the checkout. A program has each SDK
 * once, as a peer: with a second copy, a provider of its own would not be one for the components.
 */
export const oldestPeers: Readonly<Record<string, string>> = {
  "@pulumi/aws": "7.2.0",
  "@pulumi/docker-build": "0.0.7",
  "@pulumi/kubernetes": "4.18.0",
  "@pulumi/pulumi": "3.200.0",
  "@pulumi/random": "4.16.0",
  "@pulumi/tls": "5.0.1",
};

const keywords = ["kubernetes", "gitlab", "harbor", "nextcloud", "postgresql", "valkey", "self-hosted"];

/**
 * Builds the package in a folder, which is made anew.
 * @param repository address that links lead to, and that the registry compares with the one which publishes
 * @throws Error with what the compiler says
 */
export async function buildPackage(target: string, repository = repositoryUrl()): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  const program = ts.createProgram([join(source, "index.ts"), join(source, "plugin", "serve.ts")], {
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
  const own = manifest(repository);
  writeTo(join(target, "package.json"), json(own));
  cpSync(join(root, "LICENSE"), join(target, "LICENSE"));
  cpSync(join(source, "logo.svg"), join(target, "logo.svg"));
  writeTo(
    join(target, "README.md"),
    withLinks(readFileSync(join(source, "README.md"), "utf8"), own.version, repository),
  );
  const logo = repository && `${repository}/raw/v${own.version}/components/logo.svg`;
  await writePlugin(join(target, "plugin"), own, { ...own, repository, logo });
}

/** What `pulumi package add` takes: a package of its own, without dependencies, so that nothing is installed but beside it. */
async function writePlugin(
  target: string,
  { name, version }: { readonly name: string; readonly version: string },
  shown: Parameters<typeof packageSchema>[0],
): Promise<void> {
  writeTo(join(target, "schema.json"), json(await packageSchema(shown)));
  writeTo(join(target, "package.json"), json({ name, version, private: true, type: "commonjs", main: "index.js" }));
  writeTo(
    join(target, "PulumiPlugin.yaml"),
    "runtime:\n  name: nodejs\n  options:\n    typescript: false\n    packagemanager: npm\n",
  );
  writeTo(join(target, "index.js"), 'module.exports = () => require("../cjs/plugin/serve.js").servePlugin();\n');
}

/** A page of the checkout whose links lead to the repository at this version; where none is known, to nothing. */
export function withLinks(page: string, version: string, repository: string | undefined): string {
  return page.replaceAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g, (_, text, path) =>
    repository === undefined ? `${text} (${path})` : `[${text}](${repository}/blob/v${version}/${path})`,
  );
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

function manifest(repository: string | undefined) {
  const { name, version, description, license, dependencies } = JSON.parse(
    readFileSync(join(source, "package.json"), "utf8"),
  ) as Record<"name" | "version" | "description" | "license", string> & { dependencies: Record<string, string> };
  const needed = Object.entries(dependencies).filter(([dependency]) => !Object.hasOwn(oldestPeers, dependency));
  const entry = (format: Format) => ({ types: `./${format}/index.d.ts`, default: `./${format}/index.js` });
  return {
    name,
    version,
    description,
    license,
    keywords: ["pulumi", ...keywords],
    ...(repository && {
      homepage: `${repository}/tree/v${version}/components`,
      repository: { type: "git", url: `git+${repository}.git`, directory: "components" },
      bugs: `${repository}/issues`,
    }),
    type: "module",
    // What the newest SDK needs.
    engines: { node: ">=22" },
    main: "./cjs/index.js",
    types: "./cjs/index.d.ts",
    exports: {
      ".": { import: entry("esm"), require: entry("cjs") },
      "./package.json": "./package.json",
    },
    files: ["esm", "cjs", "plugin", "logo.svg"],
    dependencies: Object.fromEntries(needed),
    // Every release of 0.0 would be a range of its own by a caret.
    peerDependencies: Object.fromEntries(
      Object.entries(oldestPeers).map(([peer, oldest]) => [peer, `${oldest.startsWith("0.") ? "~" : "^"}${oldest}`]),
    ),
    publishConfig: { access: "public" },
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

/** The value as a file of JSON. */
export const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** Writes a file, with the folders above it. */
export function writeTo(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (import.meta.main) await buildPackage(join(source, "dist"));
