import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { provisioner } from "@hearth-platform/sandbox/operators/volumes";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import { parse, stringify } from "yaml";
import { type StackFiles, smallStack, wholePlatform, writeStack } from "./stack-files.ts";

const root = join(import.meta.dirname, "..", "..");

/** What a command of the sandbox came to. */
export interface CommandResult {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  /** Standard output and error together, as a person sees them. */
  readonly all: string;
}

/** `./hearth sandbox <args>` on the tests' sandbox. */
export function sandbox(...args: string[]): Promise<CommandResult> {
  return command("sandbox", ...args);
}

/** The same on the stacks of another folder. */
export function sandboxIn(folder: string, ...args: string[]): Promise<CommandResult> {
  return command("--folder", folder, "sandbox", ...args);
}

async function command(...args: string[]): Promise<CommandResult> {
  const { exitCode, stdout, all } = await execa(process.execPath, [join(root, "cli", "main.mjs"), ...args], {
    cwd: root,
    all: true,
    reject: false,
    stdin: "ignore",
  });
  return { exitCode, stdout, all };
}

/** The tests' sandbox has these storage classes, each of which gives block storage. Serving a class twice changes nothing. */
export async function serveStorageClasses(...names: string[]): Promise<void> {
  const items = names.map((name) => ({
    ...{ apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name } },
    ...{ provisioner, parameters: { accessModes: "single-writer" } },
    ...{ reclaimPolicy: "Retain", allowVolumeExpansion: true },
  }));
  const folder = mkdtempSync(join(tmpdir(), "hearth-classes-"));
  const file = join(folder, "classes.json");
  writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const { exitCode, all } = await sandbox("kubectl", "apply", "--filename", file);
  rmSync(folder, { recursive: true });
  if (exitCode !== 0) throw new Error(all);
}

/** The objects that `kubectl get <args>` finds. */
export async function kubernetesObjects(...args: string[]): Promise<KubernetesListItem[]> {
  const { exitCode, stdout, all } = await sandbox("kubectl", "get", "-o", "json", ...args);
  if (exitCode !== 0) throw new Error(all);
  const answer = JSON.parse(stdout);
  return answer.items ?? [answer];
}

/**
 * Finds objects of a namespace by kind and name, among all of these kinds that `kubectl get` has read at once.
 * @param kinds in kubectl's words; one without namespaces is read as a whole
 */
export async function objectsOf<Row = KubernetesListItem>(
  namespace: string,
  ...kinds: string[]
): Promise<{ all: (kind: string) => Row[]; one: (kind: string, name: string) => Row | undefined }> {
  const objects = await kubernetesObjects(kinds.join(), "--namespace", namespace);
  const all = (kind: string) => objects.filter((object) => object.kind === kind);
  return {
    all: (kind) => all(kind) as Row[],
    one: (kind, name) => all(kind).find(({ metadata }) => metadata.name === name) as Row | undefined,
  };
}

/** As much of a Kubernetes object as the tests look at. */
export interface KubernetesListItem {
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    creationTimestamp: string;
    annotations?: Record<string, string>;
  };
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

/** As much of a resource's inputs as the tests look at. */
interface StepInputs {
  kind?: string;
  metadata?: { name: string; namespace?: string };
  bucket?: string;
}

/** A step of `pulumi preview --json`: what would be done to which resource. */
export interface PreviewStep {
  readonly op: string;
  readonly urn: string;
  readonly detailedDiff?: Record<string, unknown>;
  readonly oldState?: { readonly inputs?: StepInputs };
  readonly newState?: { readonly inputs?: StepInputs };
}

/**
 * A stack in private copies of its files, so that a test can change a setting or a line of config.yaml and the checkout
 * stays as it is.
 */
export class DevStack {
  readonly folder = mkdtempSync(join(tmpdir(), "hearth-e2e-"));
  readonly name: string;
  readonly stackFile: string;
  /** The config.yaml of its first suite. */
  readonly configFile = join(this.folder, "suites", "team", "config.yaml");

  /** @param files what it is at first, a small one by default */
  constructor(files: StackFiles = smallStack(), name = "dev") {
    this.name = name;
    this.stackFile = join(this.folder, `Pulumi.${name}.yaml`);
    this.use(files);
  }

  /** Makes it the stack of these files; the key of its secrets stays. */
  use(files: StackFiles): void {
    const salt = existsSync(this.stackFile) ? parse(readFileSync(this.stackFile, "utf8")).encryptionsalt : undefined;
    // Relative paths are looked up in the checkout.
    const suites = ((files.settings.cloudsuites ?? []) as { config: string }[]).map((suite) =>
      suite.config in files.suites ? { ...suite, config: join(this.folder, suite.config) } : suite,
    );
    writeStack(
      { ...files, settings: { ...files.settings, cloudsuites: suites } },
      this.folder,
      `Pulumi.${this.name}.yaml`,
    );
    if (salt) appendFileSync(this.stackFile, `encryptionsalt: ${salt}\n`);
  }

  /** Begins it in the sandbox's backend, under a name of its own; the CLI writes that stack's settings file into the folder. */
  init(name: string = this.name): Promise<CommandResult> {
    cpSync(join(import.meta.dirname, "../../Pulumi.yaml"), join(this.folder, "Pulumi.yaml"));
    return sandbox("pulumi", "--cwd", this.folder, "stack", "init", name, "--no-select");
  }

  /** Replaces `from`, which must be there, in the suite's config.yaml. */
  editConfig(from: string, to: string): void {
    const text = readFileSync(this.configFile, "utf8");
    if (!text.includes(from)) throw new Error(`${this.configFile} has no "${from}".`);
    writeFileSync(this.configFile, text.replace(from, to));
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
      this.name,
      "--config-file",
      this.stackFile,
      "--non-interactive",
      "--color",
      "never",
    );
  }

  /** `pulumi preview` of a stack that is made, by the engine itself: the sandbox's command around it costs a second of CPU. */
  async preview(...args: string[]): Promise<CommandResult> {
    const sandbox = await openSandbox();
    const options = ["--stack", "dev", "--config-file", this.stackFile, "--non-interactive", "--color", "never"];
    const { exitCode, stdout, all } = await execa(sandbox.programs.pulumi, ["preview", ...args, ...options], {
      cwd: root,
      env: sandboxEnvironment(sandbox),
      all: true,
      reject: false,
      stdin: "ignore",
    });
    return { exitCode, stdout, all };
  }

  /** What `up` would do, without the resources that stay as they are. @throws Error where the preview fails */
  async changes(): Promise<PreviewStep[]> {
    const { exitCode, stdout, all } = await this.preview("--json");
    if (exitCode !== 0) throw new Error(errorsIn(stdout) || all);
    return JSON.parse(stdout).steps.filter((step: PreviewStep) => step.op !== "same");
  }
}

/**
 * The whole platform on the tests' sandbox: the first file that asks for it brings it up, all others find it there.
 * Whoever changes its settings leaves the cluster as it is: previews alone.
 */
export async function runningPlatform(): Promise<DevStack> {
  const stack = new DevStack(wholePlatform());
  const isUp = join((await openSandbox()).paths.folder, "whole-platform");
  if (!existsSync(isUp)) {
    const { exitCode, all } = await stack.pulumi("up", "--yes", "--skip-preview");
    if (exitCode !== 0) throw new Error(all);
    writeFileSync(isUp, "");
  }
  return stack;
}

/** The errors among the diagnostics of `pulumi preview --json`. */
function errorsIn(stdout: string): string {
  const { diagnostics = [] }: { diagnostics?: { severity: string; message: string }[] } = JSON.parse(stdout);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.map(({ message }) => message).join("\n");
}
