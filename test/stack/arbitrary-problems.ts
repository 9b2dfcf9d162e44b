import fc from "fast-check";
import { booleans, numbers, texts } from "./corpus/fields.ts";
import { lineOf, withoutKey, withValue } from "./suite-file.ts";

/** The good file with one field wrong, and where its problems must be shown. */
export interface WrongField {
  readonly content: string;
  readonly path: string;
  readonly line: number;
}

const json = (value: unknown) => JSON.stringify(value);

/** Values as YAML writes them. */
const number = fc.oneof(fc.integer(), fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true })).map(String);
const text = fc.string().map(json);
const truth = fc.constantFrom("true", "false", "True", "FALSE");
const nothing = fc.constantFrom("~", "null");
const list = fc.array(fc.string(), { maxLength: 3 }).map(json);
const block = fc
  .uniqueArray(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 3 })
  .map((keys) => json(Object.fromEntries(keys.map((key) => [key, 1]))));

/** No field of config.yaml may have this character. */
const refused = fc.tuple(fc.string(), fc.string()).map((parts) => json(parts.join("!")));

const wrongTexts = fc.oneof(number, truth, nothing, list, block, refused);
const wrongNumbers = fc.oneof(
  text,
  truth,
  nothing,
  list,
  block,
  fc.integer({ min: 4 }).map(String),
  fc.integer({ max: 0 }).map(String),
);
const wrongBooleans = fc.oneof(text, number, nothing, list, block);

const wrongValue = (paths: readonly string[], values: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom(...paths), values)
    .map(([path, written]): WrongField => ({ content: withValue(path, written), path, line: lineOf(path) }));

const absent = fc.constantFrom(...texts, ...numbers, ...booleans).map((path): WrongField => {
  const parent = path.split(".").slice(0, -1).join(".");
  return { content: withoutKey(path), path, line: parent === "" ? 1 : lineOf(parent) };
});

export const wrongFields = fc.oneof(
  { arbitrary: wrongValue(texts, wrongTexts), weight: 6 },
  { arbitrary: wrongValue(numbers, wrongNumbers), weight: 2 },
  { arbitrary: wrongValue(booleans, wrongBooleans), weight: 1 },
  { arbitrary: absent, weight: 1 },
);

/** Pieces that YAML is made of. */
const pieces = fc.constantFrom(
  ..."a|- |: |\n|  |[|]|{|}|,|&a |*a|!!str |'|\"|>\n|#|? |%|---\n|...\n|<<|1|~|\t|\\|\r\n".split(/\|(?=.|\n)/s),
);

/** Bytes, text and what looks like YAML. */
export const anyContent: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }).map((words) => Buffer.from(words)),
  fc.array(pieces, { maxLength: 60 }).map((parts) => Buffer.from(parts.join(""))),
);
