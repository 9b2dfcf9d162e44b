import { join, relative } from "node:path";
import { areas } from "@hearth-platform/stack/areas/index";
import { codeFiles, importedFile, importsOf, workspaces } from "../test/support/workspace-imports.ts";
import { betweenMarks, rewrite } from "./marks.ts";

const root = join(import.meta.dirname, "..");
const page = "docs/explanation/architecture.md";

/** The page with its drawings as they are to be. */
export function currentArchitecturePage(text: string): string {
  return betweenMarks(page, text, { packages: mermaid(packagesDrawing()), parts: mermaid(partsDrawing()) });
}

/** Who imports whom: the program and its packages. */
function packagesDrawing(): string {
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
  return ["flowchart TD", ...[...arrows].sort()].join("\n");
}

/** Which component waits for which. */
function partsDrawing(): string {
  const kinds = Object.entries(areas);
  const names = kinds.map(([kind, { component }]) => `  ${kind}[${component.name}]`);
  const arrows = kinds.flatMap(([kind, { after }]) => after.map((earlier) => `  ${earlier} --> ${kind}`));
  return ["flowchart LR", ...names, ...arrows].join("\n");
}

const mermaid = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\``;

if (import.meta.main) await rewrite(page, currentArchitecturePage);
