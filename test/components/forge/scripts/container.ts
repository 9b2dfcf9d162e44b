import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const scripts = join(import.meta.dirname, "../../../../components/forge/scripts");

/** A folder in the place of a container's root, with fakes of the programs that scripts call there. */
export class Container {
  readonly folder = mkdtempSync(join(tmpdir(), "hearth-forge-"));

  constructor() {
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

  /** A program that notes how it was called, then does `body`; in `bin` it is on PATH, in `image` it is one of the image's scripts. */
  fake(path: string, body = ""): void {
    const name = path.split("/").at(-1);
    chmodSync(this.file(path, `#!/bin/sh\necho "${name} $*" >>"$CALLS"\n${body}\n`), 0o755);
  }

  /** Programs called so far, in order, with their arguments. */
  calls(): string[] {
    const text = readFileSync(join(this.folder, "calls"), "utf8");
    return text.replaceAll(this.folder, "").replaceAll(" \n", "\n").trim().split("\n");
  }

  environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
    return {
      PATH: `${join(this.folder, "bin")}:${process.env.PATH}`,
      CALLS: join(this.folder, "calls"),
      HOME: join(this.folder, "home"),
      IMAGE_SCRIPTS: join(this.folder, "image"),
      RAILS: join(this.folder, "rails"),
      CONFIG_DIRECTORY: join(this.folder, "config"),
      ...more,
    };
  }

  /** Runs a script with the real sh. */
  run(script: string, more: Record<string, string> = {}, ...args: string[]) {
    const options = { encoding: "utf8", env: this.environment(more) } as const;
    return spawnSync("sh", [scriptPath(script), ...args], options);
  }
}

/** Path of a script on this machine. */
export function scriptPath(name: string): string {
  return join(scripts, name);
}
