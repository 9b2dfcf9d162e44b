import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Certificate,
  certificateStatus,
  decide,
  type Issuer,
  type TlsSecret,
} from "@hearth-platform/sandbox/operators/certificate";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const day = 24 * 3600 * 1000;
const now = Date.now();

const certificate = (dnsNames: string[]): Certificate => ({
  apiVersion: "cert-manager.io/v1",
  kind: "Certificate",
  metadata: { name: "web", namespace: "team", generation: 3 },
  spec: { secretName: "web-tls", dnsNames, issuerRef: { name: "letsencrypt", kind: "ClusterIssuer" } },
});

const issuer = (...solvers: object[]): Issuer => ({
  apiVersion: "cert-manager.io/v1",
  kind: "ClusterIssuer",
  metadata: { name: "letsencrypt" },
  spec: { acme: { solvers } },
  status: { conditions: [{ type: "Ready", status: "True", reason: "ACMEAccountRegistered" }] },
});

describe("certificates", () => {
  let folder: string;
  let authority: CertificateAuthority;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "certificates-"));
    authority = await CertificateAuthority.open(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function secret(dnsNames: string[], issuerName = "letsencrypt"): Promise<TlsSecret> {
    const key = { algorithm: "ECDSA", curve: "P-256" } as const;
    const issued = await authority.issue({ dnsNames, ipAddresses: [], lifetime: 90 * day, key }, now);
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const annotations = { "cert-manager.io/issuer-name": issuerName, "cert-manager.io/issuer-kind": "ClusterIssuer" };
    return {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "web-tls", namespace: "team", annotations },
      data: { "tls.crt": base64(issued.certificate), "tls.key": base64(issued.privateKey) },
    };
  }

  it("are signed by an authority that stays the same from start to start", async () => {
    const again = await CertificateAuthority.open(folder);
    expect(again.certificate).toBe(authority.certificate);
    const key = { algorithm: "RSA", bits: 2048 } as const;
    const request = { dnsNames: ["a.example.org"], ipAddresses: ["192.0.2.1"], lifetime: day, key };
    const issued = new X509Certificate((await again.issue(request)).certificate);
    const ca = new X509Certificate(await readFile(join(folder, "ca.crt")));
    expect(issued.verify(ca.publicKey)).toBe(true);
    expect(issued.checkHost("a.example.org")).toBe("a.example.org");
    expect(issued.checkIP("192.0.2.1")).toBe("192.0.2.1");
    expect(issued.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(ca.ca).toBe(true);
    expect(issued.ca).toBe(false);
  });

  it("are issued when there is none", () => {
    expect(decide(certificate(["a.example.org"]), issuer({ http01: {} }))).toMatchObject({
      action: "issue",
      reason: "DoesNotExist",
    });
  });

  it("are kept while names, issuer and time are right, in any order of names", async () => {
    const held = await secret(["b.example.org", "a.example.org"]);
    const wanted = certificate(["a.example.org", "b.example.org"]);
    expect(decide(wanted, issuer({ http01: {} }), held, now).action).toBe("keep");
    expect(decide(wanted, undefined, held, now).action).toBe("keep");
  });

  it("are renewed for other names, another issuer, and after two thirds of their time", async () => {
    const held = await secret(["a.example.org"]);
    const solvers = issuer({ http01: {} });
    expect(decide(certificate(["a.example.org", "new.example.org"]), solvers, held, now).reason).toBe("SecretMismatch");
    const other = await secret(["a.example.org"], "self-signed");
    expect(decide(certificate(["a.example.org"]), solvers, other, now).reason).toBe("IncorrectIssuer");
    expect(decide(certificate(["a.example.org"]), solvers, held, now + 59 * day).action).toBe("keep");
    expect(decide(certificate(["a.example.org"]), solvers, held, now + 61 * day).reason).toBe("Renewing");
  });

  it("wait for an issuer that is missing or not ready", () => {
    const missing = decide(certificate(["a.example.org"]));
    expect(missing).toMatchObject({ action: "wait" });
    expect(missing.message).toContain('clusterissuer.cert-manager.io "letsencrypt" not found');
    const unready = { ...issuer({ http01: {} }), status: {} };
    expect(decide(certificate(["a.example.org"]), unready)).toMatchObject({ action: "wait" });
  });

  it.each([
    ["HTTP-01 alone", [{ http01: {} }], "wait"],
    ["DNS-01", [{ http01: {} }, { dns01: {} }], "issue"],
    ["DNS-01 for another zone", [{ dns01: {}, selector: { dnsZones: ["example.com"] } }], "wait"],
    ["DNS-01 for the zone", [{ dns01: {}, selector: { dnsZones: ["example.org"] } }], "issue"],
  ])("with a wildcard and an issuer of %s", (_, solvers, action) => {
    expect(decide(certificate(["*.pages.example.org"]), issuer(...solvers)).action).toBe(action);
  });

  it("report Ready, and Issuing with the reason when they can't be had", async () => {
    const wanted = certificate(["*.example.org"]);
    const waiting = certificateStatus(wanted, decide(wanted, issuer({ http01: {} })));
    expect(waiting.conditions).toMatchObject([
      { type: "Ready", status: "False", reason: "DoesNotExist", observedGeneration: 3 },
      { type: "Issuing", status: "False", reason: "Failed", message: expect.stringContaining("*.example.org") },
    ]);
    const held = await secret(["*.example.org"]);
    const done = certificateStatus(
      { ...wanted, status: waiting as Certificate["status"] },
      decide(wanted, undefined, held, now),
      held,
    );
    expect(done.conditions).toMatchObject([{ type: "Ready", status: "True", reason: "Ready" }]);
    expect(Date.parse(done.notAfter ?? "") - Date.parse(done.notBefore ?? "")).toBe(90 * day);
  });
});
