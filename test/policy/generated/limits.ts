import { type Limit, type ResourcesLimit, suiteKind } from "@hearth-platform/hearth/limits/limit";
import { limits } from "@hearth-platform/hearth/limits/table";
import fc from "fast-check";
import type { StackFacts } from "@hearth-platform/policy/core/stack-facts";
import { parse } from "yaml";
import { good } from "../../stack/suite-file.ts";
import { componentResource, place } from "../support/fixtures.ts";
import { ofSuite } from "../support/suites.ts";
import { replaced } from "../support/trees.ts";
import { type Case, type Cases, caseOf, crossed, kubernetes, type Tree } from "./case.ts";

/** The rows of the table "Limits" in every kind and notation in which they can be broken. */

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
const suiteFile = parse(good) as Tree;
const component = (type: string, args: Tree): Case => ({ what: type, resources: [componentResource(type, args)] });
const suite = (path: string, value: unknown): Case =>
  component("CloudSuite", replaced(suiteFile, path, value) as Tree);
const inStack = (each: Case, stack: Partial<StackFacts>): Case => ({ ...each, stack });
const development: Partial<StackFacts> = { profile: "development" };

/** Workloads of any kind, by the name of the part that they run. */
const workloads: Readonly<Record<string, (name: string, spec: Tree, metadata?: Tree) => Tree>> = Object.fromEntries(
  [
    ["apps/v1", "Deployment"],
    ["apps/v1", "StatefulSet"],
    ["apps/v1", "ReplicaSet"],
    ["v1", "ReplicationController"],
    ["argoproj.io/v1alpha1", "Rollout"],
    ["apps.kruise.io/v1alpha1", "CloneSet"],
  ].map(([apiVersion = "", kind = ""]) => [
    `a ${kind}`,
    (name: string, spec: Tree, metadata: Tree = {}) => kubernetes(apiVersion, kind, { spec }, { name, ...metadata }),
  ]),
);
const keda = (name: string, spec: Tree, metadata: Tree = {}, target: Tree = {}) =>
  kubernetes("keda.sh/v1alpha1", "ScaledObject", { spec: { scaleTargetRef: { name, ...target }, triggers: [{ type: "cpu" }], ...spec } }, metadata);
const autoscaler = (name: string, spec: Tree, target: Tree = {}) =>
  kubernetes("autoscaling/v2", "HorizontalPodAutoscaler", { spec: { scaleTargetRef: { kind: "Deployment", name, ...target }, ...spec } });
/** What gives a part a number of pods. */
const scales: Readonly<Record<string, (name: string, pods: unknown) => Tree>> = {
  ...Object.fromEntries(
    Object.entries(workloads).map(([what, make]) => [what, (name: string, replicas: unknown) => make(name, { replicas })]),
  ),
  "a Rollout of a Deployment": (name, replicas) =>
    kubernetes("argoproj.io/v1alpha1", "Rollout", { spec: { replicas, workloadRef: { kind: "Deployment", name } } }, { name: "other" }),
  "an autoscaler": (name, pods) => autoscaler(name, { minReplicas: pods, maxReplicas: pods }),
  KEDA: (name, pods) => keda(name, { minReplicaCount: pods, maxReplicaCount: pods }),
};
/** What gives it that number at times, by a scaler whose bounds keep the row. */
const atTimes: Readonly<Record<string, (name: string, pods: unknown, kept: number) => Tree>> = {
  "an autoscaler's least": (name, pods, kept) => autoscaler(name, { minReplicas: pods, maxReplicas: kept }),
  "an autoscaler's most": (name, pods, kept) => autoscaler(name, { minReplicas: kept, maxReplicas: pods }),
  "KEDA's least": (name, pods, kept) => keda(name, { minReplicaCount: pods, maxReplicaCount: kept }),
  "KEDA's most": (name, pods, kept) => keda(name, { minReplicaCount: kept, maxReplicaCount: pods }),
  "KEDA without metrics": (name, replicas, kept) =>
    keda(name, { minReplicaCount: kept, maxReplicaCount: kept, fallback: { failureThreshold: 3, replicas } }),
  "KEDA in a pause": (name, pods, kept) =>
    keda(name, { minReplicaCount: kept, maxReplicaCount: kept }, { annotations: { "autoscaling.keda.sh/paused-replicas": String(pods) } }),
  "KEDA without work": (name, pods, kept) =>
    keda(name, { minReplicaCount: kept, maxReplicaCount: kept, idleReplicaCount: pods }),
};

function podCases(limit: Limit & { object?: { name?: string } }, kept: readonly number[], broken: readonly unknown[], path: string): Cases {
  const name = limit.object?.name ?? "";
  const [usual = 1] = kept;
  const numbers = (values: readonly unknown[]) => Object.fromEntries(values.map((value) => [JSON.stringify(value), value]));
  const isForge = name === "forge-webservice";
  const asComponent = (value: unknown) =>
    isForge ? component("Forge", replaced({ replicas: {} }, path, value) as Tree) : suite(path, value);
  return {
    policy: policyOf(limit),
    breaks: [
      ...crossed(numbers(broken), scales, (pods, make, what) => caseOf(what, make(name, pods))),
      ...crossed(numbers(broken), atTimes, (pods, make, what) => caseOf(what, make(name, pods, usual))),
      ...broken.map(asComponent),
    ],
    keeps: [
      ...crossed(numbers(kept), scales, (pods, make, what) => caseOf(what, make(name, pods))),
      ...crossed(numbers(kept), atTimes, (pods, make, what) => caseOf(what, make(name, pods, usual))),
      ...kept.map(asComponent),
      ...crossed(numbers(broken), scales, (pods, make, what) => caseOf(what, make("another", pods))),
      caseOf("pauses", keda(name, { minReplicaCount: usual, maxReplicaCount: usual }, { annotations: { "autoscaling.keda.sh/paused": "true" } })),
    ],
  };
}

function policyOf({ id }: Pick<Limit, "id">): string {
  return `lim-${id.replace("database", "db")}`;
}

const notNumbers = [-1, 1.5, "many"];
const forgeWeb = podCases(limits.forgeWebReplicas, [2, 3, 20], [0, 1, ...notNumbers], "replicas.webservice");
const counts: readonly Cases[] = [
  podCases(limits.keystoreReplicas, [1], [0, 2, 3, ...notNumbers], "replicas.keystore"),
  podCases(limits.cloudsuiteReplicas, [1], [0, 4, 10, ...notNumbers], "replicas.cloudsuite"),
  {
    ...forgeWeb,
    breaks: [
      ...forgeWeb.breaks,
      // Without a number it is one.
      ...["a Deployment", "a StatefulSet", "a Rollout"].map((kind) => caseOf(kind, workloads[kind]?.("forge-webservice", {}) as Tree)),
    ],
    keeps: [
      ...forgeWeb.keeps,
      ...["a Deployment", "a Rollout"].map((kind) => inStack(caseOf(kind, workloads[kind]?.("forge-webservice", {}) as Tree), development)),
      {
        what: "a patch of something else",
        resources: [place("kubernetes:apps/v1:DeploymentPatch", "team/forge-webservice", { metadata: { name: "forge-webservice" }, spec: {} })],
      },
      inStack(caseOf("maintenance", workloads["a Deployment"]?.("forge-webservice", { replicas: 0 }) as Tree), { maintenance: true }),
    ],
  },
];

const cluster = (spec: Tree, metadata: Tree = {}) => kubernetes("postgresql.cnpg.io/v1", "Cluster", { spec }, metadata);
const clusterTarget = { apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster" };
const instances: Readonly<Record<string, (count: unknown) => Case>> = {
  "a Cluster": (count) => caseOf("a Cluster", cluster({ instances: count })),
  "an autoscaler": (count) => caseOf("an autoscaler", autoscaler("db", { minReplicas: count, maxReplicas: count }, clusterTarget)),
  KEDA: (count) => caseOf("KEDA", keda("db", { minReplicaCount: count, maxReplicaCount: count }, {}, clusterTarget)),
  "a component": (count) => component("Database", { instances: count }),
  "a suite": (count) => suite("replicas.db", count),
};
const widened = { limits: { databaseReplicas: { most: 3, reason: "A zone each." } } } as const;
const instanceCases: Cases = {
  policy: "lim-db-replicas",
  breaks: [
    ...Object.values(instances).flatMap((make) => [
      ...[0, 1, 3, ...notNumbers].map(make),
      ...[0, 3].map((count) => inStack(make(count), development)),
      ...[1, 4].map((count) => inStack(make(count), widened)),
    ]),
    // The operator makes one where none is said.
    caseOf("no number", cluster({})),
  ],
  keeps: [
    ...Object.values(instances).flatMap((make) => [
      make(2),
      ...[1, 2].map((count) => inStack(make(count), development)),
      ...[2, 3].map((count) => inStack(make(count), widened)),
    ]),
    inStack(caseOf("no number", cluster({})), development),
    component("Database", {}),
  ],
};

const isSuites = { labels: ofSuite("cloudsuite-db").labels };
const digest = `@sha256:${"0123456789abcdef".repeat(4)}`;
/** Where a major stands, and what says none. */
const majorPlaces: Readonly<Record<string, (major: string) => Tree>> = {
  "an image": (major) => ({ imageName: `ghcr.io/cloudnative-pg/postgresql:${major}` }),
  "an image of a minor": (major) => ({ imageName: `registry.example.org:5000/postgresql:${major}.4-bookworm` }),
  "an image with a digest": (major) => ({ imageName: `postgresql:${major}.4${digest}` }),
  "a catalogue": (major) => ({ imageCatalogRef: { kind: "ImageCatalog", name: "pg", major: Number(major) } }),
};
const nameless: Readonly<Record<string, Tree>> = {
  "no image": {},
  "an image without a tag": { imageName: "ghcr.io/cloudnative-pg/postgresql" },
  "an image by digest alone": { imageName: `postgresql${digest}` },
  "a moving tag": { imageName: "postgresql:latest" },
  "a port instead of a tag": { imageName: "registry.example.org:16/postgresql" },
  "a catalogue without a major": { imageCatalogRef: { kind: "ImageCatalog", name: "pg" } },
};
function majorCases(limit: Limit, broken: readonly number[], kept: readonly number[], metadata: Tree): Cases {
  const majors = (values: readonly number[]) => named(values.map(String));
  const isSuite = limit.fields[suiteKind] !== undefined;
  const components = (major: unknown) =>
    isSuite ? [suite("versions.db", major)] : [component("Database", { version: major }), component("Forge", { databaseVersion: major })];
  return {
    policy: policyOf(limit),
    breaks: [
      ...crossed(majors(broken), majorPlaces, (major, make, what) => caseOf(what, cluster(make(major), metadata))),
      ...Object.entries(nameless).map(([what, spec]) => caseOf(what, cluster(spec, metadata))),
      ...[...broken.map(String), "16.4", "latest", " 16", "0x10", "1e1"].flatMap(components),
    ],
    keeps: [
      ...crossed(majors(kept), majorPlaces, (major, make, what) => caseOf(what, cluster(make(major), metadata))),
      ...kept.map(String).flatMap(components),
    ],
  };
}
const majors: readonly Cases[] = [
  majorCases(limits.databaseMajor, [9, 10, 11, 17, 18, 160], [12, 13, 14, 15, 16], isSuites),
  majorCases(limits.sharedDatabaseMajor, [9, 11, 19, 180], [12, 15, 16, 17, 18], {}),
];

function intervalCases(seed: number): Cases {
  const site = (syncInterval: unknown) => kubernetes("pages.kup6s.com/v1beta1", "StaticSite", { spec: { syncInterval } });
  const places = (interval: unknown): Case[] => [
    caseOf(String(interval), site(interval)),
    component("SiteWebhook", { sites: [{ syncInterval: "5m" }, { syncInterval: interval }] }),
  ];
  const [short, long] = [fc.integer({ min: 1, max: 59 }), fc.integer({ min: 60, max: 90_000 })].map((seconds) =>
    fc.sample(seconds, { numRuns: 8, seed }),
  ) as [number[], number[]];
  const written = (seconds: number) => [`${seconds}s`, `${seconds * 1000}ms`, `${(seconds / 3600).toFixed(6)}h`, `0h${seconds}s`];
  const none = ["", "0s", "0", "5", "-5m", "+5m", "5 m", "5M", "1d", "five minutes", "5m-", "Infinitys", 300];
  return {
    policy: "lim-sync-interval",
    breaks: [...short.flatMap(written), ...none].flatMap(places),
    keeps: [
      ...long.flatMap((seconds) => [`${seconds}s`, `${seconds * 1000}ms`, `${Math.floor(seconds / 60)}m${seconds % 60}s`]),
      "1m",
      "1.5m",
      "24h",
    ]
      .flatMap(places)
      .concat(caseOf("the default", kubernetes("pages.kup6s.com/v1beta1", "StaticSite", { spec: {} })))
      .concat(short.flatMap((seconds) => places(`${seconds}s`).map((each) => ({ ...each, settings: { leastSeconds: 1 } })))),
  };
}

const gibi = 1024 ** 3;
/** A number of bytes as Kubernetes takes it. */
function notations(bytes: number): (string | number)[] {
  return [bytes, `${bytes}`, `${bytes}000m`, `${bytes / 1e6}M`, `${bytes / 1e9}G`, `${bytes / 1024}Ki`, `${bytes}e0`];
}
function sizeCases(seed: number, limit: Limit, least: number, places: Readonly<Record<string, (size: unknown) => Case>>): Cases {
  const below = fc.sample(fc.integer({ min: 1, max: least * gibi - 1 }), { numRuns: 4, seed });
  const above = fc.sample(fc.integer({ min: least * gibi, max: 90 * gibi }), { numRuns: 4, seed });
  const each = (sizes: readonly (string | number)[]) => Object.values(places).flatMap((make) => sizes.map(make));
  return {
    policy: policyOf(limit),
    breaks: each([...below.flatMap(notations), `${least - 1}Gi`, `${least}G`, `${least * 1024 - 1}Mi`, "0", "much", "-10Gi"]),
    keeps: each([...above.flatMap(notations), `${least}Gi`, `${least * 1024}Mi`, "1Ti"]),
  };
}
const volumeCases = (seed: number): readonly Cases[] => [
  sizeCases(seed, limits.databaseSize, 10, {
    "a suite": (size) => suite("storage.dbSize", size),
    "a component": (size) => component("Database", { storageSize: size }),
    "a Cluster": (size) => caseOf("a Cluster", cluster({ storage: { size } })),
    "a Cluster's template": (size) =>
      caseOf("a template", cluster({ storage: { pvcTemplate: { resources: { requests: { storage: size } } } } })),
  }),
  sizeCases(seed, limits.keystoreSize, 5, {
    "a suite": (size) => suite("storage.keystoreSize", size),
    "a component": (size) => component("Keystore", { storageSize: size }),
    "a claim": (size) =>
      caseOf("a claim", kubernetes("v1", "PersistentVolumeClaim", { spec: { resources: { requests: { storage: size } } } }, { name: "data-keystore-0" })),
    "a template": (size) =>
      caseOf(
        "a template",
        kubernetes("apps/v1", "StatefulSet", { spec: { volumeClaimTemplates: [{ spec: { resources: { requests: { storage: size } } } }] } }, { name: "keystore" }),
      ),
  }),
];

type Amounts = Readonly<Record<"requests" | "limits", Readonly<Record<string, unknown>>>>;
/** Amounts of which one is too low, in several notations. */
function lowered({ requests, limits: most }: Amounts): Readonly<Record<string, unknown>> {
  const all: Amounts = { requests, limits: most };
  const lower: Readonly<Record<string, readonly unknown[]>> = { cpu: ["49m", "0.049", 0.049, "0"], memory: ["127Mi", "1M", 1_000_000, "127e6"] };
  return Object.fromEntries([
    ...(["requests", "limits"] as const).flatMap((end) =>
      Object.entries(lower).flatMap(([kind, values]) =>
        values.map((value) => [`${end} of ${kind} ${JSON.stringify(value)}`, { ...all, [end]: { ...all[end], [kind]: value } }]),
      ),
    ),
    ["nothing", {}],
    ["no limits", { requests }],
    ["CPU alone", { requests: { cpu: requests.cpu }, limits: { cpu: most.cpu } }],
  ]);
}
function resourceCases(limit: ResourcesLimit): Cases {
  const { requests, limits: most } = limit.least();
  const least: Amounts = { requests: { ...requests }, limits: { ...most } };
  const name = limit.object.name;
  const path = (limit.fields[suiteKind] ?? []).join(".");
  const places: Readonly<Record<string, (resources: unknown) => Case>> = {
    "a suite": (resources) => suite(path, resources),
    ...(name === undefined
      ? { "a Cluster": (resources: unknown) => caseOf("a Cluster", cluster({ resources }, isSuites)) }
      : Object.fromEntries(
          Object.entries(workloads).map(([kind, make]) => [
            kind,
            (resources: unknown) =>
              caseOf(kind, make(name, { template: { spec: { containers: [{ name: "side" }, { name, resources }] } } }, isSuites)),
          ]),
        )),
  };
  const kept: Readonly<Record<string, unknown>> = {
    "the least": least,
    "limits alone": { limits: most },
    more: { requests: { cpu: 2, memory: "9Gi" }, limits: { cpu: "4", memory: "16G" } },
    "more kinds": { ...least, limits: { ...most, "ephemeral-storage": "1Mi" } },
  };
  return {
    policy: policyOf(limit),
    breaks: crossed(lowered(least), places, (resources, make, what) => ({ ...make(resources), what })),
    keeps: [
      ...crossed(kept, places, (resources, make, what) => ({ ...make(resources), what })),
      ...(name === undefined ? [] : [caseOf("another's", kubernetes("apps/v1", "Deployment", { spec: { template: { spec: { containers: [{ name, resources: {} }] } } } }, { name }))]),
    ],
  };
}

const endpoint = (location: string) => `https://${location}.your-objectstorage.com`;
const objectStore = (region: unknown, endpointURL: unknown, metadata: Tree = isSuites) =>
  kubernetes(
    "barmancloud.cnpg.io/v1",
    "ObjectStore",
    {
      spec: {
        configuration: { endpointURL },
        instanceSidecarConfiguration: { env: [{ name: "A", value: "b" }, { name: "AWS_DEFAULT_REGION", value: region }] },
      },
    },
    metadata,
  );
const s3Places: Readonly<Record<string, (region: unknown, url: unknown) => Case>> = {
  "a suite": (region, url) => component("CloudSuite", { ...suiteFile, s3: { ...(suiteFile.s3 as Tree), region, endpoint: url } }),
  "an archive": (region, url) => caseOf("an archive", objectStore(region, url)),
};
const locations = ["fsn1", "nbg1", "hel1"];
const pairs = locations.flatMap((region) => locations.map((other) => [region, endpoint(other)] as const));
const locationCases: Cases = {
  policy: "lim-s3-location",
  breaks: Object.values(s3Places).flatMap((make) => [
    ...pairs.filter(([region, url]) => url !== endpoint(region)).map(([region, url]) => make(region, url)),
    ...["us-east-1", "FSN1", "", "fsn", "fsn11"].map((region) => make(region, endpoint(region))),
    ...locations.flatMap((region) =>
      [`https://not${region}.example.org`, `https://example.org/${region}`, `https://example.org?${region}`, `https://${region}@example.org`, region, ""].map((url) =>
        make(region, url),
      ),
    ),
  ]),
  keeps: [
    ...Object.values(s3Places).flatMap((make) => [
      ...locations.map((region) => make(region, endpoint(region))),
      ...locations.map((region) => make(region, `https://${region.toUpperCase()}.your-objectstorage.com:443/`)),
    ]),
    caseOf("the platform's", objectStore("eu-west-1", "https://s3.example.org", {})),
  ],
};

const office = (domain: unknown, own: unknown): Case => component("CloudSuite", { ...suiteFile, domain: own, office: { ...(suiteFile.office as Tree), domain } });
const officeCases: Cases = {
  policy: "lim-office-domain",
  breaks: ["cloud.example.org", "example.org", "office.example.org", "officecloud.example.org", ".cloud.example.org", "cloud.example.org.evil.com", "*.cloud.example.org", ""].map(
    (domain) => office(domain, "cloud.example.org"),
  ),
  keeps: ["office.cloud.example.org", "a.b.cloud.example.org", "o-1.cloud.example.org"].map((domain) => office(domain, "cloud.example.org")),
};

function versionCases(seed: number): Cases {
  const deployed = "31.0.8";
  const places: Readonly<Record<string, (version: string) => Case>> = {
    "a suite": (version) => suite("versions.cloudsuite", version),
    ...Object.fromEntries(
      Object.entries(workloads).map(([kind, make]) => [
        kind,
        (version: string) =>
          caseOf(
            kind,
            make("cloudsuite", { template: { spec: { containers: [{ name: "cloudsuite", image: `registry.example.org:5000/nextcloud:${version}` }] } } }, isSuites),
          ),
      ]),
    ),
  };
  const [lower, higher] = [fc.integer({ min: 1, max: 30 }), fc.integer({ min: 33, max: 99 })].map((major) =>
    fc.sample(fc.tuple(major, fc.nat(9), fc.nat(9)), { numRuns: 4, seed }).map((numbers) => numbers.join(".")),
  ) as [string[], string[]];
  const set = (each: Case): Case => ({ ...each, settings: { deployed: [`example=${deployed}`, `team=${deployed}`, "other=99.0.0"] } });
  const judge = (version: string, make: (version: string) => Case, what: string) => ({ ...set(make(version)), what });
  const ends = ["", "-apache", "-fpm-alpine"];
  return {
    policy: "lim-version-order",
    breaks: [
      ...crossed(named([...lower, ...higher, "31.0.7"].flatMap((version) => ends.map((end) => `${version}${end}`))), places, judge),
      ...crossed(named(["latest", "apache", "stable", "v31.0.8"]), places, judge),
    ],
    keeps: [
      ...crossed(named(["31.0.8", "31.0.9", "31.1.0", "32.0.0", "32.9.9"].flatMap((version) => ends.map((end) => `${version}${end}`))), places, judge),
      ...crossed(named([...lower, ...higher]), places, (version, make, what) => ({ ...make(version), what })),
    ],
  };
}

const pod = (container: Tree): Tree => ({ spec: { containers: [{ name: "app", ...container }] } });
/** Where a workload or its configuration names an address. */
const addressed: Readonly<Record<string, (name: string, text: string) => Tree>> = {
  ...Object.fromEntries(
    Object.entries(workloads).map(([kind, make]) => [kind, (name: string, value: string) => make(name, { template: pod({ env: [{ name: "CACHE", value }] }) })]),
  ),
  "a CronJob": (name, text) => kubernetes("batch/v1", "CronJob", { spec: { jobTemplate: { spec: { template: pod({ args: [text] }) } } } }, { name }),
  "a command": (name, text) => kubernetes("v1", "Pod", pod({ command: ["sh", "-c", `app ${text}\n`] }), { name }),
  "an init container": (name, text) => kubernetes("v1", "Pod", { spec: { initContainers: [{ name: "a", args: [`--cache=${text}`] }] } }, { name }),
  "a ConfigMap": (name, text) => kubernetes("v1", "ConfigMap", { data: { "app.yml": `production:\n  url: ${text}\n` } }, { name }),
};
const addresses: Readonly<Record<string, (database: number) => string>> = {
  "a short name": (database) => `redis://keystore:6379/${database}`,
  "a whole name": (database) => `redis://keystore.platform.svc.cluster.local:6379/${database}`,
  "a whole name with a dot": (database) => `redis://keystore.platform.svc.cluster.local.:6379/${database}`,
  "a password": (database) => `rediss://:$(PASSWORD)@keystore.platform.svc:6379/${database}?ssl=true`,
  "no port": (database) => `redis://keystore.platform.svc/${database}`,
  capitals: (database) => `redis://Keystore.platform.svc:6379/${database}`,
  "a query": (database) => `redis://keystore:6379?db=${database}`,
  "a query after a path": (database) => `redis://keystore:6379/?timeout=1&db=${database}`,
};
const owned: readonly (readonly [name: string, own: readonly number[]])[] = [
  ["forge-jobs", [0, 1]],
  ["hub-core", [2]],
];
const judgedDatabases = [0, 1, 2, 3, 15];
const keystoreCases: Cases = {
  policy: "lim-keystore-db",
  breaks: owned.flatMap(([name, own]) =>
    crossed(addresses, addressed, (write, make, what) =>
      judgedDatabases.filter((each) => !own.includes(each)).map((each) => caseOf(`${what} ${each}`, make(name, write(each)))),
    ).flat(),
  ),
  keeps: [
    ...owned.flatMap(([name, own]) =>
      crossed(addresses, addressed, (write, make, what) => own.map((each) => caseOf(`${what} ${each}`, make(name, write(each))))).flat(),
    ),
    ...["redis://mykeystore:6379/9", "redis://keystore-exporter:9121/9", "redis://keystore.example:6380/9", "https://example.org/keystore/9", "the keystore/9 rows", "redis://keystore:6379"].flatMap(
      (text) => Object.values(addressed).map((make) => caseOf(text, make("hub-core", text))),
    ),
    caseOf("another's", addressed["a ConfigMap"]?.("app", "redis://keystore:6379/9") as Tree),
  ],
};

const reason = "It runs there.";
const wideningCases: Cases = {
  policy: "lim-widening",
  breaks: ["CloudSuite", "Database", "Stores", "Keystore", "Forge", "Hub", "Admission"].flatMap((type) =>
    [
      { regions: [{ name: "eu-central-1", endpoint: "s3.eu-central-1.amazonaws.com", reason }] },
      { storageClasses: [{ name: "longhorn", multiWriter: false, expandable: true, reason }] },
      { databaseMajors: [{ major: 17, reason }] },
      { databaseReplicas: { most: 3, reason } },
      { cloudsuiteReplicas: { most: 5, reason } },
    ].map((widening) => component(type, { platform: { limits: widening } })),
  ),
  keeps: ["CloudSuite", "Database", "Forge", "Hub"].flatMap((type) => [component(type, { platform: {} }), component(type, {})]),
};

/** Cases of the pack `platform-limits`. */
export const limitCases = (seed: number): readonly Cases[] => [
  ...counts,
  instanceCases,
  ...majors,
  intervalCases(seed),
  ...volumeCases(seed),
  ...[limits.cloudsuiteResources, limits.databaseResources, limits.keystoreResources, limits.officeResources, limits.whiteboardResources].map(resourceCases),
  ...[locationCases, officeCases, versionCases(seed), keystoreCases, wideningCases],
];
