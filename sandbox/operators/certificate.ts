/**
 * Stands in for cert-manager 1.21: gives a Certificate its TLS Secret, signed by the sandbox's own authority, and its
 * conditions; renews after a change of the names or two thirds of the lifetime.
 *
 * Not simulated: ACME (no challenge is made, no rate limit met, DNS is never asked), CertificateRequests, Orders,
 * keystores, and trust: no browser trusts the authority. A failure that cert-manager reports on those objects is told in
 * the Certificate's own Issuing condition.
 */

import { parseDuration } from "@hearth-platform/hearth/core/durations";
import type { KubeClient } from "../kubernetes/client.ts";
import type { KubernetesObject } from "../kubernetes/objects.ts";
import { type CertificateAuthority, describeCertificate, type KeyKind } from "./certificate-authority.ts";
import { type Condition, timestamp, transition } from "./conditions.ts";
import { type Operator, report } from "./controller.ts";

const apiVersion = "cert-manager.io/v1";
const manager = "cert-manager";
const secretKind = { apiVersion: "v1", kind: "Secret" };
/** 90 days. */
const defaultDuration = "2160h0m0s";

export interface Certificate extends KubernetesObject {
  spec: {
    secretName: string;
    commonName?: string;
    dnsNames?: string[];
    ipAddresses?: string[];
    /** Go duration, such as `2160h0m0s`. */
    duration?: string;
    issuerRef: { name: string; kind?: string; group?: string };
    privateKey?: { algorithm?: "RSA" | "ECDSA" | "Ed25519"; size?: number };
    secretTemplate?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  };
  status?: { conditions?: Condition[]; revision?: number };
}

export interface Issuer extends KubernetesObject {
  spec: { acme?: { solvers?: Solver[] } };
  status?: { conditions?: Condition[] };
}

interface Solver {
  dns01?: unknown;
  http01?: unknown;
  selector?: { dnsZones?: string[]; dnsNames?: string[] };
}

export interface TlsSecret extends KubernetesObject {
  /** Values in base64. */
  data?: Record<string, string>;
}

/** The next action for a Certificate, with cert-manager's reason and message. */
export interface Decision {
  readonly action: "issue" | "keep" | "wait";
  readonly reason: string;
  readonly message: string;
}

/** Decides from the Certificate, its issuer and its Secret, both if they are there, what cert-manager would do. */
export function decide(certificate: Certificate, issuer?: Issuer, secret?: TlsSecret, now = Date.now()): Decision {
  const decision = judgeSecret(certificate, secret, now);
  if (decision.action === "keep") return decision;
  const obstacle = issuer ? findObstacle(certificate, issuer) : missingIssuer(certificate);
  return obstacle ? { action: "wait", reason: "Failed", message: obstacle } : decision;
}

function judgeSecret({ spec }: Certificate, secret: TlsSecret | undefined, now: number): Decision {
  if (!secret) return issue("DoesNotExist", "Issuing certificate as Secret does not exist");
  const [certificate, key] = ["tls.crt", "tls.key"].map((name) => decode(secret.data?.[name]));
  if (!certificate || !key) return issue("MissingData", "Issuing certificate as Secret does not contain a certificate");
  const held = parse(certificate);
  if (!held) return issue("InvalidCertificate", "Issuing certificate as Secret contains an invalid certificate");
  const { annotations = {} } = secret.metadata;
  const { name, kind = "Issuer" } = spec.issuerRef;
  if (annotations["cert-manager.io/issuer-name"] !== name || annotations["cert-manager.io/issuer-kind"] !== kind)
    return issue("IncorrectIssuer", "Issuing certificate as Secret was previously issued by another issuer");
  if (!sameNames(held.dnsNames, dnsNamesOf(spec)) || !sameNames(held.ipAddresses, spec.ipAddresses ?? []))
    return issue("SecretMismatch", "Existing issued Secret is not up to date for spec: [spec.dnsNames]");
  if (now >= renewalTime(held.notBefore, held.notAfter).getTime())
    return issue("Renewing", "Renewing certificate as renewal was scheduled");
  return { action: "keep", reason: "Ready", message: "Certificate is up to date and has not expired" };
}

const issue = (reason: string, message: string): Decision => ({ action: "issue", reason, message });

function missingIssuer({ spec: { issuerRef } }: Certificate): string {
  const kind = issuerRef.kind ?? "Issuer";
  return `Referenced "${kind}" not found: ${kind.toLowerCase()}.cert-manager.io "${issuerRef.name}" not found`;
}

/** Why the issuer cannot give this certificate; undefined when it can. */
function findObstacle({ spec }: Certificate, issuer: Issuer): string | undefined {
  if (!issuer.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True"))
    return `Referenced issuer does not have a Ready status condition`;
  const { acme } = issuer.spec;
  const unsolved = acme && dnsNamesOf(spec).find((name) => !acme.solvers?.some((solver) => solves(solver, name)));
  if (unsolved === undefined) return undefined;
  return (
    "The certificate request has failed to complete and will be retried: Failed to determine a valid solver " +
    `configuration for the set of domains on the Order: no configured challenge solvers can be used for this challenge (${unsolved})`
  );
}

function solves({ dns01, selector }: Solver, name: string): boolean {
  // An ACME server lets nobody prove a wildcard by HTTP.
  if (name.startsWith("*.") && !dns01) return false;
  if (!selector?.dnsNames?.length && !selector?.dnsZones?.length) return true;
  const zones = selector.dnsZones ?? [];
  return selector.dnsNames?.includes(name) || zones.some((zone) => name === zone || name.endsWith(`.${zone}`));
}

/** The operator for Certificates. */
export function certificates(client: KubeClient, authority: CertificateAuthority): Operator {
  return {
    reconciles: { apiVersion, kind: "Certificate" },
    dependsOn: [{ apiVersion, kind: "ClusterIssuer" }, { apiVersion, kind: "Issuer" }, secretKind],
    async reconcile(object) {
      const certificate = object as Certificate;
      const { spec, metadata } = certificate;
      const issuerKind = { apiVersion, kind: spec.issuerRef.kind ?? "Issuer" };
      const issuer = await client.get<Issuer>(
        issuerKind,
        spec.issuerRef.name,
        issuerKind.kind === "Issuer" ? metadata.namespace : undefined,
      );
      let secret = await client.get<TlsSecret>(secretKind, spec.secretName, metadata.namespace);
      const decision = decide(certificate, issuer, secret);
      if (decision.action === "issue") {
        secret = await client.apply(await tlsSecret(certificate, authority), manager);
        console.log(`Certificate ${metadata.namespace}/${metadata.name} issued: ${decision.message}`);
      }
      const status = certificateStatus(certificate, decision, secret);
      await report(client, certificate, status, manager);
    },
  };
}

async function tlsSecret(certificate: Certificate, authority: CertificateAuthority): Promise<TlsSecret> {
  const { spec, metadata } = certificate;
  const dnsNames = dnsNamesOf(spec);
  const ipAddresses = spec.ipAddresses ?? [];
  const { commonName } = spec;
  const lifetime = (parseDuration(spec.duration ?? defaultDuration) ?? 0) * 1000;
  const issued = await authority.issue({ commonName, dnsNames, ipAddresses, lifetime, key: keyKind(spec.privateKey) });
  return {
    ...secretKind,
    metadata: {
      name: spec.secretName,
      namespace: metadata.namespace,
      labels: { ...spec.secretTemplate?.labels, "controller.cert-manager.io/fao": "true" },
      annotations: {
        ...spec.secretTemplate?.annotations,
        "cert-manager.io/alt-names": dnsNames.join(","),
        "cert-manager.io/certificate-name": metadata.name,
        "cert-manager.io/common-name": commonName ?? "",
        "cert-manager.io/ip-sans": ipAddresses.join(","),
        "cert-manager.io/issuer-group": spec.issuerRef.group ?? "cert-manager.io",
        "cert-manager.io/issuer-kind": spec.issuerRef.kind ?? "Issuer",
        "cert-manager.io/issuer-name": spec.issuerRef.name,
        "cert-manager.io/uri-sans": "",
      },
    },
    type: "kubernetes.io/tls",
    data: {
      "tls.crt": encode(issued.certificate),
      "tls.key": encode(issued.privateKey),
      "ca.crt": encode(authority.certificate),
    },
  };
}

/** The status as cert-manager writes it; a certificate that can't be renewed stays Ready as long as it is valid. */
export function certificateStatus(certificate: Certificate, decision: Decision, secret?: TlsSecret, now = timestamp()) {
  const { status, metadata } = certificate;
  const ready = decision.action !== "wait";
  const absent = { reason: "DoesNotExist", message: "Issuing certificate as Secret does not exist" };
  const upToDate = { reason: "Ready", message: "Certificate is up to date and has not expired" };
  const held = parse(decode(secret?.data?.["tls.crt"]));
  const condition = (type: string, value: boolean, text: { reason: string; message: string }) => ({
    ...transition(status?.conditions, { type, status: value ? "True" : "False", ...text }, now),
    observedGeneration: metadata.generation,
  });
  return {
    conditions: [
      condition("Ready", ready, ready ? upToDate : absent),
      ...(ready ? [] : [condition("Issuing", false, { reason: decision.reason, message: decision.message })]),
    ],
    revision: (status?.revision ?? 0) + (decision.action === "issue" ? 1 : 0) || undefined,
    ...(held && {
      notBefore: timestamp(held.notBefore),
      notAfter: timestamp(held.notAfter),
      renewalTime: timestamp(renewalTime(held.notBefore, held.notAfter)),
    }),
  };
}

/** cert-manager renews after two thirds of the lifetime. */
function renewalTime(notBefore: Date, notAfter: Date): Date {
  return new Date(notBefore.getTime() + ((notAfter.getTime() - notBefore.getTime()) * 2) / 3);
}

function dnsNamesOf({ commonName, dnsNames = [] }: Certificate["spec"]): string[] {
  return dnsNames.length > 0 || !commonName ? dnsNames : [commonName];
}

function sameNames(left: readonly string[], right: readonly string[]): boolean {
  return [...left].sort().join() === [...new Set(right)].sort().join();
}

function keyKind({ algorithm = "RSA", size }: NonNullable<Certificate["spec"]["privateKey"]> = {}): KeyKind {
  if (algorithm === "Ed25519") return { algorithm };
  if (algorithm === "ECDSA") return { algorithm, curve: size === 384 ? "P-384" : size === 521 ? "P-521" : "P-256" };
  return { algorithm: "RSA", bits: size === 4096 || size === 3072 ? size : 2048 };
}

function parse(pem: string | undefined) {
  try {
    return pem ? describeCertificate(pem) : undefined;
  } catch {
    return undefined;
  }
}

const encode = (text: string) => Buffer.from(text).toString("base64");
const decode = (base64: string | undefined) => (base64 ? Buffer.from(base64, "base64").toString() : undefined);
