import { randomInt } from "node:crypto";
import bcrypt from "bcryptjs";
import type { GeneratedResource, InputRule } from "../generated.ts";
import type { Properties } from "../grpc.ts";

const alphabets = {
  upper: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  lower: "abcdefghijklmnopqrstuvwxyz",
  numeric: "0123456789",
  special: "!@#$%&*()-_=+[]{}<>:?",
};

/** Cost of the official provider's hashes. */
const bcryptCost = 10;

const inputs: Record<string, InputRule> = {
  length: { type: "number", required: true },
  lower: { type: "boolean", default: true },
  upper: { type: "boolean", default: true },
  numeric: { type: "boolean", default: true },
  special: { type: "boolean", default: true },
  minLower: { type: "number", default: 0 },
  minUpper: { type: "number", default: 0 },
  minNumeric: { type: "number", default: 0 },
  minSpecial: { type: "number", default: 0 },
  overrideSpecial: { type: "string" },
  keepers: { type: "object" },
};

/** Length, character sets and minimums, as both text resources take them. */
interface TextRules {
  readonly length: number;
  /** Characters and how many of them at least. */
  readonly sets: { readonly characters: string; readonly minimum: number }[];
}

function rules(given: Properties): TextRules {
  const special = typeof given.overrideSpecial === "string" ? given.overrideSpecial : alphabets.special;
  const set = (name: string, characters: string, minimum: unknown) =>
    given[name] === false ? [] : [{ characters, minimum: Number(minimum) }];
  return {
    length: Number(given.length),
    sets: [
      ...set("upper", alphabets.upper, given.minUpper),
      ...set("lower", alphabets.lower, given.minLower),
      ...set("numeric", alphabets.numeric, given.minNumeric),
      ...set("special", special, given.minSpecial),
    ],
  };
}

/** Text by these rules: the minimum of each set, the rest from all of them, in random order. Every choice is unbiased. */
function randomText({ length, sets }: TextRules): string {
  const all = sets.map(({ characters }) => characters).join("");
  const required = sets.flatMap(({ characters, minimum }) => pick(characters, minimum));
  return shuffled([...required, ...pick(all, length - required.length)]).join("");
}

function pick(characters: string, count: number): string[] {
  return Array.from({ length: count }, () => characters.charAt(randomInt(characters.length)));
}

/** A copy in random order (Fisher and Yates). */
export function shuffled<T>(items: readonly T[]): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

function validate(given: Properties): { property: string; reason: string }[] {
  if (given.length === undefined) return [];
  const { length, sets } = rules(given);
  const minimum = sets.reduce((sum, set) => sum + set.minimum, 0);
  if (!Number.isInteger(length) || length < 1)
    return [{ property: "length", reason: "must be a whole number, at least 1" }];
  if (length < minimum)
    return [{ property: "length", reason: `must be at least the sum of the minimums, ${minimum}, got ${length}` }];
  if (sets.every(({ characters }) => characters === ""))
    return [{ property: "special", reason: "at least one of lower, upper, numeric and special must be allowed" }];
  return [];
}

/** `random:index/randomString:RandomString`; its id is the text. */
export const randomString: GeneratedResource = {
  inputs,
  outputs: ["result"],
  validate,
  async generate(given) {
    const result = randomText(rules(given));
    return { id: result, outputs: { result } };
  },
  import: async (id) => ({ inputs: { length: id.length }, outputs: { result: id } }),
};

/** `random:index/randomPassword:RandomPassword`; its text and hash are secret, its id says nothing. */
export const randomPassword: GeneratedResource = {
  inputs,
  outputs: ["result", "bcryptHash"],
  secretOutputs: ["result", "bcryptHash"],
  validate,
  async generate(given) {
    return { id: "none", outputs: await passwordOutputs(randomText(rules(given))) };
  },
  import: async (id) => ({ inputs: { length: id.length }, outputs: await passwordOutputs(id) }),
};

/** Both bcryptjs and the official provider hash the first 72 bytes only. */
async function passwordOutputs(result: string): Promise<Properties> {
  return { result, bcryptHash: await bcrypt.hash(result, bcryptCost) };
}
