import "reflect-metadata";
import { createPrivateKey, createPublicKey, type KeyObject, webcrypto } from "node:crypto";
import {
  type Extension,
  type JsonGeneralNames,
  type JsonName,
  Name,
  SubjectAlternativeNameExtension,
} from "@peculiar/x509";
import { isObject, type Properties } from "../grpc.ts";

/** A signer: an issuer's or requester's key, ready for @peculiar/x509. */
export interface SigningKeys {
  /** `RSA`, `ECDSA` or `ED25519`. */
  readonly keyAlgorithm: string;
  readonly privateKey: webcrypto.CryptoKey;
  readonly publicKey: webcrypto.CryptoKey;
  readonly signingAlgorithm: { name: string; hash?: string };
}

const curveHashes: Record<string, [curve: string, hash: string]> = {
  prime256v1: ["P-256", "SHA-256"],
  secp384r1: ["P-384", "SHA-384"],
  secp521r1: ["P-521", "SHA-512"],
};

/**
 * Reads a private key in any PEM form; hashes are those Go chooses for the key.
 * @throws when the text is no private key, or one that can't sign here (curve P224)
 */
export async function signingKeys(pem: unknown): Promise<SigningKeys> {
  const key = readKey(String(pem));
  const curve = key.asymmetricKeyDetails?.namedCurve ?? "";
  switch (key.asymmetricKeyType) {
    case "rsa":
      return imported(key, "RSA", { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" });
    case "ed25519":
      return imported(key, "ED25519", { name: "Ed25519" });
    case "ec": {
      const found = curveHashes[curve];
      if (!found) throw new Error(`The sandbox's stand-in can't sign with curve ${curve}; use P256, P384 or P521.`);
      return imported(key, "ECDSA", { name: "ECDSA", hash: found[1], namedCurve: found[0] });
    }
    default:
      throw new Error(`A key of type ${key.asymmetricKeyType} can't sign certificates; use RSA, ECDSA or ED25519.`);
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // Node's message could hold parts of the key.
    throw new Error("The private key is not a PEM text that holds an unencrypted private key.");
  }
}

async function imported(
  key: KeyObject,
  keyAlgorithm: string,
  algorithm: { name: string; hash?: string; namedCurve?: string },
): Promise<SigningKeys> {
  const publicKey = createPublicKey(key);
  const { subtle } = webcrypto;
  return {
    keyAlgorithm,
    signingAlgorithm: { name: algorithm.name, ...(algorithm.hash && { hash: algorithm.hash }) },
    privateKey: await subtle.importKey("pkcs8", key.export({ type: "pkcs8", format: "der" }), algorithm, true, [
      "sign",
    ]),
    publicKey: await subtle.importKey("spki", publicKey.export({ type: "spki", format: "der" }), algorithm, true, [
      "verify",
    ]),
  };
}

/** Names of a subject in Go's order; those X.509 knows by number only are given so. */
const subjectFields: [property: string, attribute: string][] = [
  ["country", "C"],
  ["organization", "O"],
  ["organizationalUnit", "OU"],
  ["locality", "L"],
  ["province", "ST"],
  ["streetAddresses", "2.5.4.9"],
  ["postalCode", "2.5.4.17"],
  ["commonName", "CN"],
  ["serialNumber", "2.5.4.5"],
  ["emailAddress", "1.2.840.113549.1.9.1"],
];

/** The distinguished name of a `subject` input. */
export function subjectName(subject: unknown): Name {
  const given = isObject(subject) ? subject : {};
  const parts: JsonName = subjectFields.flatMap(([property, attribute]) => {
    const value = given[property];
    const values = (Array.isArray(value) ? value : [value]).filter((item) => item !== undefined && item !== "");
    return values.map((item) => ({ [attribute]: [String(item)] }));
  });
  return new Name(parts);
}

/** The subject alternative names of `dnsNames`, `ipAddresses` and `uris`; none: no extension. */
export function alternativeNames({ dnsNames, ipAddresses, uris }: Properties): Extension[] {
  const named = (type: "dns" | "ip" | "url", values: unknown): JsonGeneralNames =>
    (Array.isArray(values) ? values : []).map((value) => ({ type, value: String(value) }));
  const names = [...named("dns", dnsNames), ...named("ip", ipAddresses), ...named("url", uris)];
  return names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : [];
}

/** Go ends PEM texts with a line end. */
export function withLineEnd(pem: string): string {
  return `${pem.trimEnd()}\n`;
}
