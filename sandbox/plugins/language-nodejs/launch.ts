import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

/** A process to start, complete: nothing is inherited but what is written here. */
export interface Launch {
  readonly file: string;
  readonly args: string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The `node` that PATH names, as the official host takes it: a wrong Node on PATH shows here too.
 * @throws when PATH has none
 */
export function nodeOnPath(path = process.env.PATH ?? ""): string {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, "node");
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // The next folder may have it.
    }
  }
  throw new Error('could not find node on the $PATH: exec: "node": executable file not found in $PATH');
}

/**
 * Path of `module` as a program in `programDirectory` would load it.
 * @param install the command the message names
 * @throws when the SDK is not installed there
 */
export function locateModule(module: string, programDirectory: string, install: string): string {
  try {
    return createRequire(join(programDirectory, "[eval]")).resolve(module);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")
      throw new Error(`It looks like the Pulumi SDK has not been installed. Have you run ${install}?`);
    throw error;
  }
}
