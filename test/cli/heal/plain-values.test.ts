import type { Export, StateResource } from "@hearth-platform/cli/heal/deployment";
import { plainValues, withoutPlainValues } from "@hearth-platform/cli/heal/plain-values";
import bcrypt from "bcryptjs";
import { expect, test } from "vitest";

/** A state as the official provider records it, of pulumi-random 4.21: the id of random bytes is their base64. */

const bytes = Buffer.from(Array.from({ length: 64 }, (_, index) => (index * 37 + 201) % 256));
const [hex, base64] = [bytes.toString("hex"), bytes.toString("base64")];
const forge = "urn:pulumi:dev::hearth::hearth:index:Forge::forge";
const under = (type: string, name: string) => `urn:pulumi:dev::hearth::hearth:index:Forge$${type}::${name}`;
const name = "forge/forge-rails-secrets.db_key_base";
const [oldUrn, newUrn] = ["Bytes", "Password"].map((kind) => under(`random:index/random${kind}:Random${kind}`, name));
const sign = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const encrypted = (cipher: string) => ({ ...sign, ciphertext: cipher });
const plaintext = (value: string) => ({ ...sign, plaintext: JSON.stringify(value) });

function state(secret: (value: string) => object, id = base64): Export {
  const inputs = { keepers: { revision: "0" }, length: 64 };
  const resources = [
    { urn: forge, type: "hearth:index:Forge" },
    {
      ...{ urn: oldUrn, type: "random:index/randomBytes:RandomBytes", id, parent: forge, protect: true, inputs },
      outputs: { ...inputs, id, base64: secret(base64), hex: secret(hex) },
      additionalSecretOutputs: ["base64", "hex"],
      retainOnDelete: true,
    },
    {
      ...{ urn: under("kubernetes:core/v1:Secret", "forge/forge-rails-secrets"), type: "kubernetes:core/v1:Secret" },
      ...{
        parent: forge,
        dependencies: [forge, oldUrn],
        propertyDependencies: { data: [oldUrn] },
        deletedWith: oldUrn,
      },
      inputs: { data: secret("other") },
    },
    {
      urn: "urn:pulumi:dev::hearth::random:index/randomBytes:RandomBytes::own",
      type: "random:index/randomBytes:RandomBytes",
    },
  ] as unknown as StateResource[];
  return { version: 3, deployment: { resources } };
}

const recorded = state(encrypted);
const rewritten = withoutPlainValues(recorded, state(plaintext));
const [, password, secret, own] = (rewritten.deployment?.resources ?? []) as unknown as Record<string, never>[];

test("bytes become a password of the same value, recorded as the official provider records one", () => {
  const digits = { special: true, overrideSpecial: "0123456789abcdef", upper: false, lower: false, numeric: false };
  const inputs = { ...digits, length: 128, keepers: { revision: "0" } };
  const { bcryptHash, ...outputs } = (password?.outputs ?? {}) as { bcryptHash: { plaintext: string } };
  expect({ ...password, outputs }).toEqual({
    ...{ urn: newUrn, type: "random:index/randomPassword:RandomPassword", id: "none", parent: forge, inputs },
    ...{ protect: true, retainOnDelete: true, additionalSecretOutputs: ["bcryptHash", "result"] },
    outputs: {
      ...{ ...inputs, number: false, minLower: 0, minUpper: 0, minNumeric: 0, minSpecial: 0, id: "none" },
      ...{ result: plaintext(hex), __meta: '{"schema_version":"3"}' },
    },
  });
  // Of more than 72 bytes the provider hashes the first 72.
  expect(bcrypt.compareSync(hex.slice(0, 72), JSON.parse(bcryptHash.plaintext))).toBe(true);
});

test("what named the bytes names the password; all else stays, in its order and encrypted", () => {
  const before = recorded.deployment?.resources?.[2];
  expect(secret).toEqual({
    ...{ ...before, dependencies: [forge, newUrn], propertyDependencies: { data: [newUrn] }, deletedWith: newUrn },
  });
  // Bytes of a program of your own are not this package's.
  expect(own).toEqual(recorded.deployment?.resources?.[3]);
  expect(JSON.stringify(rewritten)).not.toContain(base64);
});

test("the stand-in's old id says nothing, and the value is the same", () => {
  const other = withoutPlainValues(state(encrypted, "none"), state(plaintext, "none"));
  expect(JSON.stringify(other)).toContain(hex);
});

test("a rewritten state is left as it is", () => {
  expect(plainValues(rewritten)).toEqual([]);
  expect(withoutPlainValues(rewritten, rewritten)).toEqual(rewritten);
});

test("without its value nothing is rewritten", () => {
  expect(() => withoutPlainValues(state(encrypted, "none"), state(encrypted, "none"))).toThrow("has no value of");
});
