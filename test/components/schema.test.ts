import { join } from "node:path";
import * as components from "@hearth-platform/hearth";
import { ComponentProvider, getPulumiComponents } from "@pulumi/pulumi/provider/experimental/provider.js";
import { beforeAll, describe, expect, test } from "vitest";
import { type PackageSchema, schemaPage } from "./package-schema.ts";

/** The schema by which other Pulumi languages see the components. */
describe("the component package's schema", () => {
  let text: string;
  let schema: PackageSchema;

  beforeAll(async () => {
    const provider = new ComponentProvider({
      components: getPulumiComponents(components),
      dirname: join(import.meta.dirname, "../../components"),
      name: "hearth",
    });
    text = await provider.getSchema();
    schema = JSON.parse(text);
  }, 120_000);

  test("is the one that was agreed on", async () => {
    await expect(schemaPage(schema)).toMatchFileSnapshot("package-schema.txt");
  });

  test("has a type for everything", () => expect(text).not.toContain("pulumi.json#/Any"));

  test("describes every property", () => {
    const undescribed = Object.entries({ ...schema.resources, ...schema.types }).flatMap(([name, type]) =>
      Object.entries({ ...type.inputProperties, ...type.properties })
        .filter(([, { description }]) => !description)
        .map(([property]) => `${name}.${property}`),
    );
    expect(undescribed).toEqual([]);
  });
});
