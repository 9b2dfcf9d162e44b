import { BlockList } from "node:net";
import { names } from "@hearth-platform/hearth/catalogue/names";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { stackParts } from "@hearth-platform/stack/parts";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.d.ts";
import { expect, test } from "vitest";
import { checkFiles, committedStack, type StackFiles, wholePlatform, withSettings } from "../support/stack-files.ts";
import { connection, type Pod, podsOf } from "./support/network.ts";

/** The network policies of the whole platform, evaluated over all pairs of pods and all ports. */

function objectsOf(files: StackFiles): KubernetesObject[] {
  const { stack } = checkFiles(files);
  return stackParts(stack as NonNullable<typeof stack>).flatMap((part) =>
    part.plans().flatMap((plan) => plan.objects.map(({ object }) => object)),
  );
}
const policiesOf = (objects: readonly KubernetesObject[]) =>
  objects.filter(({ kind }) => kind === "NetworkPolicy") as unknown as NetworkPolicy[];

const objects = objectsOf(wholePlatform());
const policies = policiesOf(objects);

const stranger = (name: string, namespace: string, labels: Record<string, string> = {}): Pod => ({
  ...{ name, namespace, labels },
  ports: [],
});
/** Pods that are not the platform's, and some that are, of other parts. */
const outside: Pod[] = [
  stranger("ingress", "traefik", { "app.kubernetes.io/name": "traefik" }),
  stranger("prometheus", "monitoring", { "app.kubernetes.io/name": "prometheus" }),
  stranger("database-operator", "cnpg-system", { "app.kubernetes.io/name": "cloudnative-pg" }),
  stranger("stranger", "elsewhere"),
  // A label can be written by anybody: what counts is the namespace.
  stranger("impostor", "elsewhere", {
    "app.kubernetes.io/name": names.forge.webservice,
    "app.kubernetes.io/part-of": "forge",
  }),
  stranger("stranger-inside", "platform"),
  stranger("ci-job", "platform-jobs"),
];
const inside = podsOf(objects).filter(({ namespace }) => namespace === "platform");
const allPorts = [...new Set([...inside.flatMap(({ ports }) => ports), 22, 443, 3306, 6443])];

/** `hub-migrations-2-15-2` → `hub-migrations`. */
const lasting = ({ name }: Pod) => name.replace(/-(?:[0-9a-f]{8}|\d+-\d+-\d+)$/, "");

/** What is reached: from whom, whom, at which port. */
const connections = inside.flatMap((to) =>
  [...inside, ...outside].flatMap((from) => {
    if (from === to) return [];
    const allows = connection(policies, from, to);
    return allPorts.filter(allows).map((port) => ({ from: lasting(from), to: lasting(to), port }));
  }),
);

/** Who may connect to a port of a pod. */
function callers(name: string, to: number): string[] {
  const allowed = connections.filter((each) => each.to === name && each.port === to);
  return [...new Set(allowed.map(({ from }) => from))].sort();
}

test("pods of the forge's namespace are reached by these, at these ports, and by no one else", () => {
  const rows = new Set(connections.map(({ to, port }) => `${to}:${port} <- ${callers(to, port).join(" ")}`));
  expect([...rows].sort().join("\n")).toMatchInlineSnapshot(`
    "forge-db-pooler:5432 <- forge-application-hub forge-backup forge-gitstore forge-jobs forge-migrations forge-pages forge-post-migrations forge-runner forge-runner-registration forge-settings forge-shell forge-toolbox forge-webservice hub-core hub-jobservice hub-migrations
    forge-db-pooler:9127 <- prometheus
    forge-db:5432 <- database-operator forge-db-pooler
    forge-db:8000 <- database-operator
    forge-db:9187 <- prometheus
    forge-gitstore:8075 <- forge-backup forge-jobs forge-shell forge-toolbox forge-webservice
    forge-gitstore:9236 <- prometheus
    forge-jobs:3807 <- prometheus
    forge-pages:8090 <- ingress
    forge-pages:9235 <- prometheus
    forge-runner:9252 <- prometheus
    forge-shell:2222 <- ingress
    forge-shell:9122 <- prometheus
    forge-webservice:8080 <- forge-gitstore forge-pages forge-runner forge-shell
    forge-webservice:8083 <- prometheus
    forge-webservice:8181 <- ci-job forge-gitstore forge-pages forge-runner forge-shell hub-sign-in ingress
    hub-core:8001 <- prometheus
    hub-core:8080 <- hub-jobservice hub-settings hub-sign-in ingress
    hub-jobservice:8001 <- prometheus
    hub-jobservice:8080 <- hub-core
    hub-portal:8080 <- hub-core ingress
    hub-registry:5000 <- hub-core hub-jobservice
    hub-registry:8001 <- prometheus
    hub-registry:8080 <- hub-core hub-jobservice
    hub-sign-in:8080 <- ingress
    hub-sign-in:9090 <- prometheus
    keystore-exporter:9121 <- prometheus
    keystore:6379 <- forge-application-hub forge-backup forge-gitstore forge-jobs forge-migrations forge-pages forge-post-migrations forge-runner forge-runner-registration forge-settings forge-shell forge-toolbox forge-webservice hub-core hub-jobservice hub-migrations hub-registry keystore-exporter"
  `);
});

/** Callers that the specification lists for its internal ports. */
const listed: readonly (readonly [string, number, readonly string[]])[] = [
  ["forge-webservice", 8080, ["forge-shell", "forge-pages", "forge-runner"]],
  ["forge-gitstore", 8075, ["forge-webservice", "forge-jobs", "forge-toolbox"]],
  ["forge-db-pooler", 5432, ["forge-webservice", "forge-jobs", "forge-toolbox", "hub-core"]],
  ["forge-db", 5432, ["forge-db-pooler", "database-operator"]],
  ["keystore", 6379, ["forge-webservice", "forge-jobs", "hub-core", "hub-registry", "hub-jobservice"]],
];

test.each(listed)("%s:%d is reached by the callers of the specification", (name, port, expected) => {
  expect(callers(name, port)).toEqual(expect.arrayContaining([...expected]));
});

test("the keystore is reached by forge, hub and its exporter alone", () => {
  expect(callers("keystore", 6379).filter((name) => !/^(forge|hub)-/.test(name))).toEqual(["keystore-exporter"]);
});

test("the database itself is reached by its operator and its pooler alone", () => {
  expect(callers("forge-db", 5432)).toEqual(["database-operator", "forge-db-pooler"]);
});

test("a pod with the operator's label reaches the database from the operator's namespace alone, where that is named", () => {
  const database = inside.find(({ name }) => name === "forge-db") as Pod;
  const labels = { "app.kubernetes.io/name": "cloudnative-pg" };
  const reaches = (files: StackFiles, namespace: string) =>
    connection(policiesOf(objectsOf(files)), stranger("labelled", namespace, labels), database)(5432);
  const named = withSettings(wholePlatform(), { databaseOperatorNamespace: "cnpg-system" });
  expect(["cnpg-system", "elsewhere"].map((namespace) => reaches(named, namespace))).toEqual([true, false]);
  expect(reaches(wholePlatform(), "elsewhere")).toBe(true);
});

test("a stranger reaches no port, in whatever namespace and with whatever labels", () => {
  expect(connections.filter(({ from }) => /stranger|impostor/.test(from))).toEqual([]);
});

const holds = (cidr: string, address: string) => {
  const [network = "", bits] = cidr.split("/");
  const list = new BlockList();
  list.addSubnet(network, Number(bits));
  return list.check(address);
};

test.each(["dev", "prod"])("no way out of a pod of %s leads to the cloud's metadata", (stack) => {
  const everywhere = { "forge.networkPolicies": true, "siteWebhook.networkPolicies": true };
  const ways = policiesOf(objectsOf(withSettings(committedStack(stack), everywhere))).flatMap(({ metadata, spec }) =>
    (spec?.egress ?? []).map(({ to }) => ({ policy: `${metadata?.namespace}/${metadata?.name}`, to })),
  );
  const leads = ways.filter(
    ({ to }) =>
      to === undefined ||
      to.some(({ ipBlock }) => {
        const { cidr, except = [] } = ipBlock ?? { cidr: "0.0.0.0/32" };
        return holds(cidr, "169.254.169.254") && !except.some((each) => holds(each, "169.254.169.254"));
      }),
  );
  expect(ways.map(({ policy }) => policy)).toEqual(expect.arrayContaining(["site-webhook/allow-site-webhook"]));
  expect(leads).toEqual([]);
});
