import "reflect-metadata";
import { createHash, randomBytes, type webcrypto } from "node:crypto";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  type Name,
  Pkcs10CertificateRequest,
  Pkcs10CertificateRequestGenerator,
  type PublicKey,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import type { GeneratedResource, InputRule } from "../generated.ts";
import type { Properties } from "../grpc.ts";
import { alternativeNames, type SigningKeys, signingKeys, subjectName, withLineEnd } from "./signing.ts";

const keyUses: Record<string, KeyUsageFlags> = {
  digital_signature: KeyUsageFlags.digitalSignature,
  content_commitment: KeyUsageFlags.nonRepudiation,
  key_encipherment: KeyUsageFlags.keyEncipherment,
  data_encipherment: KeyUsageFlags.dataEncipherment,
  key_agreement: KeyUsageFlags.keyAgreement,
  cert_signing: KeyUsageFlags.keyCertSign,
  crl_signing: KeyUsageFlags.cRLSign,
  encipher_only: KeyUsageFlags.encipherOnly,
  decipher_only: KeyUsageFlags.decipherOnly,
};

const extendedUses: Record<string, string> = {
  any_extended: "2.5.29.37.0",
  server_auth: ExtendedKeyUsage.serverAuth,
  client_auth: ExtendedKeyUsage.clientAuth,
  code_signing: ExtendedKeyUsage.codeSigning,
  email_protection: ExtendedKeyUsage.emailProtection,
  ipsec_end_system: "1.3.6.1.5.5.7.3.5",
  ipsec_tunnel: "1.3.6.1.5.5.7.3.6",
  ipsec_user: "1.3.6.1.5.5.7.3.7",
  timestamping: ExtendedKeyUsage.timeStamping,
  ocsp_signing: ExtendedKeyUsage.ocspSigning,
};

const hour = 3_600_000;
/** Object identifier of that extension. */
const subjectAlternativeName = "2.5.29.17";

const names = { dnsNames: { type: "array" }, ipAddresses: { type: "array" }, uris: { type: "array" } } as const;
const validity: Record<string, InputRule> = {
  allowedUses: { type: "array", required: true },
  validityPeriodHours: { type: "number", required: true },
  earlyRenewalHours: { type: "number", default: 0, updatable: true },
  isCaCertificate: { type: "boolean", default: false },
  maxPathLength: { type: "number" },
  setSubjectKeyId: { type: "boolean", default: false },
};
const secretKey = { type: "string", required: true, secret: true } as const;

/** Shared by both kinds of certificate. */
const certificate = {
  validate: ({ allowedUses, isCaCertificate, maxPathLength }: Properties) => {
    const unknown = (Array.isArray(allowedUses) ? allowedUses : []).filter(
      (use) => !(use in keyUses || use in extendedUses),
    );
    const failures = unknown.map((use) => ({
      property: "allowedUses",
      reason: `must be any of ${[...Object.keys(keyUses), ...Object.keys(extendedUses)].join(", ")}, got "${use}"`,
    }));
    if (maxPathLength === undefined || isCaCertificate) return failures;
    return [...failures, { property: "maxPathLength", reason: "is for certificates with isCaCertificate only" }];
  },
  recompute: (state: Properties) => ({ readyForRenewal: isDue(state) }),
  outdated: (state: Properties) => (isDue(state) ? ["readyForRenewal"] : []),
};

function isDue({ validityEndTime, earlyRenewalHours }: Properties): boolean {
  return Date.now() >= Date.parse(String(validityEndTime)) - Number(earlyRenewalHours ?? 0) * hour;
}

/** `tls:index/certRequest:CertRequest`; its id is the SHA-1 of the request. */
export const certRequest: GeneratedResource = {
  inputs: { privateKeyPem: secretKey, subject: { type: "object" }, ...names },
  outputs: ["certRequestPem", "keyAlgorithm"],
  async generate(inputs) {
    const keys = await signingKeys(inputs.privateKeyPem);
    const request = await Pkcs10CertificateRequestGenerator.create({
      name: subjectName(inputs.subject),
      keys,
      signingAlgorithm: keys.signingAlgorithm,
      extensions: alternativeNames(inputs),
    });
    const certRequestPem = withLineEnd(request.toString("pem"));
    return {
      id: createHash("sha1").update(certRequestPem).digest("hex"),
      outputs: { certRequestPem, keyAlgorithm: keys.keyAlgorithm },
    };
  },
};

/** `tls:index/selfSignedCert:SelfSignedCert`; its id is the serial number, as is that of a locally signed one. */
export const selfSignedCert: GeneratedResource = {
  ...certificate,
  inputs: {
    privateKeyPem: secretKey,
    subject: { type: "object" },
    ...names,
    ...validity,
    setAuthorityKeyId: { type: "boolean", default: false },
  },
  outputs: ["certPem", "keyAlgorithm", "readyForRenewal", "validityEndTime", "validityStartTime"],
  async generate(inputs) {
    const keys = await signingKeys(inputs.privateKeyPem);
    const name = subjectName(inputs.subject);
    const authority = inputs.setAuthorityKeyId ? [await AuthorityKeyIdentifierExtension.create(keys.publicKey)] : [];
    const extensions = [...authority, ...alternativeNames(inputs)];
    const signed = await sign(inputs, { subject: name, publicKey: keys.publicKey, issuer: name, keys, extensions });
    return { id: signed.id, outputs: { ...signed.outputs, keyAlgorithm: keys.keyAlgorithm } };
  },
};

/** `tls:index/locallySignedCert:LocallySignedCert`. */
export const locallySignedCert: GeneratedResource = {
  ...certificate,
  inputs: {
    caCertPem: { type: "string", required: true },
    caPrivateKeyPem: secretKey,
    certRequestPem: { type: "string", required: true },
    ...validity,
  },
  outputs: ["certPem", "caKeyAlgorithm", "readyForRenewal", "validityEndTime", "validityStartTime"],
  async generate(inputs) {
    const request = new Pkcs10CertificateRequest(String(inputs.certRequestPem));
    if (!(await request.verify())) throw new Error("certRequestPem: the request's own signature is wrong");
    const authority = new X509Certificate(String(inputs.caCertPem));
    const keys = await signingKeys(inputs.caPrivateKeyPem);
    const requested = request.getExtension(subjectAlternativeName);
    const extensions = [
      ...(authority.getExtension(SubjectKeyIdentifierExtension)
        ? [await AuthorityKeyIdentifierExtension.create(authority)]
        : []),
      ...(requested ? [requested] : []),
    ];
    const { subjectName: subject, publicKey } = request;
    const signed = await sign(inputs, { subject, publicKey, issuer: authority.subjectName, keys, extensions });
    return { id: signed.id, outputs: { ...signed.outputs, caKeyAlgorithm: keys.keyAlgorithm } };
  },
};

interface Signing {
  readonly subject: Name;
  readonly publicKey: webcrypto.CryptoKey | PublicKey;
  readonly issuer: Name;
  readonly keys: SigningKeys;
  readonly extensions: Extension[];
}

async function sign(
  inputs: Properties,
  { subject, publicKey, issuer, keys, extensions }: Signing,
): Promise<{ id: string; outputs: Properties }> {
  const uses: string[] = Array.isArray(inputs.allowedUses) ? inputs.allowedUses : [];
  const flags = uses.reduce((all, use) => all | (keyUses[use] ?? 0), 0);
  const extended = uses.flatMap((use) => extendedUses[use] ?? []);
  const isAuthority = inputs.isCaCertificate === true;
  const pathLength = inputs.maxPathLength === undefined ? undefined : Number(inputs.maxPathLength);
  const notBefore = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  const notAfter = new Date(notBefore.getTime() + Number(inputs.validityPeriodHours) * hour);
  // The first bit stays clear: a serial number is positive.
  const serial = randomBytes(16);
  serial[0] = (serial[0] ?? 0) & 0x7f;
  const signed = await X509CertificateGenerator.create({
    serialNumber: serial.toString("hex"),
    subject,
    issuer,
    publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: keys.signingAlgorithm,
    notBefore,
    notAfter,
    extensions: [
      ...(flags ? [new KeyUsagesExtension(flags, true)] : []),
      ...(extended.length > 0 ? [new ExtendedKeyUsageExtension(extended)] : []),
      new BasicConstraintsExtension(isAuthority, pathLength, true),
      // Go gives every authority its key's identifier.
      ...(isAuthority || inputs.setSubjectKeyId ? [await SubjectKeyIdentifierExtension.create(publicKey)] : []),
      ...extensions,
    ],
  });
  const validityEndTime = rfc3339(notAfter);
  return {
    id: BigInt(`0x${serial.toString("hex")}`).toString(),
    outputs: {
      certPem: withLineEnd(signed.toString("pem")),
      validityStartTime: rfc3339(notBefore),
      validityEndTime,
      readyForRenewal: isDue({ ...inputs, validityEndTime }),
    },
  };
}

function rfc3339(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
