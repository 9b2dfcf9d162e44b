import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { parse, stringify } from "yaml";

const root = join(import.meta.dirname, "..", "..");

/** What a command of the sandbox came to. */
export interface CommandResult {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  /** Standard output and error together, as a person sees them. */
  readonly all: string;
}

/** `npm run sandbox -- <args>` on the tests' sandbox. */
export async function sandbox(...args: string[]): Promise<CommandResult> {
  const { exitCode, stdout, all } = await execa(process.execPath, [join(root, "sandbox", "cli.ts"), ...args], {
    cwd: root,
    all: true,
    reject: false,
    stdin: "ignore",
  });
  return { exitCode, stdout, all };
}

/** The objects that `kubectl get <args>` finds. */
export async function kubernetesObjects(...args: string[]): Promise<KubernetesListItem[]> {
  const { exitCode, stdout, all } = await sandbox("kubectl", "get", "-o", "json", ...args);
  if (exitCode !== 0) throw new Error(all);
  const answer = JSON.parse(stdout);
  return answer.items ?? [answer];
}

/** As much of a Kubernetes object as the tests look at. */
export interface KubernetesListItem {
  kind: string;
  metadata: { name: string; namespace?: string; uid: string; annotations?: Record<string, string> };
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

/** As much of a config.yaml as the tests change. */
export interface SuiteConfig {
  whiteboard: { resources: { limits: { memory: string } } };
}

/** A step of `pulumi preview --json`: what would be done to which resource. */
export interface PreviewStep {
  readonly op: string;
  readonly urn: string;
  readonly detailedDiff?: Record<string, unknown>;
}

/**
 * The committed stack `dev` in private copies of its files, so that a test can change a setting or a line of config.yaml
 * and the checkout stays as it is.
 */
export class DevStack {
  readonly folder = mkdtempSync(join(tmpdir(), "hearth-e2e-"));
  readonly stackFile = join(this.folder, "Pulumi.dev.yaml");
  readonly configFile: string;

  constructor() {
    const settings = parse(readFileSync(join(root, "Pulumi.dev.yaml"), "utf8"));
    cpSync(join(root, "suites"), join(this.folder, "suites"), { recursive: true });
    const [suite] = settings.config["hearth:cloudsuites"];
    this.configFile = join(this.folder, suite.config);
    suite.config = this.configFile;
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(this.stackFile, stringify(settings));
  }

  /** Replaces `from`, which must be there, in the suite's config.yaml. */
  editConfig(from: string, to: string): void {
    const text = readFileSync(this.configFile, "utf8");
    if (!text.includes(from)) throw new Error(`${this.configFile} has no "${from}".`);
    writeFileSync(this.configFile, text.replace(from, to));
  }

  /** Changes the content of the suite's config.yaml. */
  changeConfig(change: (config: SuiteConfig) => void): void {
    const config = parse(readFileSync(this.configFile, "utf8"));
    change(config);
    writeFileSync(this.configFile, stringify(config));
  }

  /** Changes the stack's settings, e.g. `edit((config) => { config["hearth:profile"] = "production" })`. */
  editSettings(edit: (config: Record<string, unknown>) => void): void {
    const settings = parse(readFileSync(this.stackFile, "utf8"));
    edit(settings.config);
    writeFileSync(this.stackFile, stringify(settings));
  }

  /** The real CLI on this stack. */
  pulumi(...args: string[]): Promise<CommandResult> {
    return sandbox(
      "pulumi",
      ...args,
      "--stack",
      "dev",
      "--config-file",
      this.stackFile,
      "--non-interactive",
      "--color",
      "never",
    );
  }

  /** What `up` would do, without the resources that stay as they are. @throws Error where the preview fails */
  async changes(): Promise<PreviewStep[]> {
    const { exitCode, stdout, all } = await this.pulumi("preview", "--json");
    if (exitCode !== 0) throw new Error(all);
    return JSON.parse(stdout).steps.filter((step: PreviewStep) => step.op !== "same");
  }
}
