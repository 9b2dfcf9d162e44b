import { createHash, type KeyObject, randomBytes } from "node:crypto";

/** A public key as `ssh` reads it, with its fingerprints. */
export interface OpenSshPublicKey {
  /** One line of an authorized_keys file, with its line end. */
  readonly line: string;
  /** `aa:bb:…` */
  readonly md5: string;
  /** `SHA256:…` */
  readonly sha256: string;
}

/** OpenSSH has no key type for other curves, P-224 among them. */
const curveNames: Record<string, string> = { "P-256": "nistp256", "P-384": "nistp384", "P-521": "nistp521" };

/** @returns undefined for a key that OpenSSH has no type for */
export function opensshPublicKey(publicKey: KeyObject): OpenSshPublicKey | undefined {
  const key = fields(publicKey);
  if (!key) return undefined;
  const blob = Buffer.concat([string(key.type), ...key.publicFields]);
  const md5 = createHash("md5").update(blob).digest("hex");
  const sha256 = createHash("sha256").update(blob).digest("base64");
  return {
    line: `${key.type} ${blob.toString("base64")}\n`,
    md5: (md5.match(/../g) ?? []).join(":"),
    sha256: `SHA256:${sha256.replace(/=+$/, "")}`,
  };
}

/**
 * The private key, unencrypted, in OpenSSH's own format (PROTOCOL.key of openssh-portable).
 * @returns undefined for a key that OpenSSH has no type for
 */
export function opensshPrivateKey(privateKey: KeyObject): string | undefined {
  const key = fields(privateKey);
  if (!key) return undefined;
  const check = randomBytes(4);
  const comment = string("");
  const section = Buffer.concat([check, check, string(key.type), ...key.privateFields, comment]);
  const padding = Buffer.from(Array.from({ length: (8 - (section.length % 8)) % 8 }, (_, index) => index + 1));
  const file = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    string("none"), // cipher
    string("none"), // key derivation
    string(""), // and its options
    uint32(1), // number of keys
    string(Buffer.concat([string(key.type), ...key.publicFields])),
    string(Buffer.concat([section, padding])),
  ]);
  const lines = file.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN OPENSSH PRIVATE KEY-----", ...lines, "-----END OPENSSH PRIVATE KEY-----", ""].join("\n");
}

/** The type's name and its fields in OpenSSH's order; the private ones are empty for a public key. */
function fields(key: KeyObject): { type: string; publicFields: Buffer[]; privateFields: Buffer[] } | undefined {
  // Node can't write other curves as JWK.
  const details = key.asymmetricKeyDetails;
  if (key.asymmetricKeyType === "ec" && details?.namedCurve === "secp224r1") return undefined;
  const jwk = key.export({ format: "jwk" });
  const bytes = (name: "n" | "e" | "d" | "p" | "q" | "qi" | "x" | "y") => Buffer.from(jwk[name] ?? "", "base64url");
  if (jwk.kty === "RSA") {
    const [n, e] = [mpint(bytes("n")), mpint(bytes("e"))];
    const rest = (["d", "qi", "p", "q"] as const).map((name) => mpint(bytes(name)));
    return { type: "ssh-rsa", publicFields: [e, n], privateFields: [n, e, ...rest] };
  }
  if (jwk.kty === "OKP") {
    const point = string(bytes("x"));
    const pair = string(Buffer.concat([bytes("d"), bytes("x")]));
    return { type: "ssh-ed25519", publicFields: [point], privateFields: [point, pair] };
  }
  const curve = curveNames[jwk.crv ?? ""];
  if (!curve) return undefined;
  const publicFields = [string(curve), string(Buffer.concat([Buffer.of(4), bytes("x"), bytes("y")]))];
  return { type: `ecdsa-sha2-${curve}`, publicFields, privateFields: [...publicFields, mpint(bytes("d"))] };
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

function string(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/** A positive number: no leading zeros but one where the first bit would say negative. */
function mpint(value: Buffer): Buffer {
  const first = value.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.alloc(0) : value.subarray(first);
  return string((digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits);
}
