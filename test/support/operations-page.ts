import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A section of a page: of docs/how-to/operations.md one row of the specification's table of operations, of docs/reference/alerts.md one alert. */
export interface Operation {
  readonly title: string;
  readonly text: string;
  /** Its commands, as people type them. */
  readonly commands: readonly string[];
}

/** The operations of the page, in its order. */
export function operations(): Operation[] {
  return sectionsOf("docs/how-to/operations.md");
}

/** Sections of a page with their commands, in its order. @param page its path from the checkout */
export function sectionsOf(page: string): Operation[] {
  return readFileSync(join(import.meta.dirname, "../..", page), "utf8")
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const title = section.slice(0, section.indexOf("\n"));
      const blocks = [...section.matchAll(/^```console\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
      const commands = blocks.flatMap((block) => [...block.matchAll(/^\$ (.+)$/gm)].map(([, command = ""]) => command));
      return { title, text: section, commands };
    });
}
