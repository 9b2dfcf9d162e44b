import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { heal } from "@hearth-platform/cli/heal/command";
import type { HealMeans } from "@hearth-platform/cli/heal/stack-state";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { installPlugins } from "@hearth-platform/sandbox/plugins/install";
import { choosePorts } from "@hearth-platform/sandbox/ports";
import { ensurePrograms } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { newRecord } from "@hearth-platform/sandbox/record";
import { execa, type Options } from "execa";
import { parse, stringify } from "yaml";
import { type Deployment, deploymentOf, noKubeconfig, recorded } from "./recorded-state.ts";
import type { PreviewStep } from "./stack.ts";

const root = join(import.meta.dirname, "..", "..");

/** A folder for each release that is recorded: its stack's Pulumi.dev.yaml, the suites' config.yaml and state.jsonl. */
export const recordings = join(root, "test", "upgrades");

/** What the secrets of a recording are encrypted with. They were made for it and open nothing. */
const passphrase = "recorded";

/** What a preview would do, and its errors. */
export interface Preview {
  readonly steps: readonly PreviewStep[];
  readonly errors: readonly string[];
}

/** A stack `dev` of this checkout's program that has settings and a state of its own. */
export class RecordedStack {
  readonly #folder = mkdtempSync(join(tmpdir(), "hearth-recorded-"));
  readonly #stackFile = join(this.#folder, "Pulumi.dev.yaml");

  readonly #environment: Readonly<Record<string, string>>;

  /**
   * @param files folder of the stack's Pulumi.dev.yaml and `suites`
   * @param environment leads to the engine and its plugins, and for `record` to a cluster: a sandbox's
   */
  constructor(files: string, environment: Readonly<Record<string, string>>) {
    this.#environment = {
      ...environment,
      PULUMI_BACKEND_URL: `file://${join(this.#folder, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
    };
    for (const file of ["Pulumi.dev.yaml", "suites"])
      cpSync(join(files, file), join(this.#folder, file), { recursive: true });
    cpSync(join(root, "Pulumi.yaml"), join(this.#folder, "Pulumi.yaml"));
    mkdirSync(join(this.#folder, "backend"));
    this.editSettings(({ "hearth:cloudsuites": suites }) => {
      // Relative paths are looked up in the checkout.
      for (const suite of suites as { config: string }[]) suite.config = join(this.#folder, suite.config);
    });
  }

  /** Changes the stack's settings. */
  editSettings(edit: (config: Record<string, unknown>) => void): void {
    const settings = parse(readFileSync(this.#stackFile, "utf8"));
    edit(settings.config);
    writeFileSync(this.#stackFile, stringify(settings));
  }

  /** Brings it up in the cluster. @returns the state, as the text of a recording */
  async record(): Promise<string> {
    await this.#manage("init", "dev", "--no-select");
    const up = await this.#pulumi(root, ["up", "--yes", "--skip-preview", "--config-file", this.#stackFile]);
    if (up.failed) throw new Error(up.all);
    return recorded(await this.state());
  }

  /** Makes a recorded state the stack's own. */
  async replay(text: string): Promise<void> {
    await this.#manage("init", "dev", "--no-select");
    await this.take(deploymentOf(text));
  }

  /** What `up` would do. */
  async preview(): Promise<Preview> {
    const { stdout, stderr } = await this.#pulumi(root, ["preview", "--json", "--config-file", this.#stackFile]);
    if (!stdout.startsWith("{")) throw new Error(stdout || stderr);
    const { steps = [], diagnostics = [] } = JSON.parse(stdout) as {
      steps?: PreviewStep[];
      diagnostics?: { severity: string; message: string }[];
    };
    return { steps, errors: diagnostics.flatMap(({ severity, message }) => (severity === "error" ? [message] : [])) };
  }

  /** `./hearth heal --stack dev --yes`. @returns the exit status, and all that it says */
  async heal(): Promise<{ status: number; said: string }> {
    let said = "";
    const tell = (text: string) => {
      said += text;
    };
    const caller = { folder: root, project: root, terminal: false, columns: 100, output: tell, error: tell };
    const means: HealMeans = {
      pulumi: async (args, { input }) => {
        const { stdout, stderr, failed } = await this.#pulumi(this.#folder, args, input);
        return { stdout, stderr, succeeded: !failed };
      },
      places: () => Promise.reject(new Error("No object was to be looked for.")),
    };
    return { status: await heal({ stack: "dev", sandbox: false, yes: true, json: false }, caller, means), said };
  }

  /** The state, its secrets encrypted or in the clear. */
  async state(...args: readonly string[]): Promise<Deployment> {
    return JSON.parse(await this.#manage("export", "--stack", "dev", ...args));
  }

  /** Makes a state the stack's own. */
  async take(state: Deployment): Promise<void> {
    const file = join(this.#folder, "state.json");
    writeFileSync(file, JSON.stringify(state));
    await this.#manage("import", "--stack", "dev", "--file", file);
  }

  /** Deletes its files; what it brought up stays in the cluster. */
  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  /** `pulumi stack <args>`. @returns standard output */
  async #manage(...args: string[]): Promise<string> {
    // The CLI writes into the settings file beside Pulumi.yaml.
    const { failed, stdout, all } = await this.#pulumi(this.#folder, ["stack", ...args]);
    if (failed) throw new Error(all);
    return stdout;
  }

  #pulumi(cwd: string, args: readonly string[], input?: Options["input"]) {
    const options = args.includes("--non-interactive") ? [] : ["--non-interactive", "--color", "never"];
    return execa("pulumi", [...args, ...options], {
      cwd,
      env: this.#environment,
      all: true,
      reject: false,
      ...(input === undefined ? { stdin: "ignore" } : { input }),
    });
  }
}

/**
 * The variables of a sandbox in which nothing runs: they lead to the engine and its plugins alone. A preview then compares
 * the program with the state and asks no server.
 */
export async function engineAlone(): Promise<Readonly<Record<string, string>>> {
  const paths = { ...sandboxPaths("upgrade"), kubeconfig: noKubeconfig };
  await installPlugins(paths);
  const environment = sandboxEnvironment({
    paths,
    programs: await ensurePrograms(createProgress()),
    record: newRecord((await choosePorts({})).ports),
  });
  return { ...environment, HEARTH_OFFLINE: "1" };
}
