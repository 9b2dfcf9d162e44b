/** Parts of a page that a tool writes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/**
 * A page with what stands between its marks as it is to be.
 * @param page path from the checkout, for the message
 * @param parts the text of each by the name in its marks
 * @throws Error if the page lost a mark
 */
export function betweenMarks(page: string, text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((done, [name, part]) => {
    const [start, end] = [`<!-- ${name}: npm run generate -->`, `<!-- end of ${name} -->`];
    const [before, rest] = [done.indexOf(start), done.indexOf(end)];
    if (before < 0 || rest < before) throw new Error(`${page} has no marks of "${name}".`);
    return `${done.slice(0, before)}${start}\n\n${part}\n\n${done.slice(rest)}`;
  }, text);
}

/** Writes a page anew. @param current the page as it is to be, from what it is */
export function rewrite(page: string, current: (text: string) => string): void {
  const file = join(root, page);
  writeFileSync(file, current(readFileSync(file, "utf8")));
}
