import { edges, parties } from "@hearth-platform/hearth/forge/network";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.d.ts";
import { describe, expect, test } from "vitest";
import { planForge, planHub, resolvedForge } from "../../support/plans.ts";
import { completeHub } from "../hub/hub.ts";
import { completeForge, objectIds } from "./forge.ts";

describe("network policies", () => {
  const args = { ...completeForge, networkPolicies: true };

  test("are there in production, and elsewhere if asked for", () => {
    const policed = (profile: "production" | "development", networkPolicies?: boolean, ofForge?: boolean) =>
      objectIds({
        ...completeForge,
        networkPolicies: ofForge,
        platform: { ...completeForge.platform, profile, networkPolicies },
      }).includes("NetworkPolicy/default-deny");
    expect([policed("production"), policed("development")]).toEqual([true, false]);
    expect([policed("production", false), policed("development", true)]).toEqual([false, true]);
    expect([policed("production", undefined, false), policed("development", false, true)]).toEqual([false, true]);
  });

  test("each edge joins known parties and has a reason of its own", () => {
    const known = Object.keys(parties(resolvedForge(args)));
    for (const { from, to, reason } of edges(resolvedForge(args))) {
      expect(known).toEqual(expect.arrayContaining([from, to]));
      expect(reason).toMatch(/^[A-Z].*\.$/);
    }
  });

  test("let the git store reach the object store", () => {
    const all = parties(resolvedForge(args));
    const toStore = edges(resolvedForge(args)).filter(({ to }) => to === "object-store");
    expect(toStore.map(({ from }) => all[from]?.pods)).toContainEqual({
      matchLabels: { "app.kubernetes.io/part-of": "forge" },
      matchExpressions: [
        { key: "app.kubernetes.io/name", operator: "NotIn", values: expect.not.arrayContaining(["forge-gitstore"]) },
      ],
    });
  });

  test("let CI jobs reach names, the forge, the ingress, the internet without inner networks, and what is allowed besides", () => {
    const found = planForge({ ...args, runner: { allowedNetworks: ["10.1.2.3/32"] } }).objects.flatMap(({ object }) =>
      object.kind === "NetworkPolicy" && object.metadata.namespace === "platform-jobs"
        ? [(object as unknown as NetworkPolicy).spec]
        : [],
    );
    const namespace = (name: string) => ({ matchLabels: { "kubernetes.io/metadata.name": name } });
    const app = (name: string) => ({ matchLabels: { "app.kubernetes.io/name": name } });
    const dns = {
      to: [
        { namespaceSelector: {}, podSelector: { matchLabels: { "k8s-app": "kube-dns" } } },
        { ipBlock: { cidr: "169.254.20.10/32" } },
        { ipBlock: { cidr: "169.254.25.10/32" } },
      ],
    };
    expect(found).toEqual([
      { podSelector: {}, policyTypes: ["Ingress", "Egress"] },
      {
        podSelector: {},
        policyTypes: ["Egress"],
        egress: [
          { ...dns, ports: [{ port: 53, protocol: "UDP" }] },
          { ...dns, ports: [{ port: 53, protocol: "TCP" }] },
          {
            to: [{ namespaceSelector: namespace("platform"), podSelector: app("forge-webservice") }],
            ports: [{ port: 8181, protocol: "TCP" }],
          },
          { to: [{ namespaceSelector: {}, podSelector: app("traefik") }] },
          {
            to: [
              {
                ipBlock: {
                  cidr: "0.0.0.0/0",
                  except: ["10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"],
                },
              },
            ],
          },
          { to: [{ ipBlock: { cidr: "10.1.2.3/32" } }] },
        ],
      },
    ]);
  });

  test("let nothing outside reach the application's own port, git store, database or keystore", () => {
    const outside = Object.entries(parties(resolvedForge(args))).flatMap(([name, party]) =>
      party.outside ? [name] : [],
    );
    const inner = [8080, 8075, 6379];
    const reached = edges(resolvedForge(args)).filter(
      ({ from, ports = [] }) => outside.includes(from) && ports.some((port) => inner.includes(port)),
    );
    expect(reached).toEqual([]);
  });

  test("let the pods of forge and hub and its exporter reach the keystore, and no others", () => {
    const objects = [...planForge(args).objects, ...planHub(completeHub).objects].map(({ object }) => object);
    const ofKeystore = objects
      .filter(({ kind }) => kind === "NetworkPolicy")
      .map((object) => (object as unknown as NetworkPolicy).spec)
      .filter((spec) => spec?.podSelector?.matchLabels?.["app.kubernetes.io/name"] === "keystore");
    const callers = ofKeystore.flatMap((spec) => spec?.ingress ?? []);
    expect(callers.map(({ ports }) => ports)).toEqual(callers.map(() => [{ port: 6379, protocol: "TCP" }]));
    const labels = callers.flatMap(({ from }) => from?.map(({ podSelector }) => podSelector?.matchLabels));
    expect(labels).toEqual([
      { "app.kubernetes.io/part-of": "forge" },
      ...["keystore-exporter", "hub-core", "hub-migrations", "hub-registry", "hub-jobservice"].map((name) => ({
        "app.kubernetes.io/name": name,
      })),
    ]);
  });
});
