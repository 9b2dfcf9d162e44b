import { Ajv } from "ajv";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { jsonSchemas } from "../../tools/json-schemas.ts";
import { checkedBadFiles } from "./corpus/bad-files.ts";
import { goodFiles } from "./corpus/good-files.ts";

/** What editors make of a file with the JSON Schema of config.yaml. */
const accepts = formats
  .default(new Ajv({ strict: false }))
  .compile(JSON.parse(jsonSchemas()["config.schema.json"] ?? ""));

const badFiles = checkedBadFiles();

/** Codes of problems that a JSON Schema can express, wherever they are. The others need two fields, a context or more than a pattern. */
const expressible = [
  "type",
  "missing",
  "unknown-key",
  "secret",
  "value",
  "size",
  "cpu",
  "dns-label",
  "replicas",
  "replicas-storage",
];

describe("the JSON Schema of config.yaml", () => {
  it("accepts every good file", () => {
    for (const { name, content } of goodFiles) expect(accepts(parse(content)), name).toBe(true);
  });

  it("refuses every bad file whose problem it can express", () => {
    const judged = badFiles.flatMap(({ name, checked: { yaml, problems } }) => {
      const errors = problems.filter(({ severity }) => severity === "error");
      // A pattern can't tell what is more than 64 bits.
      if (/64 bits|EiB|overflow/.test(name)) return [];
      return yaml && errors.some(({ code }) => expressible.includes(code)) ? [{ name, value: yaml.value }] : [];
    });
    expect(judged.length).toBeGreaterThan(300);
    expect(judged.filter(({ value }) => accepts(value)).map(({ name }) => name)).toEqual([]);
  });

  it("refuses nothing that the checker lets pass, but for parts that are not enabled", () => {
    const passed = badFiles.flatMap(({ name, checked: { config } }) =>
      config?.office.enabled && config.whiteboard.enabled ? [{ name, config }] : [],
    );
    expect(passed.length).toBeGreaterThan(10);
    expect(passed.filter(({ config }) => !accepts(config)).map(({ name }) => name)).toEqual([]);
  });
});
