import { randomBytes as cryptoBytes, randomInt, randomUUID } from "node:crypto";
import type { GeneratedResource } from "../generated.ts";
import type { Properties } from "../grpc.ts";
import { shuffled } from "./text.ts";
import { adjectives, adverbs, animals } from "./words.ts";

const keepers = { type: "object" } as const;

/** Node's unbiased integers need a range below 2^48. */
const integerRange = 2 ** 48;

/** Go's generator, which a seed starts, gives other numbers than any of ours: so a seed is refused, not ignored. */
function refuseSeed(given: Properties): { property: string; reason: string }[] {
  return given.seed
    ? [{ property: "seed", reason: "the sandbox's stand-in can't repeat what the official provider makes of a seed" }]
    : [];
}

function wholeNumber(given: Properties, property: string, minimum: number): { property: string; reason: string }[] {
  const value = given[property];
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= minimum)) return [];
  return [{ property, reason: `must be a whole number, at least ${minimum}` }];
}

/** `random:index/randomId:RandomId`; its id is `b64Url`. The prefix stands before the written forms, not in the id. */
export const randomId: GeneratedResource = {
  inputs: { byteLength: { type: "number", required: true }, prefix: { type: "string" }, keepers },
  outputs: ["b64Std", "b64Url", "dec", "hex"],
  validate: (given) => wholeNumber(given, "byteLength", 1),
  async generate({ byteLength, prefix }) {
    const bytes = cryptoBytes(Number(byteLength));
    return { id: bytes.toString("base64url"), outputs: idForms(bytes, prefix) };
  },
  async import(id) {
    const comma = id.lastIndexOf(",");
    const bytes = Buffer.from(id.slice(comma + 1), "base64url");
    const prefix = comma < 0 ? {} : { prefix: id.slice(0, comma) };
    return { inputs: { byteLength: bytes.length, ...prefix }, outputs: idForms(bytes, prefix.prefix) };
  },
};

function idForms(bytes: Buffer, prefix: unknown): Properties {
  const hex = bytes.toString("hex");
  const forms = {
    b64Std: bytes.toString("base64"),
    b64Url: bytes.toString("base64url"),
    dec: `${BigInt(`0x${hex}`)}`,
    hex,
  };
  return Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, `${prefix ?? ""}${form}`]));
}

/** `random:index/randomBytes:RandomBytes`; both forms are secret, and yet its id is the first of them. */
export const randomBytes: GeneratedResource = {
  inputs: { length: { type: "number", required: true }, keepers },
  outputs: ["base64", "hex"],
  secretOutputs: ["base64", "hex"],
  validate: (given) => wholeNumber(given, "length", 1),
  async generate({ length }) {
    const bytes = cryptoBytes(Number(length));
    const base64 = bytes.toString("base64");
    return { id: base64, outputs: { base64, hex: bytes.toString("hex") } };
  },
  async import(id) {
    const bytes = Buffer.from(id, "base64");
    return { inputs: { length: bytes.length }, outputs: { base64: id, hex: bytes.toString("hex") } };
  },
};

/** `random:index/randomInteger:RandomInteger`; `min` and `max` are both possible. */
export const randomInteger: GeneratedResource = {
  inputs: {
    min: { type: "number", required: true },
    max: { type: "number", required: true },
    seed: { type: "string" },
    keepers,
  },
  outputs: ["result"],
  validate(given) {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = given;
    if (Number(max) < Number(min)) return [{ property: "min", reason: `must not be above max, ${max}` }];
    if (Number.isFinite(Number(max) - Number(min)) && Number(max) - Number(min) + 1 >= integerRange)
      return [{ property: "max", reason: "must be less than 2^48 above min" }];
    return refuseSeed(given);
  },
  async generate({ min, max }) {
    const result = randomInt(Number(min), Number(max) + 1);
    return { id: String(result), outputs: { result } };
  },
};

/** `random:index/randomUuid:RandomUuid`, version 4. */
export const randomUuid: GeneratedResource = {
  inputs: { keepers },
  outputs: ["result"],
  async generate() {
    const result = randomUUID();
    return { id: result, outputs: { result } };
  },
  import: async (id) => ({ inputs: {}, outputs: { result: id } }),
};

/** `random:index/randomShuffle:RandomShuffle`; more results than inputs repeat whole permutations. */
export const randomShuffle: GeneratedResource = {
  inputs: {
    inputs: { type: "array", required: true },
    resultCount: { type: "number" },
    seed: { type: "string" },
    keepers,
  },
  outputs: ["results"],
  validate: (given) => [...wholeNumber(given, "resultCount", 0), ...refuseSeed(given)],
  async generate({ inputs, resultCount }) {
    const items = Array.isArray(inputs) ? inputs : [];
    const count = resultCount === undefined ? items.length : Number(resultCount);
    const results: unknown[] = [];
    while (items.length > 0 && results.length < count)
      results.push(...shuffled(items).slice(0, count - results.length));
    return { id: "-", outputs: { results } };
  },
};

/** `random:index/randomPet:RandomPet`: adverbs, an adjective and an animal, `length` words in all. */
export const randomPet: GeneratedResource = {
  inputs: {
    length: { type: "number", default: 2 },
    prefix: { type: "string" },
    separator: { type: "string", default: "-" },
    keepers,
  },
  outputs: [],
  validate: (given) => wholeNumber(given, "length", 1),
  async generate({ length, prefix, separator }) {
    const kinds = Array.from({ length: Number(length) }, (_, word) => [animals, adjectives][word] ?? adverbs).reverse();
    const words = kinds.map((list) => list[randomInt(list.length)]);
    return { id: [...(prefix ? [prefix] : []), ...words].join(String(separator)), outputs: {} };
  },
};
