import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPackage, oldestPeers } from "../../tools/package.ts";
import { buildPolicyPackage } from "../../tools/policy-package.ts";
import { packedPackage } from "../support/packed-package.ts";
import { kubernetesObjects, sandbox } from "../support/stack.ts";

/**
 * Projects outside of the checkout, as people make them: from the packed archive, each package manager, and the oldest and
 * the checkout's SDKs. All comes from the registry that npm is set to; where it gives no answer, they are left out.
 */

const root = join(import.meta.dirname, "..", "..");
const manifest = (place: string) => JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
const { dependencies } = manifest(join(root, "components"));
const newestPeers = Object.fromEntries(Object.keys(oldestPeers).map((name) => [name, dependencies[name]]));
const { devDependencies: tools } = manifest(root);

const run = (file: string, args: readonly string[], cwd: string) =>
  execa(file, args, { cwd, all: true, reject: false, stdin: "ignore", env: { CI: "true" } });
const viaNpm = (name: string, ...args: string[]) =>
  ["exec", "--yes", `--package=${name}`, "--", name.replace(/@.*/, ""), ...args] as const;
/** Commands of npm that install a project. */
const managers: Readonly<Record<string, readonly string[]>> = {
  npm: ["install", "--no-audit", "--no-fund"],
  pnpm: viaNpm("pnpm@10.20.0", "install"),
  yarn: viaNpm("yarn@1.22.22", "install", "--non-interactive"),
};
/** The compilers of their times: the oldest SDK takes none from 6 on. */
const ends = {
  oldest: { peers: oldestPeers, typescript: "5.9.3" },
  newest: { peers: newestPeers, typescript: tools.typescript },
};
const projects = Object.keys(managers).flatMap((manager) =>
  (Object.keys(ends) as (keyof typeof ends)[]).map((end) => [manager, end] as const),
);

const [, , unitTest = ""] = [
  ...readFileSync(join(root, "components/README.md"), "utf8").matchAll(/^```ts\n(.*?)^```$/gms),
].map(([, code]) => code);

function standIn(provider: string): string {
  const { pulumiHome } = sandboxPaths(process.env.HEARTH_SANDBOX);
  return join(pulumiHome, "plugins", `resource-${provider}-v${dependencies[`@pulumi/${provider}`]}`);
}

/** The README's program in a namespace and with a provider of its own: with two copies of an SDK it does not compile. */
const program = (
  namespace: string,
  allowDataLoss: readonly string[] = [],
) => `import { Keystore } from "@hearth-platform/hearth";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

const cluster = new kubernetes.Provider("cluster", {});
const own = new kubernetes.core.v1.Namespace("own", { metadata: { name: "${namespace}" } }, { provider: cluster });
const keystore = new Keystore(
  "jobs",
  { namespace: "${namespace}", version: "8.1.9-alpine", platform: { profile: "development", monitoring: false, allowDataLoss: ${JSON.stringify(allowDataLoss)} } },
  { providers: [cluster], dependsOn: own },
);
export const host: pulumi.Output<string> = pulumi.output(keystore.connection).apply(({ host }) => host);
`;

const registry = await run("npm", ["view", `@pulumi/pulumi@${oldestPeers["@pulumi/pulumi"]}`, "version"], root);

describe.skipIf(registry.exitCode !== 0)("a project outside of the checkout", () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-outside-"));
  let archive: string;

  beforeAll(async () => {
    await buildPackage(join(folder, "package"));
    archive = await packedPackage(join(folder, "package"), folder);
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(projects)(
    "made with %s and the %s SDKs compiles, passes its unit test, and is previewed and deployed",
    async (manager, end) => {
      const { peers, typescript } = ends[end];
      const name = `outside-${manager}-${end}`;
      const place = join(folder, name);
      mkdirSync(place);
      const write = (file: string, content: string | object) =>
        writeFileSync(join(place, file), typeof content === "string" ? content : JSON.stringify(content));
      write("package.json", {
        name,
        private: true,
        type: "module",
        main: "bin/index.js",
        dependencies: { "@hearth-platform/hearth": `file:${archive}`, ...peers },
        // Yarn gives each SDK the newest core that it takes, whatever the project has.
        resolutions: { "@pulumi/pulumi": peers["@pulumi/pulumi"] },
        devDependencies: { typescript, "@types/node": tools["@types/node"] },
      });
      write("tsconfig.json", {
        compilerOptions: {
          strict: true,
          outDir: "bin",
          target: "es2022",
          module: "nodenext",
          moduleResolution: "nodenext",
        },
        files: ["index.test.ts"],
      });
      write("index.ts", program(name));
      write("index.test.ts", unitTest.replace("keystore.default.svc", `keystore.${name}.svc`));
      write("Pulumi.yaml", {
        name,
        runtime: { name: "nodejs", options: { typescript: false } },
        // The sandbox's stand-ins, which it has at the checkout's versions.
        plugins: { providers: ["kubernetes", "random"].map((each) => ({ name: each, path: standIn(each) })) },
      });

      const installed = await run("npm", managers[manager] ?? [], place);
      expect(installed.exitCode, installed.all).toBe(0);
      const copies = await run(
        "find",
        ["-L", ".", "-path", "*/@pulumi/kubernetes/package.json", "-printf", "%i\n"],
        place,
      );
      expect(new Set(copies.stdout.split("\n")).size).toBe(1);
      const compiled = await run(join(place, "node_modules/.bin/tsc"), [], place);
      expect(compiled.all).toBe("");
      const tested = await run(process.execPath, ["--test", "bin/index.test.js"], place);
      expect(tested.all).toMatch(/^ℹ pass 1$/m);

      const pulumi = (...args: string[]) => sandbox("pulumi", "--cwd", place, "--non-interactive", ...args);
      const stack = ["--stack", "test"];
      const made = await pulumi("stack", "init", "test", "--no-select");
      expect(made.exitCode, made.all).toBe(0);
      const previewed = await pulumi("preview", ...stack);
      expect(previewed.exitCode, previewed.all).toBe(0);
      expect(previewed.all).toContain("hearth:index:Keystore");
      const deployed = await pulumi("up", "--yes", "--skip-preview", ...stack);
      expect(deployed.exitCode, deployed.all).toBe(0);
      const objects = await kubernetesObjects("statefulsets", "--namespace", name);
      expect(objects.map(({ metadata }) => metadata.name)).toEqual(["keystore"]);
      const again = await pulumi("preview", "--expect-no-changes", ...stack);
      expect(again.exitCode, again.all).toBe(0);
      // It is told in its arguments how to let go what it holds, and goes by that to the letter.
      const destroyed = await pulumi("destroy", "--yes", ...stack);
      expect(destroyed.exitCode).not.toBe(0);
      const [, names = ""] = /set `platform\.allowDataLoss: \[([^\]]+)\]` and run `up`/.exec(destroyed.all) ?? [];
      write("index.ts", program(name, names.split(", ")));
      await run(join(place, "node_modules/.bin/tsc"), [], place);
      for (const command of ["up", "destroy"]) {
        const { exitCode, all } = await pulumi(command, "--yes", "--skip-preview", ...stack);
        expect(exitCode, all).toBe(0);
      }
      expect((await pulumi("stack", "rm", "test", "--yes")).exitCode).toBe(0);
    },
  );

  it.each(["npm", "pnpm"])(
    "without hearth's components, made with %s, is judged by the packed policies",
    async (manager) => {
      const built = join(folder, `policies-${manager}`);
      await buildPolicyPackage(built);
      const place = join(folder, `judged-${manager}`);
      mkdirSync(place);
      for (const file of ["Pulumi.yaml", "index.ts"])
        copyFileSync(join(root, "examples/packs-alone", file), join(place, file));
      const { "@pulumi/kubernetes": kubernetes, "@pulumi/pulumi": sdk } = newestPeers;
      const manifest = {
        name: "judged",
        private: true,
        type: "module",
        dependencies: { "@pulumi/kubernetes": kubernetes, "@pulumi/pulumi": sdk },
        devDependencies: { "@hearth-platform/policy": `file:${await packedPackage(built, folder)}` },
      };
      writeFileSync(join(place, "package.json"), JSON.stringify(manifest));
      const installed = await run("npm", managers[manager] ?? [], place);
      expect(installed.exitCode, installed.all).toBe(0);

      const pulumi = (...args: string[]) => sandbox("pulumi", "--cwd", place, "--non-interactive", ...args);
      const made = await pulumi("stack", "init", manager, "--no-select");
      expect(made.exitCode, made.all).toBe(0);
      const pack = join(place, "node_modules/@hearth-platform/policy/baseline");
      const configured = join(place, "Policies.json");
      const page = readFileSync(join(root, "examples/packs-alone/README.md"), "utf8");
      const listed = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, id]) => id);
      const preview = () =>
        pulumi("preview", "--stack", manager, "--policy-pack", pack, "--policy-pack-config", configured);
      writeFileSync(configured, "{}");
      const refused = await preview();
      expect(refused.exitCode, refused.all).not.toBe(0);
      for (const id of listed) expect(refused.all).toContain(id);
      writeFileSync(configured, JSON.stringify(Object.fromEntries(listed.map((id) => [id, "disabled"]))));
      const allowed = await preview();
      expect(allowed.exitCode, allowed.all).toBe(0);
      await pulumi("stack", "rm", manager, "--yes");
    },
  );
});
