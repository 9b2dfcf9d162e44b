import { generateKeyPairSync } from "node:crypto";
import { unwrapped } from "@hearth-platform/cli/heal/deployment";
import { readSecret } from "@hearth-platform/cli/heal/secret-values";
import type { PlannedSecret, SecretValue } from "@hearth-platform/hearth/core/plan";
import { composeSecret } from "@hearth-platform/hearth/core/secrets";
import bcrypt from "bcryptjs";
import { describe, expect, it } from "vitest";

/** Generated values that are read back from the Secrets that hold them. */

const pem = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ type: "pkcs1", format: "pem" });
const openssh = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n";
const bytes = Buffer.alloc(32, 7);
const values: Record<string, SecretValue> = {
  user: { value: "admin" },
  password: { password: 12 },
  hash: { bcrypt: "password" },
  key: { bytes: 32 },
  digits: { hex: 4 },
  pem: { privateKey: "RSA", form: "pem" },
  ssh: { privateKey: "ED25519", form: "openssh" },
  "ssh.pub": { publicKeyOf: "ssh" },
  url: { template: "redis://:{password}@host" },
};
const generated = {
  ...{ password: "hunter2hunter", hash: bcrypt.hashSync("hunter2hunter", 4) },
  ...{
    key: bytes.toString("base64"),
    digits: "00ff10ab",
    pem: String(pem),
    ssh: openssh,
    "ssh.pub": "ssh-ed25519 AAAA",
  },
};
const base64 = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
const held = base64(composeSecret(values, generated));
const secret: PlannedSecret = { name: "admin", namespace: "team", data: values, revision: 0 };
const read = (more: Readonly<Record<string, string>> = {}, of: Partial<PlannedSecret> = {}) =>
  readSecret("team/admin", { ...secret, ...of }, { ...held, ...base64(more) });

describe("a Secret as the stack makes it", () => {
  it("is proven byte for byte, whatever else stands in it", () => {
    expect(read()).toMatchObject({ differing: [], data: held });
    expect(read({ "by-hand": "x" })).toMatchObject({ differing: [], data: held });
  });

  it("gives back what made its values, for the state: a hash is not salted anew", () => {
    const outputs = new Map(
      [...read().generated].map(([name, { outputs }]) => [name, unwrapped(outputs) as Record<string, string>]),
    );
    expect([...outputs.keys()]).toEqual(["password", "key", "digits", "pem", "ssh"].map((key) => `team/admin.${key}`));
    expect(outputs.get("team/admin.password")).toEqual({ result: generated.password, bcryptHash: generated.hash });
    expect(outputs.get("team/admin.key")?.result).toBe(bytes.toString("hex"));
    expect(outputs.get("team/admin.digits")?.result).toBe("00ff10ab");
    expect(outputs.get("team/admin.pem")?.privateKeyPem).toBe(pem);
    expect(outputs.get("team/admin.ssh")).toEqual({ privateKeyOpenssh: openssh, publicKeyOpenssh: "ssh-ed25519 AAAA" });
    expect(bcrypt.compareSync("00ff10ab", outputs.get("team/admin.digits")?.bcryptHash ?? "")).toBe(true);
  });

  it("keeps every secret marked, and none in an id", () => {
    const text = JSON.stringify([...read().generated], (_, value) => (value?.plaintext ? "a secret" : value));
    for (const value of Object.values(generated)) if (!value.startsWith("ssh-")) expect(text).not.toContain(value);
    expect(text).not.toContain(bytes.toString("hex"));
  });

  it("has the revision in the names of private keys alone, and none where it never changes", () => {
    const names = (of: Partial<PlannedSecret>) => [...read({}, of).generated.keys()];
    expect(names({ revision: 2 })).toEqual(expect.arrayContaining(["team/admin.password", "team/admin.ssh-2"]));
    expect(names({ revision: 2, neverChanges: true })).toContain("team/admin.ssh");
  });
});

describe("a Secret that the stack would make otherwise", () => {
  it.each([
    ["another user", { user: "root" }, ["user"]],
    ["another password", { password: "other" }, ["hash", "url"]],
    ["bytes that are no base64", { key: "%%%" }, ["key"]],
    ["digits that are none", { digits: "xyz" }, ["digits"]],
    ["a key that is none", { pem: "pem" }, ["pem"]],
    ["another text of a template", { url: "redis://host" }, ["url"]],
  ])("names the keys, and no value: %s", (_, more, differing) => {
    expect(read(more).differing).toEqual(differing);
  });

  it("lacks a key", () => {
    const { password: _, ...rest } = held;
    expect(readSecret("team/admin", secret, rest).differing).toEqual(["password", "hash", "url"]);
  });
});

it("the hash of a password is that of its own key, where a Secret has several", () => {
  const two: Record<string, SecretValue> = {
    ...{ first: { password: 12 }, second: { password: 12 } },
    ...{ "second-hash": { bcrypt: "second" }, "first-hash": { bcrypt: "first" } },
  };
  const texts = {
    ...{ first: "first-password", second: "other-password" },
    ...{ "first-hash": bcrypt.hashSync("first-password", 4), "second-hash": bcrypt.hashSync("other-password", 4) },
  };
  const { generated } = readSecret("team/two", { ...secret, data: two }, base64(texts));
  const hashOfFirst = unwrapped(generated.get("team/two.first")?.outputs ?? {}) as Record<string, string>;
  expect(hashOfFirst.bcryptHash).toBe(texts["first-hash"]);
});
