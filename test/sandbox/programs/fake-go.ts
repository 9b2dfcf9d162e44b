import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { judges, operators, type Program } from "@hearth-platform/sandbox/programs/catalog";

/** A `go` command that makes empty programs at once. Files beside it make it hang or fail. */
const script = `#!/bin/sh
here=$(dirname "$0")
case "$1" in
env) cat "$here/env.json" ;;
mod) cat "$here/modules.json" ;;
list) echo "$here/../modules/$5" ;;
build)
  echo "$(basename "$PWD") $GOFLAGS" >> "$here/builds"
  echo "$GOPROXY" > "$here/proxy"
  for cache in "$GOMODCACHE" "$GOCACHE"; do mkdir -p "$cache" && echo "$PWD" >> "$cache/used"; done
  if [ -f "$here/hang" ]; then echo $$ > "$here/hanging"; sleep 60; fi
  if [ -f "$here/failure" ]; then cat "$here/failure" >&2; exit 1; fi
  sleep 0.05
  while [ "$1" != -o ]; do shift; done
  folder=$2; shift 2
  for package; do
    [ "$package" = . ] && package=$PWD
    echo program > "$folder/$(basename "$package")"
  done ;;
esac
`;

/** How a run of the builds ended. */
export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine of its own for the builds: a `go` that takes no time, and an empty cache. */
export class FakeMachine {
  readonly folder: string;
  /** Where the programs are cached. */
  readonly programs: string;

  static async create(): Promise<FakeMachine> {
    const machine = new FakeMachine(await mkdtemp(join(tmpdir(), "programs-")));
    await mkdir(machine.path("bin"));
    await writeFile(machine.path("bin/go"), script, { mode: 0o755 });
    await machine.setGo("go1.26.8");
    const modules = operators.map(({ module }) => ({ Path: module, Dir: machine.path(`modules/${module}`) }));
    await machine.write("bin/modules.json", modules.map((entry) => `${JSON.stringify(entry, null, "\t")}\n`).join(""));
    for (const { module, folder, files = [] } of operators) {
      await mkdir(machine.path(`modules/${module}/${folder}`), { recursive: true });
      for (const file of [...files, "things.yaml"])
        await machine.write(`modules/${module}/${folder}/${file}`, "apiVersion: v1\nkind: CustomResourceDefinition\n");
      await machine.write(`modules/${module}/${folder}/kustomization.yaml`, "kind: Kustomization\n");
    }
    for (const { module, files = [] } of Object.values<Program>(judges))
      for (const file of files) {
        await mkdir(dirname(machine.path(`modules/${module}/${file}`)), { recursive: true });
        await machine.write(`modules/${module}/${file}`, "kind: ValidatingWebhookConfiguration\n");
      }
    return machine;
  }

  private constructor(folder: string) {
    this.folder = folder;
    this.programs = join(folder, "cache/hearth/programs");
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text = ""): Promise<void> {
    return writeFile(this.path(name), text);
  }

  read(name: string): Promise<string> {
    return readFile(this.path(name), "utf8");
  }

  remove(name: string): Promise<void> {
    return rm(this.path(name));
  }

  setGo(GOVERSION: string): Promise<void> {
    const env = { GOVERSION, GOHOSTOS: "linux", GOHOSTARCH: "amd64", GOMODCACHE: "/modules", GOPROXY: "direct" };
    return this.write("bin/env.json", JSON.stringify(env));
  }

  /** Names of the programs built so far, in order, each with the GOFLAGS it was built with. */
  async builds(): Promise<string[]> {
    return (await this.read("bin/builds").catch(() => "")).split("\n").filter((line) => line !== "");
  }

  /** What the cache holds: names without their keys. */
  async cached(): Promise<string[]> {
    return (await readdir(this.programs)).map((name) => name.replace(/-[0-9a-f]{16}$/, "")).sort();
  }

  /** @param command words after `./hearth sandbox`; none: `sandbox/programs/main.ts`, which prints the paths */
  start(
    environment: Readonly<Record<string, string>> = {},
    command: readonly string[] = [],
  ): {
    child: ChildProcess;
    ended: Promise<Run>;
  } {
    const env = { PATH: `${this.path("bin")}:/usr/bin:/bin`, HOME: this.folder, XDG_CACHE_HOME: this.path("cache") };
    const root = join(import.meta.dirname, "../../..");
    const args =
      command.length > 0
        ? [join(root, "cli/main.mjs"), "sandbox", ...command]
        : [join(root, "sandbox/programs/main.ts")];
    const child = spawn(process.execPath, args, { env: { ...env, ...environment } });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (text) => (stdout += text));
    child.stderr.on("data", (text) => (stderr += text));
    return { child, ended: once(child, "close").then(([status]) => ({ status, stdout, stderr })) };
  }

  run(environment?: Readonly<Record<string, string>>): Promise<Run> {
    return this.start(environment).ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}
