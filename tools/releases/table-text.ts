import type { Line } from "@hearth-platform/hearth/catalogue/releases";
import type { Edit } from "./refresh.ts";

/**
 * The text of components/catalogue/releases.ts with changes of one program; all else, comments too, stays as it is.
 * @param name of the program in the table
 * @throws Error where the text has no such program or line
 */
export function editedTable(text: string, name: string, edits: readonly Edit[]): string {
  const start = text.indexOf(`\n  ${name}: {\n`);
  const end = text.indexOf("\n  },\n", start);
  if (start < 0 || end < 0) throw new Error(`The table of releases has no program ${name}.`);
  const own = edits.reduce((done, edit) => withEdit(done, name, edit), text.slice(start, end));
  return text.slice(0, start) + own + text.slice(end);
}

function withEdit(block: string, name: string, edit: Edit): string {
  if (edit.what === "line") return withLine(block, edit.line);
  if (edit.what === "deployed") return block.replace(`deployed: "${edit.from}"`, `deployed: "${edit.to}"`);
  if (edit.what === "read") {
    const without = block.replace(/\n {4}read: "[^"]*",/, "");
    return without.replace(/\n {4}source: "[^"]*",/, (source) => `${source}\n    read: "${edit.to}",`);
  }
  const object = new RegExp(`\\{\\s*line: "${edit.line.replaceAll(".", "\\.")}",[^}]*\\}`).exec(block)?.[0];
  if (object === undefined) throw new Error(`The table of releases has no line ${edit.line} of ${name}.`);
  const field = new RegExp(`${edit.what}: "[^"]*"`);
  const changed = field.test(object)
    ? object.replace(field, `${edit.what}: "${edit.to}"`)
    : // `ends` stands after `released`.
      object.replace(
        /released: "[^"]*",(\s*)/,
        (released, gap) => `${released.trimEnd()}${gap}ends: "${edit.to}",${gap}`,
      );
  return block.replace(object, changed);
}

function withLine(block: string, line: Line): string {
  const fields = Object.entries(line).map(([key, value]) => `        ${key}: ${JSON.stringify(value)},\n`);
  const added = `      {\n${fields.join("")}      },\n    ],`;
  const list = block.replace(/\n {4}lines: \[(\{.*\})\],/, (_, one) => `\n    lines: [\n      ${one},\n    ],`);
  return list.replace(/ {4}\],(?=[^\]]*$)/, added);
}

/** A text with the versions that patches raise; a version that is part of a longer one stays. */
export function withVersions(text: string, edits: readonly Edit[]): string {
  return edits.reduce((done, edit) => {
    if (edit.what !== "newest" || edit.from === undefined) return done;
    return done.replace(new RegExp(`(?<![\\w.])${edit.from.replaceAll(".", "\\.")}(?![\\d.])`, "g"), edit.to);
  }, text);
}
