import { beforeAll, describe, expect, test } from "vitest";
import { packageSchema } from "../../tools/package-schema.ts";
import { type PackageSchema, schemaPage } from "./package-schema.ts";

/** The schema by which other Pulumi languages see the components. */
describe("the component package's schema", () => {
  let text: string;
  let schema: PackageSchema;

  beforeAll(async () => {
    text = JSON.stringify(await packageSchema({ license: "Apache-2.0", keywords: ["kubernetes"] }));
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

  test("describes every type and component", () => {
    const all = Object.entries({ ...schema.resources, ...schema.types });
    expect(all.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
  });

  test("says what holds where an argument is left out", () => {
    const blocks = [
      ...Object.entries(schema.resources).map(([name, { inputProperties, requiredInputs }]) => ({
        name,
        properties: inputProperties,
        required: requiredInputs,
      })),
      ...Object.entries(schema.types).map(([name, { properties, required }]) => ({ name, properties, required })),
    ];
    const silent = blocks.flatMap(({ name, properties = {}, required = [] }) =>
      Object.entries(properties)
        .filter(([key, { description }]) => !required.includes(key) && !/ Default: .+\.$/.test(description ?? ""))
        .map(([key]) => `${name}.${key}`),
    );
    // What a component gives back has no defaults.
    expect(silent.filter((place) => !/Endpoints\./.test(place))).toEqual([]);
    expect(schema.resources["hearth:index:Keystore"]?.inputProperties?.storageSize?.description).toMatch(
      /Default: 5Gi\.$/,
    );
  });

  test("has no default that an SDK would send as if it were asked for", () => {
    expect(text).not.toContain('"default":');
  });

  test("says what a registry shows", () => {
    expect(schema).toMatchObject({
      name: "hearth",
      namespace: "hearth-platform",
      displayName: "Hearth",
      publisher: "Hearth",
      license: "Apache-2.0",
      keywords: expect.arrayContaining(["kind/component", "category/infrastructure", "kubernetes"]),
    });
  });
});
