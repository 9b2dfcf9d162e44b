import { ingress } from "@hearth-platform/hearth/core/platform-schema";
import { resolve } from "@hearth-platform/hearth/core/resolve";
import { edgePolicies } from "@hearth-platform/hearth/kubernetes/network-policies";
import { objectStoreEdge, storeEdges, storeParties } from "@hearth-platform/hearth/stores/shared/network";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.d.ts";
import { expect, test } from "vitest";

const place = (endpoint: string, clusterNetworks?: string[]) => ({
  namespace: "platform",
  pooler: "forge-db-pooler",
  hasKeystore: true,
  endpoint,
  platform: { ingress: resolve(ingress, { clusterIssuer: "letsencrypt-prod" }), clusterNetworks, monitoring: true },
});
const s3 = place("https://s3.example.org");

/** What a policy lets the database's instances out to for its backups. */
function backupWay(endpoint: string, clusterNetworks?: string[]) {
  const there = place(endpoint, clusterNetworks);
  const edge = objectStoreEdge(there, "database-instances", "Backups.");
  const [planned] = edgePolicies((name) => ({ name }), storeParties(there), [edge]);
  return (planned?.object as NetworkPolicy | undefined)?.spec?.egress?.[0];
}

const allowed = (from: string, to: string) =>
  storeEdges(s3).flatMap((edge) => (edge.from === from && edge.to === to ? (edge.ports ?? []) : []));

test("the database's backups reach an object store at its port", () => {
  expect(backupWay("https://fsn1.your-objectstorage.com")?.ports).toEqual([{ port: 443, protocol: "TCP" }]);
  expect(backupWay("https://s3.example.org:9000")?.ports).toEqual([{ port: 9000, protocol: "TCP" }]);
});

test("the cluster's own addresses are shut where they are known, and an object store among its pods is reached by its namespace", () => {
  const linkLocal = "169.254.0.0/16";
  expect(backupWay("https://s3.example.org", ["10.42.0.0/16"])?.to).toEqual([
    { ipBlock: { cidr: "0.0.0.0/0", except: ["10.42.0.0/16", linkLocal] } },
  ]);
  expect(backupWay("https://s3.example.org")?.to).toEqual([{ ipBlock: { cidr: "0.0.0.0/0", except: [linkLocal] } }]);
  expect(backupWay("https://minio.storage.svc", ["10.42.0.0/16"])).toEqual({
    to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "storage" } } }],
  });
});

test("the API server is reached whatever the cluster's addresses are", () => {
  expect(allowed("database-instances", "anywhere")).toEqual([443, 6443]);
  expect(allowed("forge-db-pooler", "anywhere")).toEqual([443, 6443]);
});

test("cert-manager's pods that prove a host are reached from outside, or certificates would run out", () => {
  expect(allowed("ingress", "certificate-solver")).toEqual([8089]);
  expect(storeParties(s3)["certificate-solver"]?.pods).toEqual({
    matchLabels: { "acme.cert-manager.io/http01-solver": "true" },
  });
});

test("each edge joins known parties and has a reason", () => {
  for (const { from, to, reason } of storeEdges(s3)) {
    expect(Object.keys(storeParties(s3))).toEqual(expect.arrayContaining([from, to]));
    expect(reason).toMatch(/^[A-Z].*\.$/);
  }
});
