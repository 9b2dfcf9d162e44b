import type { PlannedObject } from "../core/plan.ts";
import type { Certificate } from "../kubernetes/custom-resources/certificate.ts";
import type { NamedMetadata } from "./exposure.ts";

/** A certificate in a TLS Secret of its own name; it is awaited. */
export function certificate(metadata: NamedMetadata, hosts: readonly string[], clusterIssuer: string): PlannedObject {
  const object = {
    apiVersion: "cert-manager.io/v1",
    kind: "Certificate",
    metadata: { ...metadata, annotations: { "pulumi.com/waitFor": "condition=Ready" } },
    spec: {
      secretName: metadata.name,
      dnsNames: [...hosts],
      issuerRef: { name: clusterIssuer, kind: "ClusterIssuer" },
    },
  } satisfies Certificate;
  return { object };
}
