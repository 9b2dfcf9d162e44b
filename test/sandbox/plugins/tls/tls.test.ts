import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatedProvider } from "@hearth-platform/sandbox/plugins/generated";
import { type Properties, Secret } from "@hearth-platform/sandbox/plugins/grpc";
import { resources } from "@hearth-platform/sandbox/plugins/tls/resources";
import { afterEach, describe, expect, test, vi } from "vitest";
import { provider } from "../provider.ts";

const implementation = generatedProvider({ name: "tls", version: "0.0.0" }, resources);
const tls = (type: string) =>
  provider(implementation, { type: `tls:index/${type}:${type.charAt(0).toUpperCase()}${type.slice(1)}` });

/** The state as the engine gives it back: without marks of secrets. */
function bare(state: Properties): Properties {
  const entries = Object.entries(state).map(([name, value]) => [name, value instanceof Secret ? value.value : value]);
  return Object.fromEntries(entries);
}

/** Its texts. */
function plain(state: Properties): Record<string, string> {
  return Object.fromEntries(Object.entries(bare(state)).map(([name, value]) => [name, String(value)]));
}

async function newKey(inputs: Properties): Promise<Record<string, string>> {
  return plain((await tls("privateKey").create(inputs)).state);
}

describe("PrivateKey", () => {
  const kinds = [
    { algorithm: "RSA", begins: "RSA PRIVATE KEY", ssh: "ssh-rsa" },
    { algorithm: "ED25519", begins: "PRIVATE KEY", ssh: "ssh-ed25519" },
    { algorithm: "ECDSA", ecdsaCurve: "P256", begins: "EC PRIVATE KEY", ssh: "ecdsa-sha2-nistp256" },
    { algorithm: "ECDSA", ecdsaCurve: "P384", begins: "EC PRIVATE KEY", ssh: "ecdsa-sha2-nistp384" },
    { algorithm: "ECDSA", ecdsaCurve: "P521", begins: "EC PRIVATE KEY", ssh: "ecdsa-sha2-nistp521" },
  ];

  test.each(kinds)("$algorithm $ecdsaCurve has one key in all its formats", async ({ begins, ssh, ...inputs }) => {
    const key = await newKey(inputs);

    expect(key.privateKeyPem).toMatch(new RegExp(`^-----BEGIN ${begins}-----\n`));
    expect(key.privateKeyPemPkcs8).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(createPrivateKey(key.privateKeyPem ?? "").equals(createPrivateKey(key.privateKeyPemPkcs8 ?? ""))).toBe(true);
    expect(key.publicKeyOpenssh).toMatch(new RegExp(`^${ssh} [A-Za-z0-9+/=]+\n$`));
    expect(key.publicKeyFingerprintMd5).toMatch(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/);
    expect(key.publicKeyFingerprintSha256).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
    expect(publicKeyBySsh(key.privateKeyOpenssh ?? "")).toBe(key.publicKeyOpenssh?.trim());
  });

  test("OpenSSH has no type for curve P224, the default", async () => {
    const key = await newKey({ algorithm: "ECDSA" });

    expect(key).toMatchObject({ ecdsaCurve: "P224", publicKeyOpenssh: "", privateKeyOpenssh: "" });
  });

  test("a key of RSA has 2048 bits, the default", async () => {
    const { rsaBits, privateKeyPem = "" } = await newKey({ algorithm: "RSA" });

    expect(rsaBits).toBe("2048");
    expect(createPrivateKey(privateKeyPem).asymmetricKeyDetails?.modulusLength).toBe(2048);
  });

  test("private keys are secret, public ones are not", async () => {
    const { state } = await tls("privateKey").create({ algorithm: "ED25519" });

    const secret = Object.keys(state).filter((name) => state[name] instanceof Secret);
    expect(secret.sort()).toEqual(["privateKeyOpenssh", "privateKeyPem", "privateKeyPemPkcs8"]);
  });

  test("another algorithm is refused", async () => {
    expect(await tls("privateKey").check({ algorithm: "DSA" })).toEqual([
      { property: "algorithm", reason: 'must be one of RSA, ECDSA, ED25519, got "DSA"' },
    ]);
  });
});

/** The public key that OpenSSH itself reads from the private one. */
function publicKeyBySsh(privateKey: string): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-key-"));
  try {
    const file = join(folder, "key");
    writeFileSync(file, privateKey, { mode: 0o600 });
    return execFileSync("ssh-keygen", ["-y", "-f", file], { encoding: "utf8" }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("certificates", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const validity = { validityPeriodHours: 10, earlyRenewalHours: 2 };

  async function authority(key: Record<string, string>): Promise<Record<string, string>> {
    const { state } = await tls("selfSignedCert").create({
      privateKeyPem: key.privateKeyPem,
      subject: { commonName: "Test authority", organization: "Example" },
      isCaCertificate: true,
      allowedUses: ["cert_signing", "crl_signing"],
      ...validity,
    });
    return plain(state);
  }

  test.each(["RSA", "ED25519", "P256", "P384", "P521"])(
    "an authority with a key of %s signs a request",
    async (kind) => {
      const key = await newKey(kind.startsWith("P") ? { algorithm: "ECDSA", ecdsaCurve: kind } : { algorithm: kind });
      const ca = await authority(key);
      const leaf = await newKey({ algorithm: "ECDSA", ecdsaCurve: "P256" });
      const request = plain(
        (
          await tls("certRequest").create({
            privateKeyPem: leaf.privateKeyPem,
            subject: { commonName: "a.example.org" },
            dnsNames: ["a.example.org", "*.b.example.org"],
            ipAddresses: ["127.0.0.1"],
            uris: ["spiffe://example.org/a"],
          })
        ).state,
      );

      const { id, state } = await tls("locallySignedCert").create({
        caCertPem: ca.certPem,
        caPrivateKeyPem: key.privateKeyPem,
        certRequestPem: request.certRequestPem,
        allowedUses: ["digital_signature", "server_auth"],
        ...validity,
      });

      const root = new X509Certificate(ca.certPem ?? "");
      const signed = new X509Certificate(plain(state).certPem ?? "");
      expect(root.ca).toBe(true);
      expect(root.subject).toBe("O=Example\nCN=Test authority");
      expect(signed.ca).toBe(false);
      expect(signed.verify(root.publicKey)).toBe(true);
      expect(signed.checkIssued(root)).toBe(true);
      expect(signed.subjectAltName).toBe(
        "DNS:a.example.org, DNS:*.b.example.org, IP Address:127.0.0.1, URI:spiffe://example.org/a",
      );
      expect(signed.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
      expect(signed.checkPrivateKey(createPrivateKey(leaf.privateKeyPem ?? ""))).toBe(true);
      expect(BigInt(id)).toBe(BigInt(`0x${signed.serialNumber}`));
      expect(new Date(signed.validTo).getTime() - new Date(signed.validFrom).getTime()).toBe(10 * 3_600_000);
      expect(state.readyForRenewal).toBe(false);
    },
  );

  test("a certificate is replaced once its early renewal begins, and not before", async () => {
    const key = await newKey({ algorithm: "ED25519" });
    const inputs = {
      privateKeyPem: key.privateKeyPem,
      isCaCertificate: true,
      allowedUses: ["cert_signing", "crl_signing"],
      subject: { commonName: "Test authority", organization: "Example" },
      ...validity,
    };
    const state = bare((await tls("selfSignedCert").create(inputs)).state);
    const end = Date.parse(String(state.validityEndTime));

    vi.setSystemTime(end - 2 * 3_600_000 - 1_000);
    expect((await tls("selfSignedCert").diff(state, inputs)).changes).toBe(false);
    vi.setSystemTime(end - 2 * 3_600_000 + 1_000);
    expect((await tls("selfSignedCert").diff(state, inputs)).replaces).toEqual(["readyForRenewal"]);
    expect(await tls("selfSignedCert").refresh(state)).toMatchObject({ readyForRenewal: true });
  });

  test("another early renewal changes the certificate in place", async () => {
    const key = await newKey({ algorithm: "ED25519" });
    const inputs = { privateKeyPem: key.privateKeyPem, allowedUses: [], validityPeriodHours: 10 };
    const state = bare((await tls("selfSignedCert").create(inputs)).state);

    const diff = await tls("selfSignedCert").diff(state, { ...inputs, earlyRenewalHours: 1 });

    expect(diff).toMatchObject({ changes: true, replaces: [] });
  });

  test("an unknown use is refused", async () => {
    const failures = await tls("selfSignedCert").check({
      privateKeyPem: "k",
      allowedUses: ["server_auth", "everything"],
      validityPeriodHours: 1,
    });

    expect(failures).toHaveLength(1);
    expect(failures[0]?.property).toBe("allowedUses");
    expect(failures[0]?.reason).toContain('got "everything"');
  });

  test("an error about a key says nothing of the key", async () => {
    const inputs = {
      privateKeyPem: "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n",
      allowedUses: [],
      validityPeriodHours: 1,
    };

    await expect(tls("selfSignedCert").create(inputs)).rejects.toThrow(
      /^The private key is not a PEM text that holds an unencrypted private key\.$/,
    );
  });
});

describe.each([
  ["certRequest", "privateKeyPem"],
  ["selfSignedCert", "privateKeyPem"],
  ["locallySignedCert", "caPrivateKeyPem"],
])("a %s", (type, key) => {
  test("needs its private key, which is secret in the state", async () => {
    expect((await tls(type).check({})).map(({ property }) => property)).toContain(key);
    const { privateKeyPem } = await newKey({ algorithm: "ED25519" });
    const validity = { allowedUses: ["server_auth"], validityPeriodHours: 10 };
    const ca = await tls("selfSignedCert").create({ ...validity, privateKeyPem, isCaCertificate: true });
    const request = await tls("certRequest").create({ privateKeyPem });
    const { certPem } = plain(ca.state);
    const { certRequestPem } = plain(request.state);
    const inputs = { ...validity, privateKeyPem, caPrivateKeyPem: privateKeyPem, caCertPem: certPem, certRequestPem };
    expect((await tls(type).create(inputs)).state[key]).toBeInstanceOf(Secret);
  });
});
