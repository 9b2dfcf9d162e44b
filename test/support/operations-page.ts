import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A section of docs/how-to/operations.md: one row of the specification's table of operations. */
export interface Operation {
  readonly title: string;
  readonly text: string;
  /** Its commands, as people type them. */
  readonly commands: readonly string[];
}

/** The operations of the page, in its order. */
export function operations(): Operation[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/how-to/operations.md"), "utf8");
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const title = section.slice(0, section.indexOf("\n"));
      const blocks = [...section.matchAll(/^```console\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
      const commands = blocks.flatMap((block) => [...block.matchAll(/^\$ (.+)$/gm)].map(([, command = ""]) => command));
      return { title, text: section, commands };
    });
}
