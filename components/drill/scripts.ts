import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DrillApplication } from "./args.ts";

/** Scripts of the steps by their containers, in the order in which they run. */
export const steps = {
  archive: "list-archive.sh",
  recover: "recover.ts",
  ask: "ask.sh",
  files: "look-for-files.sh",
  report: "report.ts",
} as const;

/** What they need beside them: modules of those in TypeScript, which Node runs as they are, and queries. */
const modules = ["kubernetes.ts", "archive.ts", "findings.ts", "count.sql"];

const queries = (application: DrillApplication) => [`${application}-newest.sql`, `${application}-sample.sql`];

/** The scripts of a drill of these applications, by file name. They are files of their own, so that they are linted and tested as what they are. */
export function drillScripts(applications: readonly DrillApplication[]): Record<string, string> {
  const names = [...Object.values(steps), ...modules, ...applications.flatMap(queries)];
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(import.meta.dirname, "scripts", name), "utf8")]),
  );
}
