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

const below = "<!-- From here on: `npm run generate`. -->";

/**
 * A page whose end is as it is to be.
 * @param page path from the checkout, for the message
 * @param part text below the mark
 * @throws Error if the page lost the mark
 */
export function belowMark(page: string, text: string, part: string): string {
  const end = text.indexOf(below);
  if (end < 0) throw new Error(`${page} has no line ${below}`);
  return `${text.slice(0, end)}${below}\n\n${part}\n`;
}

/** Writes a page anew. @param current the page as it is to be, from what it is */
export async function rewrite(page: string, current: (text: string) => string | Promise<string>): Promise<void> {
  const file = join(root, page);
  writeFileSync(file, await current(readFileSync(file, "utf8")));
}
