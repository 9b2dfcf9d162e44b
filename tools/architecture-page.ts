import { join, relative } from "node:path";
import { areas } from "@hearth-platform/stack/areas/index";
import { codeFiles, importedFile, importsOf, workspaces } from "../test/support/workspace-imports.ts";

const root = join(import.meta.dirname, "..");

/** Who imports whom: the program and its packages. */
export function packagesDrawing(): string {
  const folders = Object.values(workspaces);
  const arrows = new Set<string>();
  const files = [
    ...["index.ts", "main.js"].map((file) => ({ file, from: "program" })),
    ...folders.flatMap((from) => codeFiles(from).map((file) => ({ file, from }))),
  ];
  for (const { file, from } of files)
    for (const { specifier } of importsOf(file)) {
      const target = importedFile(join(root, file), specifier);
      const to = target && relative(root, target).split("/")[0];
      if (to && to !== from && folders.includes(to)) arrows.add(`  ${from} --> ${to}`);
    }
  return mermaid(["flowchart TD", ...[...arrows].sort()]);
}

/** Which component waits for which. */
export function partsDrawing(): string {
  const kinds = Object.entries(areas);
  const names = kinds.map(([kind, { component }]) => `  ${kind}[${component.name}]`);
  const arrows = kinds.flatMap(([kind, { after }]) => after.map((earlier) => `  ${earlier} --> ${kind}`));
  return mermaid(["flowchart LR", ...names, ...arrows]);
}

const mermaid = (lines: readonly string[]) => `\`\`\`mermaid\n${lines.join("\n")}\n\`\`\``;
