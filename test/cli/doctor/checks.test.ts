import { clusterNetworkFindings, networkFacts } from "@hearth-platform/cli/doctor/cluster-networks";
import { askedName, dnsFindings, hostsOf, ingressAddresses } from "@hearth-platform/cli/doctor/dns";
import { podSecurityFindings, quotaFindings } from "@hearth-platform/cli/doctor/namespaces";
import { objectStorageFindings } from "@hearth-platform/cli/doctor/object-storage";
import { doctorReport } from "@hearth-platform/cli/doctor/report";
import { type ServerFacts, serverFindings } from "@hearth-platform/cli/doctor/server";
import { staticSettings, tcpRouteFindings, traefikFindings } from "@hearth-platform/cli/doctor/traefik";
import { dayOf } from "@hearth-platform/hearth/core/days";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";
import { operatorFindings, type Workload } from "@hearth-platform/stack/live/preflight/operators";
import { type AskedRight, rightsFindings } from "@hearth-platform/stack/live/preflight/rights";
import { describe, expect, it } from "vitest";

const shown = (found: readonly Finding[]) =>
  found.map(({ status, subject, message }) => `${status} ${subject}: ${message}`);
const statuses = (found: readonly Finding[]) => found.map(({ status, subject }) => `${status} ${subject}`);

const object = (kind: string, name: string, more: object = {}): KubernetesObject =>
  ({ apiVersion: "v1", kind, metadata: { name, namespace: "team" }, ...more }) as KubernetesObject;

const now = new Date("2026-11-22T12:00:00Z");
const server: ServerFacts = { server: "https://10.0.0.1:6443", version: "v1.36.2", date: now, now, publicNodes: [] };

describe("the API server", () => {
  it("that is new enough, keeps time and is not public is fine", () => {
    expect(statuses(serverFindings(server))).toEqual(["ok API server", "ok clock", "ok cluster API", "ok kubelet API"]);
  });

  it.each<[string, Partial<ServerFacts>, string]>([
    ["is too old", { version: "v1.29.9" }, "missing API server"],
    ["gets no fixes any more", { version: "v1.34.11" }, "warning API server"],
    ["is newer than the table of releases", { version: "v1.38.0" }, "ok API server"],
    ["has no version that can be read", { version: "" }, "unknown API server"],
    ["is six seconds off", { date: new Date("2026-11-22T12:00:06Z") }, "warning clock"],
    ["is two minutes behind", { date: new Date("2026-11-22T11:58:00Z") }, "problem clock"],
    ["tells no time", { date: undefined }, "unknown clock"],
    ["has a public address", { server: "https://203.0.113.7:6443" }, "unknown cluster API"],
    ["has nodes with public addresses", { publicNodes: ["203.0.113.8"] }, "unknown kubelet API"],
    ["does not list its nodes", { publicNodes: "unseen" }, "unknown kubelet API"],
  ])("that %s has its finding", (_, more, says) => {
    expect(statuses(serverFindings({ ...server, ...more }))).toContain(says);
  });
});

describe("the cluster's own addresses", () => {
  const policy = [object("NetworkPolicy", "default-deny")];
  const nodes = ["10.42.0.0/24", "10.42.1.0/24"].map((podCIDR) => ({
    spec: { podCIDR, podCIDRs: [podCIDR, "fd42::/64"] },
  }));
  const services = [object("ServiceCIDR", "kubernetes", { spec: { cidrs: ["10.43.0.0/16"] } })];
  const found = (...facts: Parameters<typeof networkFacts>) => clusterNetworkFindings(policy, networkFacts(...facts));

  it("that the policies don't know are a warning with the line to write", () => {
    expect(found(nodes, services)).toMatchObject([
      { status: "warning", remedy: expect.stringContaining("hearth:clusterNetworks: [10.42.0.0/16, 10.43.0.0/16]") },
    ]);
    expect(found(nodes, services, ["10.43.0.0/16"])).toMatchObject([
      { status: "warning", remedy: expect.stringContaining("hearth:clusterNetworks: [10.43.0.0/16, 10.42.0.0/16]") },
    ]);
  });

  it.each<[string, Parameters<typeof networkFacts>, string[]]>([
    ["that they know are fine", [nodes, services, ["10.42.0.0/15"]], ["ok cluster networks"]],
    ["that nobody tells are unknown", [[{}], "unseen"], ["unknown cluster networks"]],
    ["that the nodes alone tell are unknown", [nodes, "unseen", ["10.42.0.0/16"]], ["unknown cluster networks"]],
  ])("%s", (_, facts, says) => {
    expect(statuses(found(...facts))).toEqual(says);
  });

  it("don't matter without network policies", () => {
    expect(clusterNetworkFindings([], networkFacts(nodes, services))).toEqual([]);
  });
});

it("on 24 November 2026 Kubernetes 1.34 and CloudNativePG 1.29 get no fixes, 1.37 and 1.30 do", () => {
  const day = new Date("2026-11-24T12:00:00Z");
  const cluster = (version: string) => statuses(serverFindings({ ...server, version, date: day, now: day }))[0];
  expect(["v1.34.11", "v1.35.10", "v1.36.6", "v1.37.2"].map(cluster)).toEqual([
    "warning API server",
    ...["ok API server", "ok API server", "ok API server"],
  ]);
  const kinds = [{ apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster" }];
  const operator = (tag: string) =>
    statuses(operatorFindings(kinds, [workload(`ghcr.io/cloudnative-pg/cloudnative-pg:${tag}`)], dayOf(day)));
  expect(["1.29.2", "1.30.1"].flatMap(operator)).toEqual(["warning CloudNativePG", "ok CloudNativePG"]);
});

const labels = { app: "traefik" };
const workload = (
  image: string,
  more: { args?: string[]; env?: object[]; volumes?: object[]; ready?: number } = {},
): Workload =>
  ({
    metadata: { name: "x", namespace: "system" },
    spec: {
      selector: {},
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "x", image, args: more.args, env: more.env }], volumes: more.volumes },
      },
    },
    status: { readyReplicas: more.ready ?? 1 },
  }) as Workload;

describe("operators", () => {
  const kinds = [{ apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster" }];
  it.each<[string, Parameters<typeof operatorFindings>[1], string]>([
    ["that run are told by their image", [workload("mirror.example.org/cloudnative-pg/cloudnative-pg:1.30.0")], "ok"],
    ["whose fixes have ended are a warning", [workload("ghcr.io/cloudnative-pg/cloudnative-pg:1.29.2")], "warning"],
    ["without a tag are not judged by it", [workload("ghcr.io/x/cloudnative-pg@sha256:00")], "ok"],
    ["without a ready pod are a problem", [workload("ghcr.io/x/cloudnative-pg@sha256:00", { ready: 0 })], "problem"],
    ["that are not seen are unknown", [workload("ghcr.io/x/other:1")], "unknown"],
    ["that may not be listed are unknown", "unseen", "unknown"],
  ])("%s", (_, workloads, status) => {
    expect(statuses(operatorFindings(kinds, workloads, dayOf(now)))).toEqual([`${status} CloudNativePG`]);
  });

  it("of which the stack has no objects are not asked for", () => {
    expect(operatorFindings([{ apiVersion: "apps/v1", kind: "Deployment" }], [], dayOf(now))).toEqual([]);
  });
});

it("an operator without fixes is named with its version, what gets fixes, and what hearth is tested with", () => {
  const kinds = [{ apiVersion: "cert-manager.io/v1", kind: "Certificate" }];
  const [found] = operatorFindings(kinds, [workload("quay.io/jetstack/cert-manager-controller:v1.19.6")], dayOf(now));
  expect(found).toMatchObject({
    message:
      "system/x runs quay.io/jetstack/cert-manager-controller:v1.19.6: cert-manager 1.19 has had no fixes since 2026-07-08.",
    remedy: "Take 1.20.4 or 1.21.2. hearth is tested with 1.21.2.",
  });
});

describe("Traefik's static settings", () => {
  const routes = [
    object("IngressRoute", "web", { spec: { entryPoints: ["websecure"], tls: {} } }),
    object("IngressRoute", "to-https", { spec: { entryPoints: ["web"] } }),
    object("IngressRouteTCP", "ssh", { spec: { entryPoints: ["ssh"] } }),
  ];
  const good = [
    "--providers.kubernetescrd",
    "--providers.kubernetesCRD.allowEmptyServices=true",
    "--entryPoints.web.address=:80/tcp",
    "--entryPoints.websecure.address=:443/tcp",
    "--entryPoints.websecure.transport.respondingTimeouts.readTimeout=0",
    "--entryPoints.ssh.address=:2222/tcp",
  ];
  const judged = (args: string[]) =>
    statuses(traefikFindings(routes, staticSettings([workload("traefik:v3.5.3", { args })], [])));

  it("as the page has them are fine", () => {
    expect(judged(good)).toEqual([
      "ok Traefik's provider",
      "ok entry point websecure",
      "ok entry point web",
      "ok entry point ssh",
    ]);
  });

  it.each<[string, string[], string]>([
    ["no provider", good.slice(2), "problem Traefik's provider"],
    ["a provider of one class", [...good, "--providers.kubernetescrd.ingressclass=x"], "problem Traefik's provider"],
    ["no empty services", good.filter((each) => !each.includes("Empty")), "warning Traefik's provider"],
    ["no entry point for SSH", good.slice(0, -1), "problem entry point ssh"],
    ["the default timeout", good.filter((each) => !each.includes("Timeout")), "warning entry point websecure"],
    [
      "a short timeout",
      [...good, "--entrypoints.websecure.transport.respondingtimeouts.readtimeout=10m"],
      "warning entry point websecure",
    ],
    ["paths as they come", [...good, "--entrypoints.web.http.sanitizePath=false"], "problem entry point web"],
  ])("with %s are told", (_, args, says) => {
    expect(judged(args)).toContain(says);
  });

  it("stand in a file and in variables, too", () => {
    const file = `providers: {kubernetesCRD: {allowEmptyServices: true}}
entryPoints: {web: {}, websecure: {address: ":443", transport: {respondingTimeouts: {readTimeout: 1h}}}}`;
    const configMap = { metadata: { name: "settings", namespace: "system" }, data: { "traefik.yml": file } };
    const traefik = workload("traefik:v3.5.3", {
      volumes: [{ name: "x", configMap: { name: "settings" } }],
      env: [{ name: "TRAEFIK_ENTRYPOINTS_SSH_ADDRESS", value: ":22" }],
    });
    const found = traefikFindings(routes, staticSettings([traefik], [configMap]));
    expect(found.map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok"]);
  });

  it("that are not seen are unknown, and without routes nothing is asked", () => {
    expect(statuses(traefikFindings(routes, staticSettings([], [])))).toEqual(["unknown Traefik's settings"]);
    expect(traefikFindings([], undefined)).toEqual([]);
  });

  it("that redirect every call are told where a webhook is", () => {
    const hook = object("IngressRoute", "site-webhook", { spec: { entryPoints: ["web"] } });
    const args = [...good, "--entrypoints.web.http.redirections.entryPoint.to=websecure"];
    const found = traefikFindings([hook], staticSettings([workload("traefik:v3", { args })], []));
    expect(statuses(found)).toContain("warning entry point web");
  });
});

describe("Traefik's TCPRoutes", () => {
  const api = "gateway.networking.k8s.io";
  const both = ["v1", "v1alpha2"];
  const provider = "--providers.kubernetesGateway";
  const experimental = `${provider}.experimentalChannel=true`;
  const judged = (tag: string, versions: readonly string[], args: string[], kind = "TCPRoute") => {
    const workloads = [workload(`docker.io/library/traefik:${tag}`, { args })];
    const served = new Set(versions.map((version) => `${api}/${version}/TCPRoute`));
    const route = { ...object(kind, "ssh"), apiVersion: `${api}/v1` };
    return tcpRouteFindings([route], served, workloads, staticSettings(workloads, []));
  };

  it.each<[what: string, tag: string, versions: string[], args: string[], says: RegExp]>([
    ["3.7 with the experimental channel", "v3.7.13", both, [experimental], /^ok .* reads v1alpha2/],
    ["3.7 with CRDs before 1.6", "3.7.13", ["v1alpha2"], [experimental], /^ok .* reads v1alpha2/],
    ["3.7 with the standard channel", "v3.7.13", ["v1"], [experimental], /^problem .* reads v1alpha2 alone/],
    ["3.7 that reads the standard channel", "v3.7.13", both, [provider], /^problem .* does not read them/],
    ["3.8 with the standard channel", "v3.8.0", ["v1"], [provider], /^ok .* reads v1,/],
    ["3.8 with CRDs before 1.6", "v3.8.0", ["v1alpha2"], [provider], /^problem .* reads v1 alone/],
  ])("are judged by what the cluster serves: %s", (_, tag, versions, args, says) => {
    expect(shown(judged(tag, versions, args))).toEqual([expect.stringMatching(says)]);
  });

  it("are not asked for where another proxy may read them, the version is not known, or there are none", () => {
    expect(judged("v3.7.13", ["v1"], [])).toEqual([]);
    expect(judged("v3.7.13", ["v1"], [`${provider}=false`])).toEqual([]);
    for (const tag of ["latest", "v3"]) expect(judged(tag, ["v1"], [provider])).toEqual([]);
    expect(judged("v3.7.13", ["v1"], [provider], "HTTPRoute")).toEqual([]);
    expect(tcpRouteFindings([object("TCPRoute", "ssh")], new Set(), "unseen", undefined)).toEqual([]);
  });
});

describe("DNS", () => {
  const certificates = [
    object("Certificate", "tls", { spec: { dnsNames: ["forge.example.org", "*.pages.example.org"] } }),
  ];
  const hosts = hostsOf(certificates);

  it("is asked for the hosts of certificates, of a wildcard for a name below it", () => {
    expect(hosts.map(askedName)).toEqual(["forge.example.org", "hearth-doctor.pages.example.org"]);
  });

  it("is held against the load balancers that lead to Traefik's pods", () => {
    const service = (selector: Record<string, string>, ip: string) => ({
      metadata: { namespace: "system" },
      spec: { selector },
      status: { loadBalancer: { ingress: [{ ip }] } },
    });
    const services = [
      service(labels, "203.0.113.1"),
      service({ app: "other" }, "203.0.113.2"),
      service({}, "203.0.113.3"),
    ];
    expect(ingressAddresses(services, [workload("traefik:v3.5.3")])).toEqual(["203.0.113.1"]);
    expect(ingressAddresses("unseen", [])).toEqual([]);
    expect(ingressAddresses(services, "unseen")).toEqual([]);
  });

  it("is held against load balancers with a name and against external addresses, in Traefik's namespace alone", () => {
    const named = { status: { loadBalancer: { ingress: [{ hostname: "lb.example.net" }] } } };
    const service = (namespace: string, more: object, spec: object = {}) => ({
      ...{ metadata: { namespace }, spec: { selector: labels, ...spec } },
      ...more,
    });
    const services = [
      service("system", named),
      service("system", {}, { externalIPs: ["203.0.113.7"] }),
      service("other", named, { externalIPs: ["203.0.113.8"] }),
    ];
    expect(ingressAddresses(services, [workload("traefik:v3.5.3")])).toEqual(["lb.example.net", "203.0.113.7"]);
  });

  const leads = (address: string) =>
    new Map([
      ["forge.example.org", ["203.0.113.1"]],
      ["*.pages.example.org", address === "" ? [] : [address]],
    ]);
  it.each<[string, string, string[]]>([
    ["as it should", "203.0.113.1", ["ok DNS"]],
    ["elsewhere", "203.0.113.9", ["ok DNS", "warning *.pages.example.org"]],
    ["nowhere", "", ["ok DNS", "problem *.pages.example.org"]],
  ])("that leads %s is told", (_, address, says) => {
    expect(statuses(dnsFindings(hosts, ["203.0.113.1"], leads(address)))).toEqual(says);
  });

  it("is unknown where the ingress is not seen, or nobody was asked", () => {
    expect(statuses(dnsFindings(hosts, [], leads("203.0.113.1")))).toEqual([
      "unknown forge.example.org",
      "unknown *.pages.example.org",
    ]);
    expect(statuses(dnsFindings(hosts, [], undefined))).toEqual(["unknown DNS"]);
  });
});

describe("the caller's rights", () => {
  const asked = (resource: string, lacking: string[], more: Partial<AskedRight> = {}): AskedRight => ({
    ...{ group: "apps", resource, namespace: "team", verbs: ["get", "create", "delete"], lacking },
    ...more,
  });

  it("that lack some verbs are told by resource, verbs and namespaces", () => {
    expect(shown(rightsFindings([asked("statefulsets", []), asked("deployments", ["create", "delete"])]))).toEqual([
      "problem your rights on deployments.apps: You may not create, delete in team.",
    ]);
  });

  it("without which Pulumi would wait for ever refuse the update", () => {
    expect(shown(rightsFindings([asked("replicasets", ["watch"], { awaits: ["Deployment"] })]))).toEqual([
      "missing your rights on replicasets.apps: You may not watch in team. Pulumi would wait for each Deployment for ever, without a word.",
    ]);
  });

  it("that are enough are fine", () => {
    expect(statuses(rightsFindings([asked("deployments", [])]))).toEqual(["ok your rights"]);
    expect(statuses(rightsFindings("unseen"))).toEqual(["unknown your rights"]);
  });
});

describe("an object store", () => {
  const planned = [{ bucket: "data", versioning: true, expireVersionsAfterDays: 30 }];
  const there = { name: "data", state: "there", versioning: true, lifecycle: true, multipart: true } as const;
  it.each<[string, Parameters<typeof objectStorageFindings>[0][number], string]>([
    ["that answers to all is fine", { name: "s3", buckets: [there] }, "ok"],
    ["without a bucket yet is unknown", { name: "s3", buckets: [{ name: "data", state: "absent" }] }, "unknown"],
    ["whose bucket is another's is a problem", { name: "s3", buckets: [{ name: "data", state: "denied" }] }, "problem"],
    ["without lifecycle rules is a problem", { name: "s3", buckets: [{ ...there, lifecycle: false }] }, "problem"],
    [
      "of the sandbox without lifecycle rules is a warning",
      { name: "s3", isElsewhere: true, buckets: [{ ...there, lifecycle: false }] },
      "warning",
    ],
    ["that refuses the keys is a problem", { name: "s3", buckets: [], failure: "no keys." }, "problem"],
  ])("%s", (_, store, status) => {
    expect(statuses(objectStorageFindings([store], planned))).toEqual([`${status} object store s3`]);
  });

  it.each([
    ["that refuses the keys", { failure: "no keys." }, "Set AWS_ACCESS_KEY_ID"],
    ["that can't be reached", { failure: "self-signed certificate.", isAway: true }, "NODE_EXTRA_CA_CERTS"],
  ])("%s gets the remedy that fits", (_, facts, remedy) => {
    const [found] = objectStorageFindings([{ name: "s3", buckets: [], ...facts }], planned);
    expect(found?.message).toContain(facts.failure);
    expect(found?.remedy).toContain(remedy);
  });

  it("is asked for uploads in parts by every bucket, and for no answer that it did not give", () => {
    const plain = [{ bucket: "data", versioning: true }];
    const found = (multipart?: boolean) =>
      statuses(objectStorageFindings([{ name: "s3", buckets: [{ ...there, multipart }] }], plain));
    expect(found(false)).toEqual(["problem object store s3"]);
    expect(found()).toEqual(["ok object store s3"]);
  });

  it("is told by the number of its buckets that answer", () => {
    const said = (...buckets: (typeof there)[]) =>
      objectStorageFindings([{ name: "s3", buckets }], planned)[0]?.message;
    expect(said(there)).toContain("its bucket answers");
    expect(said(there, there)).toContain("its 2 buckets answer");
  });

  it("keeps former versions where one of its buckets does", () => {
    const buckets = [there, { ...there, name: "cache" }];
    const some = [...planned, { bucket: "cache", versioning: false }];
    expect(statuses(objectStorageFindings([{ name: "s3", buckets }], some))).toEqual(["ok object store s3"]);
  });

  it("is asked only for what the buckets need", () => {
    const store = { name: "s3", buckets: [{ ...there, lifecycle: false }] };
    expect(objectStorageFindings([store], [{ bucket: "data", versioning: true }])).toMatchObject([{ status: "ok" }]);
  });

  it("is named where none of its buckets keeps former versions", () => {
    const [found] = objectStorageFindings([{ name: "s3", buckets: [there] }], [{ bucket: "data", versioning: false }]);
    expect(found).toMatchObject({ status: "warning", subject: "object store s3" });
    expect(found?.remedy).toContain("hearth:objectStorage.provider");
  });

  it("says nothing of former versions in buckets that others made", () => {
    expect(statuses(objectStorageFindings([{ name: "s3", buckets: [there] }], []))).toEqual(["ok object store s3"]);
  });
});

describe("of a namespace", () => {
  const enforce = (level: string) => ({ "pod-security.kubernetes.io/enforce": level });
  it("the pod security is told where it is another than the stack's", () => {
    const own = { apiVersion: "v1", kind: "Namespace", metadata: { name: "team", labels: enforce("restricted") } };
    const judged = (level: string) =>
      podSecurityFindings([own], [{ metadata: { name: "team", labels: enforce(level) } }]);
    expect(judged("restricted")).toMatchObject([{ status: "ok" }]);
    expect(judged("privileged")).toMatchObject([{ status: "warning" }]);
    expect(podSecurityFindings([own], [])).toEqual([]);
  });

  const resources = { requests: { cpu: "500m", memory: "1Gi" } };
  const objects = [
    object("Deployment", "web", {
      spec: { replicas: 3, template: { spec: { containers: [{ name: "x", resources }] } } },
    }),
    object("Cluster", "db", { spec: { instances: 2, resources, storage: { size: "10Gi" } } }),
    object("PersistentVolumeClaim", "data", { spec: { resources: { requests: { storage: "5Gi" } } } }),
  ];
  const quota = (hard: Record<string, string>, namespace = "team") => ({
    metadata: { name: "all", namespace },
    spec: { hard },
  });
  it.each<[string, Record<string, string>, string]>([
    [
      "that leaves room",
      { "requests.cpu": "2500m", pods: "5", "requests.storage": "25Gi", persistentvolumeclaims: "3" },
      "ok",
    ],
    ["of too few cores", { "requests.cpu": "2400m" }, "problem"],
    ["of too little memory, by its short name", { memory: "4Gi" }, "problem"],
    ["of too few pods", { pods: "4" }, "problem"],
    ["of too little storage", { "requests.storage": "24Gi" }, "problem"],
  ])("a quota %s is judged by all that the stack has there", (_, hard, status) => {
    expect(statuses(quotaFindings(objects, [quota(hard)]))).toEqual([`${status} quota team/all`]);
  });

  it("a quota does not count where it is another's", () => {
    expect(quotaFindings(objects, [quota({ pods: "1" }, "other")])).toMatchObject([{ status: "ok" }]);
    expect(quotaFindings(objects, "unseen")).toMatchObject([{ status: "unknown" }]);
  });
});

describe("the report", () => {
  const { ok, problem, unknown } = findings("x");
  it("stays within 100 columns, with what to do below what was found", () => {
    const long = "a rather long sentence that goes on and on ".repeat(5);
    const text = doctorReport("prod", [
      ok("a", "Fine."),
      problem(`a name ${"x".repeat(60)}`, long, long),
      unknown("b", "x".repeat(300)),
    ]);
    expect(text.split("\n").filter((line) => line.length > 100)).toEqual([]);
    expect(text).toContain("→ a rather long");
    expect(text).toMatch(/The cluster is not ready for stack prod: 1 problem; 1 that can't be seen from here\.\n$/);
  });

  it("says that all is well", () => {
    expect(doctorReport("dev", [ok("a", "Fine.")])).toBe(
      "ok       a                              Fine.\n\nThe cluster is ready for stack dev.\n",
    );
  });
});
