import fc from "fast-check";
import { type Case, type Cases, caseOf, crossed, kubernetes, type Tree } from "./case.ts";
import { carriers } from "./secrets.ts";

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));

const pod = (spec: Tree): Tree => ({ spec: { template: { spec } } });
const container = (image: string) => ({ containers: [{ name: "app", image }] });
export const images: Readonly<Record<string, (image: string) => Tree>> = {
  "a Deployment": (image) => kubernetes("apps/v1", "Deployment", pod(container(image))),
  "an init container": (image) => kubernetes("v1", "Pod", { spec: { initContainers: [{ name: "a", image }] } }),
  "a volume": (image) => kubernetes("v1", "Pod", { spec: { volumes: [{ name: "a", image: { reference: image } }] } }),
  "a Rollout": (image) => kubernetes("argoproj.io/v1alpha1", "Rollout", pod(container(image))),
  "a database": (image) => kubernetes("postgresql.cnpg.io/v1", "Cluster", { spec: { imageName: image } }),
  "a database's extension": (image) =>
    kubernetes("postgresql.cnpg.io/v1", "Cluster", {
      spec: { postgresql: { extensions: [{ name: "a", image: { reference: image } }] } },
    }),
  "a catalogue": (image) =>
    kubernetes("postgresql.cnpg.io/v1", "ImageCatalog", { spec: { images: [{ major: 16, image }] } }),
  "a pooler": (image) => kubernetes("postgresql.cnpg.io/v1", "Pooler", { spec: { pgbouncer: { image } } }),
  "a pooler's template": (image) => kubernetes("postgresql.cnpg.io/v1", "Pooler", pod(container(image))),
  "a Prometheus": (image) => kubernetes("monitoring.coreos.com/v1", "Prometheus", { spec: { image } }),
  "a kind nobody knows": (image) => kubernetes("example.org/v1", "Thing", { spec: { agent: { image } } }),
  "a field that is called after what it starts": (image) =>
    kubernetes("example.org/v1", "Thing", { spec: { exporter: { sidecarImage: image } } }),
  "a list of images": (image) => kubernetes("example.org/v1", "Thing", { spec: { images: [image] } }),
};
const moving = named(
  ["", ":latest", ":stable", ":edge", ":main", ":nightly", ":lts", ":1", ":v2", ":8-alpine", ":alpine", ":rc-stable"].concat(
    [":canary", ":mainline", ":rolling", ":bookworm-slim", "@sha256:0123"],
  ),
);
const staying = named([
  ...[":1.2.3", ":v1.2.3", ":16.4", ":31.0.8-apache", ":20260901", ":3f2a9c0d1e4b5a69", ":v2.13.1-rc1", ":1.27-alpine", ":8.1.4-bookworm-slim", ":main-20260901"],
  `@sha256:${"0123456789abcdef".repeat(4)}`,
  `:latest@sha256:${"0123456789abcdef".repeat(4)}`,
]);
const repository = "ghcr.io/cloudnative-pg/postgresql";

const imageCases: Cases = {
  policy: "wl-image-tag",
  breaks: crossed(moving, images, (tag, make, what) => caseOf(what, make(`${repository}${tag}`))),
  keeps: crossed(staying, images, (tag, make, what) => caseOf(what, make(`${repository}${tag}`))),
};
const sourceCases: Cases = {
  policy: "wl-image-registry",
  breaks: crossed(
    named(["evil.example.com/app:1.2.3", "docker.io.example.com/library/nextcloud:31.0.4", "quay.io/other/app:1.2.3"]),
    images,
    (image, make, what) => caseOf(what, make(image)),
  ),
  keeps: Object.entries(images).map(([what, make]) => caseOf(what, make(`${repository}:16.4`))),
};

const network = (name: string, spec: Tree) =>
  kubernetes("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"], ...spec } }, { name });
const block = (cidr: string, except: readonly string[] = []) => ({ ipBlock: { cidr, except } });
/** All addresses as this many blocks. */
const parts = (bits: number) =>
  Array.from({ length: 2 ** bits }, (_, index) => block(`${(index * 256) / 2 ** bits}.0.0.0/${bits}`));
const privateOnes = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"];
const everybody: Readonly<Record<string, readonly Tree[]>> = {
  nobody: [],
  "all namespaces": [{ namespaceSelector: {} }],
  "all namespaces and pods": [{ namespaceSelector: {}, podSelector: {} }],
  "all namespaces but one": [{ namespaceSelector: { matchExpressions: [{ key: "a", operator: "NotIn", values: ["b"] }] } }],
  "all namespaces by their name": [
    { namespaceSelector: { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "Exists" }] } },
  ],
  "all addresses": [block("0.0.0.0/0")],
  "all addresses of IPv6": [block("::/0")],
  "the internet and a private network": [block("0.0.0.0/0", privateOnes), block("10.0.0.0/8")],
  "all addresses but one": [block("0.0.0.0/0", ["169.254.169.254/32"])],
  ...Object.fromEntries([1, 2, 3, 4].map((bits) => [`all addresses as ${2 ** bits} blocks`, parts(bits)])),
};
const somebody: Readonly<Record<string, readonly Tree[]>> = {
  "the internet": [block("0.0.0.0/0", privateOnes)],
  "the internet and some addresses inside": [block("0.0.0.0/0", privateOnes), block("10.1.2.0/24")],
  "its own pods": [{ podSelector: {} }],
  "a namespace": [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress" } } }],
  "a network": [block("10.0.0.0/8")],
  "half of all": [block("128.0.0.0/1")],
};
const allPorts: Readonly<Record<string, readonly Tree[]>> = {
  "no port": [],
  "every port": [{ port: 1, endPort: 65_535 }],
  "all of TCP": [{ protocol: "TCP" }],
  "two halves of the ports": [
    { port: 1, endPort: 32_768 },
    { port: 32_769, endPort: 65_535 },
  ],
};
const ways = {
  ingress: (peers: readonly Tree[], ports: readonly Tree[]) => ({ ingress: [{ from: peers, ports }] }),
  egress: (peers: readonly Tree[], ports: readonly Tree[]) => ({ egress: [{ to: peers, ports }] }),
};

const networkCases: Cases = {
  policy: "net-policy",
  breaks: [
    ...crossed(everybody, allPorts, (peers, ports, what) =>
      Object.entries(ways).map(([way, rule]) => caseOf(`${what}, ${way}`, network("a", rule(peers, ports)))),
    ).flat(),
    ...[1, 2, 3].map((bits) =>
      caseOf(`all addresses by ${2 ** bits} policies`, ...parts(bits).map((peer, index) => network(`p${index}`, ways.egress([peer], [])))),
    ),
  ],
  keeps: [
    ...crossed(somebody, allPorts, (peers, ports, what) =>
      Object.entries(ways).map(([way, rule]) => caseOf(`${what}, ${way}`, network("a", rule(peers, ports)))),
    ).flat(),
    ...Object.entries(everybody).map(([what, peers]) => caseOf(`${what}, names alone`, network("a", ways.egress(peers, [{ port: 53 }])))),
  ],
};

const route = (match: string) =>
  kubernetes("traefik.io/v1alpha1", "IngressRoute", { spec: { routes: [{ match, services: [{ name: "app" }] }] } });
const hostCases: Cases = {
  policy: "net-unique-host",
  breaks: [
    ...[
      "PathPrefix(`/`)",
      "Host(`a.example.org`) || PathPrefix(`/`)",
      "PathPrefix(`/`) || Host(`a.example.org`)",
      "!Host(`a.example.org`)",
      "!(Host(`a.example.org`))",
      "(Host(`a.example.org`) && Path(`/a`)) || Path(`/b`)",
      "HostRegexp(`.*`)",
      "Host(`a.example.org`) || (Host(`b.example.org`) || Method(`GET`))",
    ].map((match) => caseOf(match, route(match))),
    ...[
      ["a.example.org", "A.Example.org"],
      ["a.example.org", "a.example.org"],
    ].map(([one, other]) => {
      const second = { ...route(`Host(\`${other}\`)`), metadata: { name: "second", namespace: "other" } };
      return caseOf(`${one} and ${other}`, route(`Host(\`${one}\`)`), second);
    }),
  ],
  keeps: [
    "Host(`a.example.org`)",
    "Host(`a.example.org`) || Host(`b.example.org`)",
    "Host(`a.example.org`) && (PathPrefix(`/a`) || PathPrefix(`/b`))",
    "(Host(`a.example.org`) || Host(`b.example.org`)) && !PathPrefix(`/admin`)",
    "Host(`a.example.org`) && Query(`a`, `||`)",
  ].map((match) => caseOf(match, route(match))),
};

const direct: Readonly<Record<string, string>> = named([
  "cloudsuite-db-rw",
  "cloudsuite-db-ro.team.svc",
  "forge-db-r.platform.svc.cluster.local:5432",
  "FORGE-DB-RW.platform.svc",
  "postgres://app:$(PASSWORD)@forge-db-rw:5432/app",
  "forge-db-20261120-083000-rw",
  "forge-db-rw.",
]);
const pooled = named(["cloudsuite-db-pooler", "forge-db-pooler.platform.svc:5432", "forge-db-rwx", "my-forge-db-rw", "team-data-rw", "forge-db"]);
const service = (spec: Tree) => kubernetes("v1", "Service", { spec });
const places: Readonly<Record<string, (text: string) => Tree>> = {
  ...Object.fromEntries(
    Object.entries(carriers).filter(([what]) => !/annotation|database|issuer|in base64 twice/.test(what)),
  ),
  "a Service of another name": (text) => service({ type: "ExternalName", externalName: text }),
  "a route to a port": (text) =>
    kubernetes("traefik.io/v1alpha1", "IngressRouteTCP", {
      spec: { routes: [{ match: "HostSNI(`*`)", services: [{ name: text, port: 5432 }] }] },
    }),
};
const poolerCases: Cases = {
  policy: "lim-db-pooler-only",
  breaks: [
    ...crossed(direct, places, (text, make, what) => caseOf(what, make(text))),
    caseOf("the pods themselves", service({ selector: { "cnpg.io/cluster": "forge-db", "cnpg.io/instanceRole": "primary" } })),
  ],
  keeps: [
    ...crossed(pooled, places, (text, make, what) => caseOf(what, make(text))),
    caseOf("the pooler's pods", service({ selector: { "cnpg.io/cluster": "forge-db", "cnpg.io/podRole": "pooler" } })),
    caseOf("a recovery's source", kubernetes("postgresql.cnpg.io/v1", "Cluster", { spec: { externalClusters: [{ connectionParameters: { host: "forge-db-rw" } }] } })),
  ],
};

const metadata = named([
  "http://169.254.169.254/latest/meta-data/",
  "http://metadata.google.internal/computeMetadata/v1/",
  "http://[fd00:ec2::254]/latest",
  "http://2852039166/",
  "http://169.254.169.254.nip.io/",
]);
const metadataCases: Cases = {
  policy: "net-metadata",
  breaks: [
    ...crossed(
      metadata,
      Object.fromEntries(Object.entries(carriers).filter(([what]) => !/base64|binary/.test(what))),
      (text, make, what) => caseOf(what, make(text)),
    ),
    ...["169.254.169.254", "169.254.169.254:80", "fd00:ec2::254"].flatMap((address) => [
      caseOf(`an endpoint: ${address}`, kubernetes("discovery.k8s.io/v1", "EndpointSlice", { endpoints: [{ addresses: [address] }] })),
      caseOf(`a host alias: ${address}`, kubernetes("v1", "Pod", { spec: { hostAliases: [{ ip: address }] } })),
    ]),
  ],
  keeps: crossed(
    named(["http://169.254.20.10/", "https://metadata.example.org/", "no 169.254.169.254 here", "169.254.0.0/16"]),
    carriers,
    (text, make, what) => caseOf(what, make(text)),
  ),
};

const claim = kubernetes(
  "v1",
  "PersistentVolumeClaim",
  { spec: { storageClassName: "replicated-block", accessModes: ["ReadWriteOnce"] } },
  { name: "files" },
);
const mounted = { volumes: [{ name: "files", persistentVolumeClaim: { claimName: "files" } }], ...container("app:1.0") };
const workload = (kind: string, more: Tree = {}, apiVersion = "apps/v1", name = "example") =>
  kubernetes(apiVersion, kind, { spec: { ...more, template: { spec: mounted } } }, { name });
const scaler = (kind: string, of: string, most: number) =>
  kubernetes(kind === "ScaledObject" ? "keda.sh/v1alpha1" : "autoscaling/v2", kind, {
    spec: { scaleTargetRef: { kind: of, name: "example" }, maxReplicas: most, maxReplicaCount: most },
  });
const several: Readonly<Record<string, readonly Tree[]>> = {
  ...Object.fromEntries(["Deployment", "StatefulSet", "ReplicaSet"].map((kind) => [kind, [workload(kind, { replicas: 2 })]])),
  ReplicationController: [workload("ReplicationController", { replicas: 2 }, "v1")],
  Rollout: [workload("Rollout", { replicas: 2 }, "argoproj.io/v1alpha1")],
  DaemonSet: [workload("DaemonSet")],
  "a Job's pods": [workload("Job", { parallelism: 2 }, "batch/v1")],
  "a CronJob's pods": [
    kubernetes("batch/v1", "CronJob", { spec: { jobTemplate: { spec: { parallelism: 3, template: { spec: mounted } } } } }),
  ],
  "an autoscaler": [workload("Deployment"), scaler("HorizontalPodAutoscaler", "Deployment", 3)],
  KEDA: [workload("StatefulSet"), scaler("ScaledObject", "StatefulSet", 3)],
  "two workloads": [workload("Deployment"), workload("StatefulSet", {}, "apps/v1", "other")],
};
const single: Readonly<Record<string, readonly Tree[]>> = {
  "one pod": [workload("Deployment", { replicas: 1 })],
  "an autoscaler up to one": [workload("Deployment"), scaler("HorizontalPodAutoscaler", "Deployment", 1)],
  "an autoscaler of another": [workload("Deployment"), scaler("HorizontalPodAutoscaler", "StatefulSet", 3)],
  "a Job beside a workload": [workload("Deployment"), workload("Job", {}, "batch/v1", "backup")],
  "a Job of one pod": [workload("Job", { completions: 5 }, "batch/v1")],
};
const writerCases: Cases = {
  policy: "lim-volume-writers",
  breaks: Object.entries(several).map(([what, trees]) => caseOf(what, claim, ...trees)),
  keeps: [
    ...Object.entries(single).map(([what, trees]) => caseOf(what, claim, ...trees)),
    ...Object.entries(several).map(([what, trees]) =>
      caseOf(`${what} on a class of many writers`, { ...claim, spec: { storageClassName: "smb-csi" } }, ...trees),
    ),
  ],
};

/** What of a database ends its backups. */
const cluster = (spec: Tree, annotations: Tree = {}) =>
  kubernetes(
    "postgresql.cnpg.io/v1",
    "Cluster",
    { spec: { plugins: [{ name: "barman-cloud.cloudnative-pg.io", isWALArchiver: true }], ...spec } },
    { annotations },
  );
const backup = (schedule: unknown, more: Tree = {}) =>
  kubernetes("postgresql.cnpg.io/v1", "ScheduledBackup", { spec: { cluster: { name: "example" }, schedule, ...more } });
const nightly = backup("0 30 2 * * *");
const backupCases = (seed: number): Cases => ({
  policy: "st-database-backup",
  breaks: [
    ...["0 0 0 30 2 *", "0 0 0 31 2 *", "0 0 0 1 1 *", "0 0 * * *", "", "@yearly", "0 0 0 29 2 *", "0 0 0 31 * *", "0 0 0 31 4 *"].map((schedule) =>
      caseOf(`a schedule: ${schedule}`, cluster({}), backup(schedule)),
    ),
    ...["fsync", "full_page_writes", "synchronous_commit", "archive_mode"].flatMap((name) =>
      ["off", "OFF", "false", "0"].map((value) =>
        caseOf(`${name} ${value}`, cluster({ postgresql: { parameters: { [name]: value } } }), nightly),
      ),
    ),
    ...["cnpg.io/skipWalArchiving", "cnpg.io/skipEmptyWalArchiveCheck"].map((key) =>
      caseOf(key, cluster({}, { [key]: "enabled" }), nightly),
    ),
    caseOf("a schedule that stands still", cluster({}), backup("0 30 2 * * *", { suspend: true })),
    caseOf("a plugin that is off", cluster({ plugins: [{ name: "a", isWALArchiver: true, enabled: false }] }), nightly),
  ],
  keeps: [
    ...fc.sample(fc.tuple(fc.nat(59), fc.nat(59), fc.nat(23), fc.integer({ min: 1, max: 28 })), { numRuns: 20, seed }).flatMap(
      ([second, minute, hour, day]): Case[] => [
        caseOf("every day", cluster({}), backup(`${second} ${minute} ${hour} * * *`)),
        caseOf("every week", cluster({}), backup(`${second} ${minute} ${hour} * * 0`)),
        caseOf("every month", cluster({}), backup(`${second} ${minute} ${hour} ${day} * *`)),
      ],
    ),
    caseOf("said in a word", cluster({}), backup("@daily")),
    caseOf("another parameter", cluster({ postgresql: { parameters: { fsync: "on", jit: "off" } } }), nightly),
  ],
});

/** Cases of network, images, volumes and databases. */
export function platformCases(seed: number): Cases[] {
  return [imageCases, sourceCases, networkCases, hostCases, poolerCases, metadataCases, writerCases, backupCases(seed)];
}
