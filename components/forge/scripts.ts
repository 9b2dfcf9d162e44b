import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ScriptName, scriptNames } from "./configuration.ts";

/** The scripts the forge's pods run, by file name. They are files of their own, so that they are linted and tested as what they are. */
export const scripts = Object.fromEntries(
  Object.values(scriptNames).map((name) => [name, readFileSync(join(import.meta.dirname, "scripts", name), "utf8")]),
) as Readonly<Record<ScriptName, string>>;
