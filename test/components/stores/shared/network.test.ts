import { ingress } from "@hearth-platform/hearth/core/platform-schema";
import { resolve } from "@hearth-platform/hearth/core/resolve";
import { storeEdges, storeParties } from "@hearth-platform/hearth/stores/shared/network";
import { expect, test } from "vitest";

const parties = storeParties({ ingress: resolve(ingress, { clusterIssuer: "letsencrypt-prod" }) });

const allowed = (endpoint: string, from: string, to: string) =>
  storeEdges({ endpoint }).flatMap((edge) => (edge.from === from && edge.to === to ? (edge.ports ?? []) : []));

test("the database's backups reach an object store at any port", () => {
  expect(allowed("https://fsn1.your-objectstorage.com", "database-instances", "anywhere")).toEqual([443, 6443]);
  expect(allowed("https://s3.example.org:9000", "database-instances", "anywhere")).toEqual([443, 6443, 9000]);
});

test("cert-manager's pods that prove a host are reached from outside, or certificates would run out", () => {
  expect(allowed("https://s3.example.org", "ingress", "certificate-solver")).toEqual([8089]);
  expect(parties["certificate-solver"]?.pods).toEqual({
    matchLabels: { "acme.cert-manager.io/http01-solver": "true" },
  });
});

test("each edge joins known parties and has a reason", () => {
  for (const { from, to, reason } of storeEdges({ endpoint: "https://s3.example.org" })) {
    expect(Object.keys(parties)).toEqual(expect.arrayContaining([from, to]));
    expect(reason).toMatch(/^[A-Z].*\.$/);
  }
});
