import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import type { PlannedSecret, SecretValue } from "@hearth-platform/hearth/core/plan";
import { composeSecret, generatedName } from "@hearth-platform/hearth/core/secrets";
import bcrypt from "bcryptjs";
import { asSecret, type StateInputs } from "./deployment.ts";

/** Values that a stack generated, read back from the Secrets that hold them: no other place has them where the state is lost. */

/** A Secret of the cluster as the stack makes it. */
export interface ReadSecret {
  /** Its keys whose values are not what the stack makes, or that it lacks. Without any it is the stack's own, byte for byte. */
  readonly differing: readonly string[];
  /** Its values in base64, those of the stack's keys. */
  readonly data: Readonly<Record<string, string>>;
  /** What made its values, by their names in Pulumi's state: what is known of their outputs beside the arguments. */
  readonly generated: ReadonlyMap<string, GeneratedOutputs>;
}

interface GeneratedOutputs {
  readonly id: string;
  readonly outputs: StateInputs;
}

/**
 * Reads the values of a Secret back, and proves them: what the stack would make of them is what the Secret holds.
 * @param logical the Secret's name in Pulumi's state
 * @param held the live Secret's data, in base64
 */
export function readSecret(logical: string, secret: PlannedSecret, held: Readonly<Record<string, string>>): ReadSecret {
  const entries = Object.entries(secret.data);
  const texts = Object.fromEntries(
    entries.flatMap(([key]) => {
      const value = held[key];
      return value === undefined ? [] : [[key, Buffer.from(value, "base64").toString()]];
    }),
  );
  const proven = Object.fromEntries(entries.map(([key, value]) => [key, proof(key, value, texts)]));
  const composed = composeSecret(secret.data, proven);
  const data = Object.fromEntries(
    Object.entries(composed).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
  );
  const made = entries.flatMap(([key, value]) => {
    const outputs = generatedOutputs(key, value, secret.data, texts);
    return outputs ? [[generatedName(logical, key, secret), outputs] as const] : [];
  });
  return {
    differing: Object.keys(data).filter((key) => data[key] !== held[key]),
    data,
    generated: new Map(made),
  };
}

type Texts = Readonly<Record<string, string>>;

/** The text that the stack would make of what it finds under a key; undefined where that is no such value, or follows from others. */
function proof(key: string, value: SecretValue, texts: Texts): string | undefined {
  const text = texts[key];
  if (text === undefined) return undefined;
  if ("bytes" in value) return Buffer.from(text, "base64").toString("base64");
  if ("hex" in value) return /^(?:[0-9a-f]{2})+$/.test(text) ? text : undefined;
  if ("bcrypt" in value) return bcrypt.compareSync(texts[value.bcrypt] ?? "", text) ? text : undefined;
  if ("privateKey" in value) return isPrivateKey(text, value.form) ? text : undefined;
  return text;
}

function isPrivateKey(text: string, form: "pem" | "openssh"): boolean {
  if (form === "openssh") return text.startsWith("-----BEGIN OPENSSH PRIVATE KEY-----\n");
  try {
    return createPrivateKey(text).type === "private";
  } catch {
    return false;
  }
}

/** What the providers record beside the arguments, as far as a Secret tells it: nothing else of it is ever read. */
function generatedOutputs(
  key: string,
  value: SecretValue,
  data: PlannedSecret["data"],
  texts: Texts,
): GeneratedOutputs | undefined {
  const text = texts[key];
  if (text === undefined) return undefined;
  const beside = (kind: "bcrypt" | "publicKeyOf") =>
    Object.entries(data).flatMap(([other, of]) => (kind in of && Object.values(of)[0] === key ? texts[other] : []))[0];
  if ("password" in value) return password(text, beside("bcrypt"));
  if ("hex" in value) return password(text);
  if ("bytes" in value) return password(Buffer.from(text, "base64").toString("hex"));
  if (!("privateKey" in value)) return undefined;
  const publicKey = beside("publicKeyOf");
  const own = value.form === "openssh" ? { privateKeyOpenssh: asSecret(text) } : pemOutputs(text);
  return {
    // The official id is a hash of the public key, and nothing reads it.
    id: createHash("sha1")
      .update(publicKey ?? key)
      .digest("hex"),
    outputs: { ...own, ...(publicKey !== undefined && { publicKeyOpenssh: publicKey }) },
  };
}

/** With the hash that stands in the Secret: it is salted once, and another one would change the Secret. */
function password(result: string, hash = hashOf(result)): GeneratedOutputs {
  return { id: "none", outputs: { result: asSecret(result), bcryptHash: asSecret(hash) } };
}

/** As pulumi-random makes it: of the first 72 bytes. */
export const hashOf = (password: string) => bcrypt.hashSync(Buffer.from(password).subarray(0, 72).toString(), 10);

function pemOutputs(pem: string): StateInputs {
  if (!isPrivateKey(pem, "pem")) return {};
  const key = createPrivateKey(pem);
  return {
    privateKeyPem: asSecret(pem),
    privateKeyPemPkcs8: asSecret(key.export({ type: "pkcs8", format: "pem" })),
    publicKeyPem: createPublicKey(key).export({ type: "spki", format: "pem" }),
  };
}
