import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { codeFiles, workspaces } from "./support/workspace-imports.ts";

const root = join(import.meta.dirname, "..");
const files = [...Object.values(workspaces).flatMap((folder) => codeFiles(folder)), ...codeFiles("tools")];

/** Written by others' schemas, or run in pods as it stands: there a comment more would roll them. */
const apart = /\/(generated|custom-resources)\/|^components\/hub\/scripts\/|^webhook\//;

/** Whether a function throws by itself: not within another function, and not where it catches what it throws. */
function throws(body: ts.Node): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (ts.isThrowStatement(node)) found = true;
    else if (ts.isTryStatement(node) && node.catchClause) visit(node.catchClause);
    else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}

/** Functions that other modules can call: exported ones, and methods of exported classes. */
function* callable(source: ts.SourceFile): Generator<ts.FunctionLikeDeclaration> {
  for (const statement of source.statements) {
    if (!ts.canHaveModifiers(statement)) continue;
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (ts.isFunctionDeclaration(statement)) yield statement;
    if (ts.isVariableStatement(statement))
      for (const { initializer } of statement.declarationList.declarations)
        if (initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))) yield initializer;
    if (ts.isClassDeclaration(statement))
      for (const member of statement.members)
        if (ts.isFunctionLike(member) && !(member.name && ts.isPrivateIdentifier(member.name)) && "body" in member)
          yield member as ts.FunctionLikeDeclaration;
  }
}

it("every function for other modules that throws says so", () => {
  const silent = files
    .filter((file) => !apart.test(file))
    .flatMap((file) => {
      const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
      return [...callable(source)].filter(throws).flatMap((each) => {
        const said = ts.getJSDocCommentsAndTags(each).map((comment) => comment.getText());
        return /throws/i.test(said.join()) ? [] : [`${file}: ${each.name?.getText() ?? ""}`];
      });
    });
  expect(silent).toEqual([]);
});
