import { readFileSync } from "node:fs";
import { join } from "node:path";

const read = (name: string) => readFileSync(join(import.meta.dirname, "scripts", name), "utf8");

/** The scripts the suite's pods run, by file name. They are files of their own, so that they are linted and tested as what they are. */
export const scripts = {
  "prepare.sh": read("prepare.sh"),
  "finish-start.sh": read("finish-start.sh"),
  "configure.sh": read("configure.sh"),
  "trust.sh": read("trust.sh"),
  "copy-configuration.sh": read("copy-configuration.sh"),
  "check-version.php": read("check-version.php"),
  "check-database.php": read("check-database.php"),
  "database-state.php": read("database-state.php"),
  "fill-in.php": read("fill-in.php"),
  "ready.php": read("ready.php"),
} as const;
