import { BlockList } from "node:net";
import { names } from "@hearth-platform/hearth/catalogue/names";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { stackParts } from "@hearth-platform/stack/parts";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.d.ts";
import { describe, expect, test } from "vitest";
import { checkFiles, committedStack, type StackFiles, wholePlatform, withSettings } from "../support/stack-files.ts";
import { connection, neighbours, type Pod, podsOf } from "./support/network.ts";

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
  ...neighbours,
  stranger("stranger", "elsewhere"),
  // A label can be written by anybody: what counts is the namespace.
  stranger("impostor", "elsewhere", {
    "app.kubernetes.io/name": names.forge.webservice,
    "app.kubernetes.io/part-of": "forge",
  }),
  stranger("stranger-inside", "platform"),
];
const inside = podsOf(objects).filter(({ namespace }) => namespace === "platform");

/** `hub-migrations-2-15-2` → `hub-migrations`. */
const lasting = ({ name }: Pod) => name.replace(/-(?:[0-9a-f]{8}|\d+-\d+-\d+)$/, "");

interface Connection {
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/** What is reached of some pods: from whom, whom, at which port. */
function connectionsTo(reached: readonly Pod[], by: readonly Pod[], under = policies): Connection[] {
  const allPorts = [...new Set([...reached.flatMap(({ ports }) => ports), 22, 443, 3306, 6443])];
  return reached.flatMap((to) =>
    [...reached, ...by].flatMap((from) => {
      if (from === to) return [];
      const allows = connection(under, from, to);
      return allPorts.filter(allows).map((port) => ({ from: lasting(from), to: lasting(to), port }));
    }),
  );
}

/** Each port of a pod that is reached, and by whom. */
function rowsOf(connections: readonly Connection[]): string {
  const rows = connections.map(({ to, port }) => `${to}:${port} <- ${callersOf(connections, to, port).join(" ")}`);
  return [...new Set(rows)].sort().join("\n");
}

function callersOf(connections: readonly Connection[], name: string, to: number): string[] {
  const allowed = connections.filter((each) => each.to === name && each.port === to);
  return [...new Set(allowed.map(({ from }) => from))].sort();
}

const connections = connectionsTo(inside, outside);

/** Who may connect to a port of a pod. */
const callers = (name: string, to: number) => callersOf(connections, name, to);

test("pods of the forge's namespace are reached by these, at these ports, and by no one else", () => {
  expect(rowsOf(connections)).toMatchInlineSnapshot(`
    "forge-db-pooler:5432 <- forge-application-hub forge-application-suite-team forge-backup forge-jobs forge-migrations forge-post-migrations forge-runner-registration forge-settings forge-toolbox forge-webservice hub-core hub-jobservice hub-migrations
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
    keystore:6379 <- forge-application-hub forge-application-suite-team forge-backup forge-jobs forge-migrations forge-post-migrations forge-runner-registration forge-settings forge-toolbox forge-webservice hub-core hub-jobservice hub-migrations hub-registry keystore-exporter"
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

describe("a suite", () => {
  const closed = objectsOf(withSettings(wholePlatform(), { networkPolicies: true }));
  const pods = podsOf(closed);
  const of = (namespace: string) => pods.filter((pod) => pod.namespace === namespace);
  const others = [...outside, ...of("platform"), ...of("club"), ...of("site-webhook")];
  const reached = connectionsTo(of("team"), others, policiesOf(closed));

  test("is reached by these, at these ports, and by no one else", () => {
    expect(rowsOf(reached)).toMatchInlineSnapshot(`
      "cloudsuite-db-pooler:5432 <- cloudsuite cloudsuite-configure cloudsuite-cron
      cloudsuite-db-pooler:9127 <- prometheus
      cloudsuite-db:5432 <- cloudsuite-db-pooler database-operator
      cloudsuite-db:8000 <- database-operator
      cloudsuite-db:9187 <- prometheus
      cloudsuite:80 <- ingress
      keystore-exporter:9121 <- prometheus
      keystore:6379 <- cloudsuite cloudsuite-configure cloudsuite-cron keystore-exporter
      office:9980 <- cloudsuite cloudsuite-configure cloudsuite-cron ingress
      whiteboard:3002 <- ingress"
    `);
  });

  test("with push and previews has two more, of which one reaches its stores and Nextcloud, and the other nobody", () => {
    const files = withSettings(wholePlatform(), {
      networkPolicies: true,
      "cloudsuites[0].push": { enabled: true },
      "cloudsuites[0].previews": { enabled: true },
    });
    const more = objectsOf(files);
    const team = podsOf(more).filter(({ namespace }) => namespace === "team");
    const found = connectionsTo(team, others, policiesOf(more));
    const nextcloud = ["cloudsuite", "cloudsuite-configure", "cloudsuite-cron"];
    expect(callersOf(found, "previews", 9000)).toEqual(nextcloud);
    expect(callersOf(found, "push", 7867)).toEqual(["ingress"]);
    expect(callersOf(found, "push", 7868)).toEqual(["prometheus"]);
    const calledBy = (name: string) => found.filter(({ from }) => from === name).map(({ to, port }) => `${to}:${port}`);
    expect(calledBy("push").sort()).toEqual(["cloudsuite-db-pooler:5432", "cloudsuite:80", "keystore:6379"]);
    expect(calledBy("previews")).toEqual([]);
    // Nor anybody outside of the cluster: names alone are asked for.
    const ways = policiesOf(more).filter(({ metadata }) => metadata?.name === "allow-previews");
    expect(ways.map(({ spec }) => [spec?.policyTypes, spec?.egress])).toEqual([[["Ingress"], undefined]]);
  });

  test("has an office and a whiteboard that only the ingress and Nextcloud reach", () => {
    const ofApps = reached.filter(({ to }) => ["office", "whiteboard"].includes(to));
    const nextcloud = ["cloudsuite", "cloudsuite-configure", "cloudsuite-cron"];
    expect([...new Set(ofApps.map(({ from }) => from))].sort()).toEqual([...nextcloud, "ingress"]);
    expect(callersOf(reached, "whiteboard", 3002)).toEqual(["ingress"]);
  });

  test("lets office and whiteboard out to the public hosts, and to nothing else of the cluster", () => {
    const all = [...of("team"), ...others];
    const from = (name: string) => {
      const pod = of("team").find((each) => each.name === name) as Pod;
      // A block of addresses holds those of pods, too: port 443, which none of them has.
      return all.filter((to) => to !== pod && connection(policiesOf(closed), pod, to)(8443)).map(({ name }) => name);
    };
    expect([from("office"), from("whiteboard")]).toEqual([["ingress"], ["ingress"]]);
  });

  test("uses a database and a keystore of others by their ports, or the namespace they are in", () => {
    const connected = (host: string, name: string) => {
      const existing = { host, port: 5433, database: "team", user: "team", password: { name: "pg", key: "password" } };
      const files = withSettings(wholePlatform(), { networkPolicies: true, "cloudsuites[0].database": existing });
      const found = policiesOf(objectsOf(files)).find((each) => each.metadata?.name === name);
      return found?.spec;
    };
    const ways = (host: string) =>
      connected(host, "allow-nextcloud")?.egress?.flatMap(({ to, ports }) => (ports?.[0]?.port === 5433 ? to : [])) ??
      [];
    expect(ways("pg.example.org")).toMatchObject([{ ipBlock: { cidr: "0.0.0.0/0" } }]);
    expect(connected("pg", "allow-existing-database")).toMatchObject({
      podSelector: {},
      ingress: [{ ports: [{ port: 5433 }] }],
    });
    expect(connected("pg.databases.svc", "allow-nextcloud")?.egress).toContainEqual({
      to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "databases" } } }],
    });
  });
});

test.each(["cilium", "istio", "nginx", "eg"])(
  "behind the Gateway of class %s public requests reach every host's pods",
  (className) => {
    const files = withSettings(committedStack("prod"), { "ingress.kind": "gateway", "ingress.gateway": { className } });
    const behind = objectsOf(files);
    const byClass: Readonly<Record<string, Record<string, string>>> = {
      cilium: {},
      istio: { "gateway.networking.k8s.io/gateway-name": "any" },
      nginx: { "gateway.networking.k8s.io/gateway-name": "any" },
      eg: { "app.kubernetes.io/component": "proxy", "app.kubernetes.io/managed-by": "envoy-gateway" },
    };
    const isBeside = className === "istio" || className === "nginx";
    const reaches = (namespace: string, name: string, port: number) => {
      const to = podsOf(behind).find((pod) => pod.namespace === namespace && pod.name === name) as Pod;
      const proxy = stranger("proxy", isBeside ? namespace : "proxies", byClass[className]);
      const caller = stranger("caller", "elsewhere");
      const isOpen = !isBeside || connection(policiesOf(behind), caller, proxy)(443);
      return isOpen && connection(policiesOf(behind), proxy, to)(port);
    };
    const routed = [
      reaches("platform", "forge-webservice", 8181),
      reaches("platform", "hub-core", 8080),
      reaches("cloud", "cloudsuite", 80),
      reaches("cloud", "office", 9980),
      reaches("site-webhook", "site-webhook", 8080),
    ];
    expect(routed).toEqual(routed.map(() => true));
    expect(reaches("platform", "keystore", 6379) || reaches("cloud", "cloudsuite-db", 5432)).toBe(false);
  },
);

const holds = (cidr: string, address: string) => {
  const [network = "", bits] = cidr.split("/");
  const list = new BlockList();
  list.addSubnet(network, Number(bits));
  return list.check(address);
};

test.each(["dev", "prod"])("no way out of a pod of %s leads to the cloud's metadata", (stack) => {
  const ways = policiesOf(objectsOf(withSettings(committedStack(stack), { networkPolicies: true }))).flatMap(
    ({ metadata, spec }) =>
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
  expect(ways.map(({ policy }) => policy)).toEqual(
    expect.arrayContaining(["site-webhook/allow-site-webhook", "platform-jobs/ci-jobs-allow-all"]),
  );
  expect(leads).toEqual([]);
});
