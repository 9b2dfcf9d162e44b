import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/**
 * No sentence that a command prints may lead to the loss of data. Those that name delete, remove, unprotect, import or
 * replace stand in a list. A new one is read by a person before it joins: `vitest -u` writes the list.
 */

const root = join(import.meta.dirname, "../..");
const dangerous = /\b(?:delet|remov|unprotect|import|replac)\w*/i;

/** What is printed: not the descriptions of settings and the alerts, which have pages, nor what runs in pods. */
const isPrinted = (file: string) =>
  /\.m?[jt]s$/.test(file) && !/\/(?:alerts|scripts|custom-resources)\/|schema\.ts$/.test(file);

test("every printed sentence that names a loss has been read", async () => {
  const files = ["cli", "stack", "components", "policy"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const printed = files.filter(
    (file) => !file.includes("node_modules/") && !file.includes("/dist/") && isPrinted(file),
  );
  const sentences = [...new Set(printed.flatMap(sentencesOf))].sort();
  expect(sentences.length).toBeGreaterThan(30);
  await expect(`${sentences.join("\n")}\n`).toMatchFileSnapshot("advice.txt");
});

/** Texts of several words, each value in them as `…`. */
function sentencesOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const text = textOf(node)?.replace(/\s+/g, " ").trim();
    if (text?.includes(" ") && dangerous.test(text)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true));
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…");
}
