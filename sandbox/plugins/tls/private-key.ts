import { createHash, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { GeneratedResource } from "../generated.ts";
import type { Properties } from "../grpc.ts";
import { opensshPrivateKey, opensshPublicKey } from "./openssh.ts";

const generate = promisify(generateKeyPair);

const algorithms = ["RSA", "ECDSA", "ED25519"];
const curves: Record<string, string> = { P224: "P-224", P256: "P-256", P384: "P-384", P521: "P-521" };

/** `tls:index/privateKey:PrivateKey`; its id is the SHA-1 of the public key. */
export const privateKey: GeneratedResource = {
  inputs: {
    algorithm: { type: "string", required: true },
    ecdsaCurve: { type: "string", default: "P224" },
    rsaBits: { type: "number", default: 2048 },
  },
  outputs: [
    "privateKeyOpenssh",
    "privateKeyPem",
    "privateKeyPemPkcs8",
    "publicKeyFingerprintMd5",
    "publicKeyFingerprintSha256",
    "publicKeyOpenssh",
    "publicKeyPem",
  ],
  secretOutputs: ["privateKeyOpenssh", "privateKeyPem", "privateKeyPemPkcs8"],
  validate: ({ algorithm, ecdsaCurve }) => [
    ...oneOf("algorithm", algorithm, algorithms),
    ...oneOf("ecdsaCurve", ecdsaCurve, Object.keys(curves)),
  ],
  async generate(inputs) {
    const key = await newKey(inputs);
    const publicKey = createPublicKey(key);
    const openssh = opensshPublicKey(publicKey);
    const classic = { RSA: "pkcs1", ECDSA: "sec1", ED25519: "pkcs8" } as const;
    const type = classic[inputs.algorithm as keyof typeof classic];
    return {
      id: createHash("sha1")
        .update(publicKey.export({ type: "spki", format: "der" }))
        .digest("hex"),
      outputs: {
        privateKeyPem: key.export({ type, format: "pem" }),
        privateKeyPemPkcs8: key.export({ type: "pkcs8", format: "pem" }),
        privateKeyOpenssh: opensshPrivateKey(key) ?? "",
        publicKeyPem: publicKey.export({ type: "spki", format: "pem" }),
        publicKeyOpenssh: openssh?.line ?? "",
        publicKeyFingerprintMd5: openssh?.md5 ?? "",
        publicKeyFingerprintSha256: openssh?.sha256 ?? "",
      },
    };
  },
};

async function newKey({ algorithm, ecdsaCurve, rsaBits }: Properties): Promise<KeyObject> {
  if (algorithm === "RSA") return (await generate("rsa", { modulusLength: Number(rsaBits) })).privateKey;
  if (algorithm === "ED25519") return (await generate("ed25519")).privateKey;
  return (await generate("ec", { namedCurve: curves[String(ecdsaCurve)] ?? "P-224" })).privateKey;
}

/** A failure unless `value` is one of `allowed`, or not known yet. */
function oneOf(property: string, value: unknown, allowed: string[]): { property: string; reason: string }[] {
  if (value === undefined || allowed.includes(String(value))) return [];
  return [{ property, reason: `must be one of ${allowed.join(", ")}, got "${value}"` }];
}
