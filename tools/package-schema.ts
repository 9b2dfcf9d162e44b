import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as components from "@hearth-platform/hearth";
import { ComponentProvider, getPulumiComponents } from "@pulumi/pulumi/provider/experimental/provider.js";
import ts from "typescript";

/**
 * The schema by which other Pulumi languages see the components: what Pulumi's analyser reads of the sources, with what it
 * leaves out, descriptions of types and the defaults of arguments. Those stand in the descriptions: as a `default`, an SDK
 * would send them as if they were asked for, and a version that nobody names would change with the SDK.
 */

const source = join(import.meta.dirname, "..", "components");

/** What the generator of Go SDKs needs beside the schema. */
const goSdk = {
  // The SDK lies in the program's folder: no host is asked for it.
  importBasePath: "hearth.local/sdk/go/hearth",
  // Without it, types that stand in lists of plain values alone are used and not made.
  generateExtraInputTypes: true,
};

/** What a registry of packages shows beside the components. */
interface Shown {
  readonly license: string;
  readonly keywords: readonly string[];
  /** Address of the repository. @default none is known */
  readonly repository?: string | undefined;
  readonly logo?: string | undefined;
}

/** A type or component as Pulumi's schema has it, as far as it is completed here. */
interface Described {
  description?: string;
  inputProperties?: Record<string, { description?: string }>;
  properties?: Record<string, { description?: string }>;
}

/** The schema as Pulumi reads it from a plugin. */
export async function packageSchema({ license, keywords, repository, logo }: Shown): Promise<object> {
  const [namespace, name = ""] = JSON.parse(readFileSync(join(source, "package.json"), "utf8"))
    .name.slice(1)
    .split("/");
  const provider = new ComponentProvider({
    components: getPulumiComponents(components),
    dirname: source,
    name,
    namespace,
  });
  const schema = JSON.parse(await provider.getSchema(), (key, value) =>
    // Every number is a whole one: TypeScript has no word for that.
    key === "type" && value === "number" ? "integer" : value,
  );
  const documents = documentation();
  const complete = (token: string, type: Described) => {
    const local = token.split(":").at(-1) ?? "";
    type.description ??= documents.get(local)?.description;
    withDefaults(type.inputProperties, documents.get(`${local}Args`));
    withDefaults(type.properties, documents.get(local));
  };
  for (const [token, type] of Object.entries<Described>({ ...schema.resources, ...schema.types }))
    complete(token, type);
  return {
    ...schema,
    language: { ...schema.language, go: { ...schema.language.go, ...goSdk } },
    displayName: "Hearth",
    license,
    publisher: "Hearth",
    keywords: ["category/infrastructure", "kind/component", ...keywords],
    ...(repository && { repository, homepage: repository, logoUrl: logo }),
  };
}

function withDefaults(properties: Described["properties"] = {}, document: Documentation | undefined): void {
  for (const [name, property] of Object.entries(properties)) {
    const otherwise = document?.defaults.get(name);
    if (otherwise !== undefined) property.description = `${property.description} Default: ${otherwise}.`;
  }
}

/** The doc comment of an interface or of constants. */
interface Documentation {
  readonly description: string;
  /** Of its properties, by their names. */
  readonly defaults: ReadonlyMap<string, string>;
}

/** By the names of types, which are unique in the package. */
function documentation(): ReadonlyMap<string, Documentation> {
  const files = globSync("**/*.ts", { cwd: source, exclude: ["**/node_modules", "dist"] });
  const parsed = files.map((file) =>
    ts.createSourceFile(file, readFileSync(join(source, file), "utf8"), ts.ScriptTarget.Latest, true),
  );
  return new Map(parsed.flatMap(({ statements }) => statements.flatMap(documentationOf)));
}

function documentationOf(statement: ts.Statement): [string, Documentation][] {
  const description = commentOf(statement);
  if (description === undefined) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((each) => [
      each.name.getText(),
      { description, defaults: new Map() },
    ]);
  if (!ts.isInterfaceDeclaration(statement)) return [];
  const defaults = statement.members.flatMap((member): [string, string][] => {
    const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === "default");
    const text = ts.getTextOfJSDocComment(tag?.comment);
    return text === undefined || !member.name ? [] : [[member.name.getText(), text.replace(/\.$/, "")]];
  });
  return [[statement.name.text, { description, defaults: new Map(defaults) }]];
}

function commentOf(node: ts.Node): string | undefined {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return ts.getTextOfJSDocComment(comment?.comment);
}
