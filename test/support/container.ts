import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder in the place of a container's root, with fakes of the programs that scripts call there. */
export class Container {
  readonly folder = mkdtempSync(join(tmpdir(), "hearth-container-"));
  readonly #scripts: string;

  /** @param scripts folder of the scripts on this machine */
  constructor(scripts: string) {
    this.#scripts = scripts;
    this.file("calls", "");
    mkdirSync(join(this.folder, "home"));
  }

  /** Writes a file. @returns its path on this machine */
  file(path: string, content: string): string {
    const absolute = join(this.folder, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
    return absolute;
  }

  /** A program that notes how it was called, then does `body`; in `bin` it is on PATH. @returns its path on this machine */
  fake(path: string, body = ""): string {
    const name = path.split("/").at(-1);
    const program = this.file(path, `#!/bin/sh\necho "${name} $*" >>"$CALLS"\n${body}\n`);
    chmodSync(program, 0o755);
    return program;
  }

  /** Programs called so far, in order, with their arguments. */
  calls(): string[] {
    const text = readFileSync(join(this.folder, "calls"), "utf8");
    return text.replaceAll(this.folder, "").replaceAll(" \n", "\n").trim().split("\n");
  }

  /** What a script gets of this process's environment, and `more`. */
  environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
    return {
      PATH: `${join(this.folder, "bin")}:${process.env.PATH}`,
      CALLS: join(this.folder, "calls"),
      HOME: join(this.folder, "home"),
      ...more,
    };
  }

  /** Runs a script with the real sh. */
  run(script: string, more: Record<string, string> = {}, ...args: string[]) {
    const options = { encoding: "utf8", env: this.environment(more) } as const;
    return spawnSync("sh", [join(this.#scripts, script), ...args], options);
  }
}
