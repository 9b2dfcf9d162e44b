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
  .compile(JSON.parse(jsonSchemas().get("schemas/config.schema.json") ?? ""));

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

/** Fields of which a stack may allow more (`hearth:limits`), which no editor knows. */
const widenable = ["versions.db", "s3.region", "storage.storageClass", "replicas.db", "replicas.cloudsuite"];

describe("the JSON Schema of config.yaml", () => {
  it("accepts every good file", () => {
    for (const { name, content } of goodFiles) expect(accepts(parse(content)), name).toBe(true);
  });

  it("refuses every bad file whose problem it can express", () => {
    const judged = badFiles.flatMap(({ name, checked: { yaml, problems } }) => {
      const errors = problems.filter(
        ({ severity, code, path }) =>
          severity === "error" && !(["value", "replicas"].includes(code) && widenable.includes(path)),
      );
      // A pattern can't tell what is more than 64 bits.
      if (/64 bits|EiB|overflow/.test(name)) return [];
      return yaml && errors.some(({ code }) => expressible.includes(code)) ? [{ name, value: yaml.value }] : [];
    });
    expect(judged.length).toBeGreaterThan(300);
    expect(judged.filter(({ value }) => accepts(value)).map(({ name }) => name)).toEqual([]);
  });

  it("refuses nothing that a stack may allow beside the specification's sets", () => {
    const content = parse(goodFiles[0]?.content ?? "");
    const wide = {
      ...content,
      versions: { ...content.versions, db: "17" },
      s3: { ...content.s3, region: "eu-central-1", endpoint: "https://s3.eu-central-1.amazonaws.com" },
      storage: { ...content.storage, storageClass: "longhorn" },
      replicas: { ...content.replicas, db: 3, cloudsuite: 5 },
    };
    expect(accepts(wide)).toBe(true);
  });

  it("refuses nothing that the checker lets pass, but for parts that are not enabled", () => {
    const passed = badFiles.flatMap(({ name, checked: { config } }) =>
      config?.office.enabled && config.whiteboard.enabled ? [{ name, config }] : [],
    );
    expect(passed.length).toBeGreaterThan(10);
    expect(passed.filter(({ config }) => !accepts(config)).map(({ name }) => name)).toEqual([]);
  });
});
