import "reflect-metadata";
import { X509Certificate as NodeCertificate, randomBytes, webcrypto } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import * as x509 from "@peculiar/x509";

const day = 24 * 3600 * 1000;
const caLifetime = 3650 * day;

/** Subject of a certificate to issue. */
export interface CertificateRequest {
  readonly commonName?: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  /** Milliseconds from now. */
  readonly lifetime: number;
  readonly key: KeyKind;
}

/** The private keys cert-manager makes; RSA is its default. */
export type KeyKind =
  | { readonly algorithm: "RSA"; readonly bits: 2048 | 3072 | 4096 }
  | { readonly algorithm: "ECDSA"; readonly curve: "P-256" | "P-384" | "P-521" }
  | { readonly algorithm: "Ed25519" };

/** PEM texts. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/**
 * The sandbox's certificate authority: really signs. Its key is made once and stays in the sandbox's folder, so that a
 * certificate trusted once is trusted after a restart. Nothing outside the sandbox trusts it.
 */
export class CertificateAuthority {
  /** Its own certificate, PEM. */
  readonly certificate: string;
  readonly #issuer: x509.X509Certificate;
  readonly #key: webcrypto.CryptoKey;

  private constructor(certificate: string, key: webcrypto.CryptoKey) {
    this.certificate = certificate;
    this.#issuer = new x509.X509Certificate(certificate);
    this.#key = key;
  }

  /** Reads the authority from `folder`, or makes it there: `ca.crt`, `ca.key`. @throws Error where it can't be read or written */
  static async open(folder: string): Promise<CertificateAuthority> {
    const files = { certificate: join(folder, "ca.crt"), key: join(folder, "ca.key") };
    try {
      const [certificate, key] = await Promise.all([readFile(files.certificate, "utf8"), readFile(files.key, "utf8")]);
      return new CertificateAuthority(certificate, await importKey(key));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    const made = await makeAuthority();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // The certificate comes last and in one step: without it the next start begins anew.
    await writeFile(files.key, made.privateKey, { mode: 0o600 });
    await writeFile(`${files.certificate}.new`, made.certificate);
    await rename(`${files.certificate}.new`, files.certificate);
    return new CertificateAuthority(made.certificate, await importKey(made.privateKey));
  }

  /** @throws Error for an algorithm that gives no key pair */
  async issue(request: CertificateRequest, now = Date.now()): Promise<IssuedCertificate> {
    const keys = await webcrypto.subtle.generateKey(keyParameters(request.key), true, ["sign", "verify"]);
    if (!("privateKey" in keys)) throw new Error(`${request.key.algorithm} gives no key pair.`);
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: randomBytes(16).toString("hex"),
      subject: request.commonName ? [{ CN: [request.commonName] }] : "",
      issuer: this.#issuer.subject,
      notBefore: new Date(now),
      notAfter: new Date(now + request.lifetime),
      publicKey: keys.publicKey,
      signingKey: this.#key,
      signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
      extensions: [
        new x509.SubjectAlternativeNameExtension([
          ...request.dnsNames.map((value) => ({ type: "dns" as const, value })),
          ...request.ipAddresses.map((value) => ({ type: "ip" as const, value })),
        ]),
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        await x509.AuthorityKeyIdentifierExtension.create(this.#issuer.publicKey),
      ],
    });
    return { certificate: `${certificate.toString("pem")}\n`, privateKey: await exportKey(keys.privateKey) };
  }
}

async function makeAuthority(): Promise<IssuedCertificate> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(16).toString("hex"),
    name: "CN=hearth sandbox CA",
    notBefore: new Date(),
    notAfter: new Date(Date.now() + caLifetime),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: `${certificate.toString("pem")}\n`, privateKey: await exportKey(keys.privateKey) };
}

function keyParameters(key: KeyKind) {
  switch (key.algorithm) {
    case "RSA":
      return {
        name: "RSASSA-PKCS1-v1_5",
        hash: "SHA-256",
        publicExponent: new Uint8Array([1, 0, 1]),
        modulusLength: key.bits,
      };
    case "ECDSA":
      return { name: "ECDSA", namedCurve: key.curve };
    case "Ed25519":
      return { name: "Ed25519" };
  }
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return `${x509.PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY")}\n`;
}

async function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const bytes = x509.PemConverter.decodeFirst(pem);
  return webcrypto.subtle.importKey("pkcs8", bytes, { name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
}

/** Subject and lifetime of a certificate (PEM), for comparison with a request. */
export function describeCertificate(pem: string): {
  dnsNames: string[];
  ipAddresses: string[];
  notBefore: Date;
  notAfter: Date;
} {
  const certificate = new NodeCertificate(pem);
  const names = (certificate.subjectAltName ?? "").split(", ").filter(Boolean);
  const of = (prefix: string) =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return {
    dnsNames: of("DNS:"),
    ipAddresses: of("IP Address:").filter((address) => isIP(address)),
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
  };
}
