import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { ensureJudges } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPackage } from "../../tools/package.ts";
import { packedPackage } from "../support/packed-package.ts";
import { type CommandResult, sandbox } from "../support/stack.ts";

/**
 * The packed package in other languages, as the pages say: npm installs it, Pulumi's generators make its SDKs, and the
 * examples in YAML, Python and Go are previewed by the engine. YAML has its own host; no registry has those of Python and
 * Go, whose programs run by the Automation API. All comes from registries; where one gives no answer, its tests are left out.
 */

const root = join(import.meta.dirname, "..", "..");
const examples = join(root, "examples/languages");
const page = readFileSync(join(examples, "README.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "hearth-languages-"));
const sdks = join(folder, "sdks");
const venv = join(folder, "venv");
const pip = join(venv, "bin/pip");
const goSdk = "hearth.local/sdk/go/hearth";

const answers = async (file: string, ...args: string[]) =>
  (await execa(file, args, { cwd: folder, reject: false, stdin: "ignore" })).exitCode === 0;
const [sdkForPython = ""] = readFileSync(join(examples, "python/requirements.txt"), "utf8").split("\n");
const [, sdkForGo = ""] = /require (\S+ \S+)/.exec(readFileSync(join(examples, "go/go.mod"), "utf8")) ?? [];
const registries = {
  npm: await answers("npm", "view", "@pulumi/pulumi", "version"),
  python:
    (await answers("python3", "-m", "venv", venv)) &&
    (await answers(pip, "download", "--quiet", "--no-deps", "--dest", folder, sdkForPython)),
  go: await answers("go", "list", "-m", sdkForGo.replace(" ", "@")),
};

/** What each of the programs makes. */
const objects = [
  "hearth:index:Database database",
  "hearth:index:Keystore jobs",
  "kubernetes:apps/v1:StatefulSet jobs/keystore",
  "kubernetes:core/v1:ConfigMap jobs/keystore",
  "kubernetes:core/v1:PersistentVolumeClaim jobs/data-keystore-0",
  "kubernetes:core/v1:Secret database/orders-db-app",
  "kubernetes:core/v1:Secret jobs/keystore-password",
  "kubernetes:core/v1:Service jobs/keystore",
  "kubernetes:policy/v1:PodDisruptionBudget database/orders-db-pooler",
  "kubernetes:postgresql.cnpg.io/v1:Cluster database/orders-db",
  "kubernetes:postgresql.cnpg.io/v1:Pooler database/orders-db-pooler",
  "random:index:RandomPassword database/orders-db-app.password",
  "random:index:RandomPassword jobs/keystore-password.password",
];

/** Where the page installs the plugin, in a project's folder. */
const [, plugin = ""] = /^\$ pulumi package add (\S+)$/m.exec(page) ?? [];

/** Runs a program that asks for the sandbox's engine. */
async function inSandbox(cwd: string, file: string, args: readonly string[], env: object = {}): Promise<CommandResult> {
  const { exitCode, stdout, all } = await execa(file, args, {
    ...{ cwd, all: true, reject: false, stdin: "ignore" },
    env: { ...sandboxEnvironment(await openSandbox()), ...env },
  });
  return { exitCode, stdout, all };
}

type Name = "yaml" | "python" | "go";

interface Language {
  /** Whether its registry answers. */
  readonly isServed: boolean;
  /** File of the program in the example's folder. */
  readonly file: string;
  /** What a person writes, and how they might misspell it. */
  readonly setting: string;
  readonly misspelt: string;
  readonly refusal: string;
  /** Makes what its projects share. */
  install?(): Promise<unknown>;
  preview(project: string): Promise<CommandResult>;
}

const languages: Readonly<Record<Name, Language>> = {
  yaml: {
    isServed: true,
    file: "Pulumi.yaml",
    setting: "storageSize",
    misspelt: "storagSize",
    refusal: "Property storagSize does not exist on 'hearth:index:Database'",
    async preview(project) {
      const [host = ""] = await ensureJudges(["pulumi-yaml"], createProgress());
      appendFileSync(join(project, "Pulumi.yaml"), `plugins: { languages: [{ name: yaml, path: ${host} }] }\n`);
      const pulumi = (...args: string[]) => sandbox("pulumi", "--cwd", project, "--non-interactive", ...args);
      await pulumi("stack", "init", "test", "--no-select");
      return pulumi("preview", "--stack", "test");
    },
  },
  python: {
    isServed: registries.python,
    file: "__main__.py",
    setting: "storage_size",
    misspelt: "storag_size",
    refusal: "got an unexpected keyword argument 'storag_size'",
    install() {
      const packages = ["--requirement", join(examples, "python/requirements.txt"), join(sdks, "python")];
      return execa(pip, ["install", "--quiet", ...packages]);
    },
    async preview(project) {
      addPlugin(project);
      const program = join(import.meta.dirname, "languages/preview.py");
      return inSandbox(project, join(venv, "bin/python"), [program]);
    },
  },
  go: {
    isServed: registries.go,
    file: "main.go",
    setting: "StorageSize",
    misspelt: "StoragSize",
    refusal: "unknown field StoragSize in struct literal of type hearth.DatabaseArgs",
    async preview(project) {
      addPlugin(project);
      cpSync(join(import.meta.dirname, "languages/preview.go"), join(project, "preview_test.go"));
      const sdk = [`-require=${goSdk}@v0.0.0`, `-replace=${goSdk}=${join(sdks, "go/hearth")}`];
      await execa("go", ["mod", "edit", ...sdk], { cwd: project });
      await execa("go", ["mod", "tidy"], { cwd: project });
      return inSandbox(project, "go", ["test", "-v", "."]);
    },
  },
};

/** Names the plugin as an SDK that `pulumi package add` links does. */
function addPlugin(project: string): void {
  const providers = [{ name: "hearth", path: plugin }];
  appendFileSync(join(project, "Pulumi.yaml"), `plugins: ${JSON.stringify({ providers })}\n`);
}

/** An example's project, with the plugin installed as the page says. */
function projectOf(name: Name, change = (program: string) => program): string {
  const project = mkdtempSync(join(folder, `${name}-`));
  cpSync(join(examples, name), project, { recursive: true });
  symlinkSync(join(folder, "hearth"), join(project, "hearth"));
  const file = join(project, languages[name].file);
  writeFileSync(file, change(readFileSync(file, "utf8")));
  return project;
}

/** What a preview would create, by type and name. */
const created = ({ all }: CommandResult) =>
  [...new Set([...all.matchAll(/^ \+ {2}(\S+ \S+) create *$/gm)].map(([, resource = ""]) => resource))]
    .filter((resource) => !resource.startsWith("pulumi:pulumi:Stack"))
    .sort();

const built = join(folder, "package");
const schema = join(built, "plugin", "schema.json");

const camel = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

beforeAll(async () => {
  await buildPackage(built);
  const [judge = ""] = await ensureJudges(["pulumi-schema"], createProgress());
  await execa(join(judge, "pulumi-schema"), [schema, sdks]);
}, 900_000);

afterAll(() => rmSync(folder, { recursive: true }));

describe("the packed package", () => {
  it("has SDKs for Python and Go with each component", () => {
    const python = readFileSync(join(sdks, "python/hearth_platform_hearth/__init__.py"), "utf8");
    for (const token of Object.keys(JSON.parse(readFileSync(schema, "utf8")).resources)) {
      const name = camel(token.split(":").at(-1) ?? "");
      expect(python).toContain(`from .${snake(name)} `);
      expect(existsSync(join(sdks, `go/hearth/${name}.go`)), name).toBe(true);
    }
  });

  it("has an SDK for TypeScript that compiles", async () => {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const typeScript = ["--noEmit", "--skipLibCheck", "--ignoreDeprecations", "6.0", "--project", "nodejs"];
    const tsc = join(root, "node_modules/.bin/tsc");
    const { all } = await execa(tsc, typeScript, { cwd: sdks, all: true, reject: false });
    expect(all).toBe("");
  });
});

describe.skipIf(!registries.npm)("the packed package, installed as the page says", () => {
  beforeAll(async () => {
    const archive = await packedPackage(built, folder);
    const [, install = ""] = /^\$ npm (install .*)$/m.exec(page) ?? [];
    await execa("npm", install.replace("npm:@hearth-platform/hearth", `file:${archive}`).split(" "), { cwd: folder });
    writeFileSync(join(sdks, "go/hearth/go.mod"), `module ${goSdk}\n\ngo 1.25\n\nrequire ${sdkForGo}\n`);
  }, 900_000);

  it("is read by the engine", async () => {
    const read = await sandbox("pulumi", "package", "get-schema", join(folder, plugin));
    expect(read.exitCode, read.all).toBe(0);
    const resources = (text: string) => Object.keys(JSON.parse(text).resources).sort();
    expect(resources(read.stdout)).toEqual(resources(readFileSync(schema, "utf8")));
  });

  describe.each(Object.entries(languages))(
    "in %s",
    (name, { setting, misspelt, refusal, preview, isServed, install }) => {
      beforeAll(async () => {
        if (isServed) await install?.();
      }, 900_000);

      it.skipIf(!isServed)("is previewed: a database and a keystore, and where they answer", async () => {
        const previewed = await preview(projectOf(name as Name));
        expect(previewed.exitCode, previewed.all).toBe(0);
        expect(created(previewed)).toEqual(objects);
        expect(previewed.all).toContain('databaseHost: "orders-db-pooler.orders.svc"');
        expect(previewed.all).toContain('keystoreHost: "keystore.orders.svc"');
      });

      it.skipIf(!isServed)("a setting that is spelled wrong is refused by its name", async () => {
        const refused = await preview(projectOf(name as Name, (program) => program.replace(setting, misspelt)));
        expect(refused.exitCode).not.toBe(0);
        expect(refused.all).toContain(refusal);
      });

      it.skipIf(!isServed)("a value that the component refuses ends the preview with its problems", async () => {
        const refused = await preview(projectOf(name as Name, (program) => program.replace("10Gi", "10 GB")));
        expect(refused.exitCode).not.toBe(0);
        expect(refused.all).toContain("storageSize");
        expect(refused.all).toContain("10 GB");
      });
    },
  );
});
