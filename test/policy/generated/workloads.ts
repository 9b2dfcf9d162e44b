import { type Cases, caseOf, crossed, kubernetes, type Tree } from "./case.ts";

/** What makes pods, from a pod's spec. */
const makers: Readonly<Record<string, (spec: Tree, more?: Tree) => Tree>> = {
  "a Pod": (spec) => kubernetes("v1", "Pod", { spec }),
  "a PodTemplate": (spec) => kubernetes("v1", "PodTemplate", { template: { spec } }),
  "a ReplicationController": (spec, more) =>
    kubernetes("v1", "ReplicationController", { spec: { ...more, template: template(spec) } }),
  ...Object.fromEntries(
    ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"].map((kind) => [
      `a ${kind}`,
      (spec: Tree, more?: Tree) => kubernetes("apps/v1", kind, { spec: { ...more, template: template(spec) } }),
    ]),
  ),
  "a Job": (spec) => kubernetes("batch/v1", "Job", { spec: { template: template(spec) } }),
  "a CronJob": (spec) => kubernetes("batch/v1", "CronJob", { spec: { jobTemplate: { spec: { template: template(spec) } } } }),
  "a Rollout": (spec, more) => kubernetes("argoproj.io/v1alpha1", "Rollout", { spec: { ...more, template: template(spec) } }),
};
const template = (spec: Tree) => ({ metadata: { labels: { app: "example" } }, spec });
const only = (...kinds: string[]) => Object.fromEntries(Object.entries(makers).filter(([kind]) => kinds.includes(kind)));
const longRunning = only("a Deployment", "a StatefulSet", "a DaemonSet");
const replicated = only("a Deployment", "a StatefulSet");

const amounts = { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "200m", memory: "128Mi" } };
const app = (content: Tree = {}) => ({ name: "app", image: "app:1.0.0", ...content });
const without = (from: "requests" | "limits", name: "cpu" | "memory") => {
  const { [name]: _, ...rest } = amounts[from];
  return { ...amounts, [from]: rest };
};

/** A container at each place of a pod that runs one. */
const places: Readonly<Record<string, (container: Tree) => Tree>> = {
  "the only one": (container) => ({ containers: [container] }),
  "the second one": (container) => ({ containers: [app({ resources: amounts }), { ...container, name: "second" }] }),
  "an init container": (container) => ({
    initContainers: [{ ...container, name: "first" }],
    containers: [app({ resources: amounts })],
  }),
  "a sidecar": (container) => ({
    initContainers: [{ ...container, name: "first", restartPolicy: "Always" }],
    containers: [app({ resources: amounts })],
  }),
};

const wrongAmounts: Readonly<Record<string, Tree>> = {
  none: {},
  "an empty object": { resources: {} },
  "no limits": { resources: { requests: amounts.requests } },
  "no limit of memory": { resources: without("limits", "memory") },
  "no limit of CPU": { resources: without("limits", "cpu") },
};
/** The API server takes a limit for the request that is not there. */
const rightAmounts: Readonly<Record<string, Tree>> = {
  all: amounts,
  "no requests": { limits: amounts.limits },
  "no CPU requested": without("requests", "cpu"),
  "no memory requested": without("requests", "memory"),
};
const resourceCases: Cases = {
  policy: "wl-resources",
  breaks: crossed(makers, wrongAmounts, (make, container, what) =>
    Object.entries(places).map(([where, place]) => caseOf(`${what}, ${where}`, make(place(app(container))))),
  )
    .flat()
    .concat([
      caseOf("a database", kubernetes("postgresql.cnpg.io/v1", "Cluster", { spec: { instances: 2 } })),
      caseOf(
        "a pooler",
        kubernetes("postgresql.cnpg.io/v1", "Pooler", { spec: { template: { spec: { containers: [{ name: "pgbouncer" }] } } } }),
      ),
    ]),
  keeps: crossed(makers, rightAmounts, (make, resources, what) =>
    Object.entries(places).map(([where, place]) => caseOf(`${what}, ${where}`, make(place(app({ resources }))))),
  ).flat(),
};

const above: Readonly<Record<string, Tree>> = {
  CPU: { requests: { cpu: "300m", memory: "64Mi" }, limits: amounts.limits },
  "whole CPUs": { requests: { cpu: "2", memory: "64Mi" }, limits: { cpu: "1999m", memory: "128Mi" } },
  memory: { requests: { cpu: "100m", memory: "129Mi" }, limits: amounts.limits },
  "memory in another unit": { requests: { cpu: "100m", memory: "1Gi" }, limits: { cpu: "200m", memory: "1G" } },
  "memory in bytes": { requests: { cpu: "100m", memory: "134217729" }, limits: amounts.limits },
  storage: {
    requests: { ...amounts.requests, "ephemeral-storage": "2Gi" },
    limits: { ...amounts.limits, "ephemeral-storage": "1Gi" },
  },
};
const below: Readonly<Record<string, Tree>> = {
  below: amounts,
  equal: { requests: amounts.limits, limits: amounts.limits },
  "equal in another unit": { requests: { cpu: "0.2", memory: "131072Ki" }, limits: amounts.limits },
};
const requestCases: Cases = {
  policy: "lim-requests",
  breaks: crossed(makers, above, (make, resources, what) =>
    Object.entries(places).map(([where, place]) => caseOf(`${what}, ${where}`, make(place(app({ resources }))))),
  ).flat(),
  keeps: crossed(makers, below, (make, resources, what) => caseOf(what, make(places["a sidecar"]?.(app({ resources })) ?? {}))),
};

const check = { httpGet: { path: "/", port: "http" } };
const ports = [{ name: "http", containerPort: 8080 }];
const probes = { readinessProbe: check, livenessProbe: check };
const wrongProbes: Readonly<Record<string, Tree>> = {
  none: { ports },
  "no readiness": { ports, livenessProbe: check },
  "no liveness": { ports, readinessProbe: check },
  "a start alone": { ports, startupProbe: check },
  "a port without a name": { ports: [{ containerPort: 8080 }], ...probes },
  "a port that is not there": { ports: [{ name: "metrics", containerPort: 9090 }], ...probes },
  "no ports": { ...probes },
};
const probeCases: Cases = {
  policy: "wl-probes",
  breaks: crossed(longRunning, wrongProbes, (make, container, what) => caseOf(what, make({ containers: [app(container)] }))),
  keeps: crossed(
    longRunning,
    {
      "by name": { ports, ...probes },
      "by number": { ports, readinessProbe: { tcpSocket: { port: 8080 } }, livenessProbe: { httpGet: { port: 8080 } } },
      "by a program": { readinessProbe: { exec: { command: ["true"] } }, livenessProbe: { exec: { command: ["true"] } } },
      "by gRPC": { ports, readinessProbe: { grpc: { port: 8080 } }, livenessProbe: { grpc: { port: 8080 } } },
    } as Readonly<Record<string, Tree>>,
    (make, container, what) => caseOf(what, make({ containers: [app(container)] })),
  ),
};

const readOnly = { securityContext: { readOnlyRootFilesystem: true } };
const rootCases: Cases = {
  policy: "wl-readonly-root",
  breaks: crossed(
    makers,
    { "nothing said": {}, "said otherwise": { securityContext: { readOnlyRootFilesystem: false } } } as Readonly<Record<string, Tree>>,
    (make, container, what) => [
      caseOf(what, make({ containers: [app(container)] })),
      caseOf(`${what}, the second one`, make({ containers: [app(readOnly), app({ name: "b", ...container })] })),
      caseOf(`${what}, an init container`, make({ initContainers: [app({ name: "b", ...container })], containers: [app(readOnly)] })),
    ],
  ).flat(),
  keeps: Object.entries(makers).map(([what, make]) => caseOf(what, make({ containers: [app(readOnly)] }))),
};

const projected = {
  automountServiceAccountToken: false,
  volumes: [{ name: "token", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } }],
};
const tokens: Readonly<Record<string, Tree>> = {
  "nothing said": {},
  "nothing said of its own account": { serviceAccountName: "example" },
  "a projected one": projected,
  "a projected one of its own account": { ...projected, serviceAccountName: "example" },
  "one of the default account": { automountServiceAccountToken: true },
  "one of the default account by its name": { automountServiceAccountToken: true, serviceAccountName: "default" },
};
const tokenCases: Cases = {
  policy: "wl-token-automount",
  breaks: [
    ...crossed(makers, tokens, (make, spec, what) => caseOf(what, make({ ...spec, containers: [app()] }))),
    caseOf(
      "a Secret with a token",
      kubernetes("v1", "Secret", { type: "kubernetes.io/service-account-token" }, { annotations: { "kubernetes.io/service-account.name": "example" } }),
    ),
  ],
  keeps: [
    ...crossed(
      makers,
      {
        none: { automountServiceAccountToken: false },
        "its own account's": { automountServiceAccountToken: true, serviceAccountName: "example" },
        "none of a named account": { automountServiceAccountToken: false, serviceAccountName: "example" },
        "another volume": { automountServiceAccountToken: false, volumes: [{ name: "a", projected: { sources: [{ configMap: { name: "a" } }] } }] },
      } as Readonly<Record<string, Tree>>,
      (make, spec, what) => caseOf(what, make({ ...spec, containers: [app()] })),
    ),
    caseOf("another Secret", kubernetes("v1", "Secret", { type: "Opaque" })),
  ],
};

const budget = (spec: Tree, selector: Tree = { matchLabels: { app: "example" } }) =>
  kubernetes("policy/v1", "PodDisruptionBudget", { spec: { selector, ...spec } });
const pods = (make: (spec: Tree, more?: Tree) => Tree, replicas: number) => make({ containers: [app()] }, { replicas });
const budgetCases: Cases = {
  policy: "wl-disruption-budget",
  breaks: [
    ...Object.entries(replicated).flatMap(([what, make]) => [
      ...[2, 3, 10].map((replicas) => caseOf(`${what} of ${replicas} without any`, pods(make, replicas))),
      caseOf(`${what}, one of others`, pods(make, 2), budget({ maxUnavailable: 1 }, { matchLabels: { app: "other" } })),
      ...[
        { maxUnavailable: 0 },
        { maxUnavailable: "0%" },
        { minAvailable: 2 },
        { minAvailable: 3 },
        { minAvailable: "100%" },
        { minAvailable: "51%" },
      ].map((spec) => caseOf(`${what} with ${JSON.stringify(spec)}`, pods(make, 2), budget(spec))),
      caseOf(`${what} of one pod that stays`, pods(make, 1), budget({ minAvailable: 1 })),
      caseOf(
        `${what} in another namespace than its budget`,
        pods(make, 2),
        { ...budget({ maxUnavailable: 1 }), metadata: { name: "example", namespace: "other" } },
      ),
    ]),
    caseOf("a database without", kubernetes("postgresql.cnpg.io/v1", "Cluster", { spec: { instances: 2, enablePDB: false } })),
  ],
  keeps: Object.entries(replicated).flatMap(([what, make]) => [
    ...[{ maxUnavailable: 1 }, { minAvailable: 1 }, { maxUnavailable: "50%" }, { minAvailable: "50%" }].map((spec) =>
      caseOf(`${what} with ${JSON.stringify(spec)}`, pods(make, 2), budget(spec)),
    ),
    caseOf(`${what} by an expression`, pods(make, 2), budget({ maxUnavailable: 1 }, { matchExpressions: [{ key: "app", operator: "In", values: ["example"] }] })),
    caseOf(`${what} of one pod`, pods(make, 1)),
  ]),
};

const spreadBy = (content: Tree = {}) => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: "kubernetes.io/hostname",
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector: { matchLabels: { app: "example" } },
      ...content,
    },
  ],
});
const apart = (labels: Tree, topologyKey = "kubernetes.io/hostname") => ({
  affinity: {
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: labels } }] },
  },
});
const spread = (make: (spec: Tree, more?: Tree) => Tree, spec: Tree, replicas = 2) => make({ containers: [app()], ...spec }, { replicas });
const spreadCases: Cases = {
  policy: "wl-spread",
  breaks: crossed(
    replicated,
    {
      none: {},
      "of other pods": spreadBy({ labelSelector: { matchLabels: { app: "other" } } }),
      "of no pods": spreadBy({ labelSelector: undefined }),
      "apart from others": apart({ app: "other" }),
      "together with its own": { affinity: { podAffinity: apart({ app: "example" }).affinity.podAntiAffinity } },
    } as Readonly<Record<string, Tree>>,
    (make, spec, what) => caseOf(what, spread(make, spec)),
  ),
  keeps: [
    ...crossed(
      replicated,
      { spread: spreadBy(), "spread strictly": spreadBy({ whenUnsatisfiable: "DoNotSchedule" }), apart: apart({ app: "example" }) } as Readonly<
        Record<string, Tree>
      >,
      (make, spec, what) => caseOf(what, spread(make, spec)),
    ),
    ...Object.entries(replicated).map(([what, make]) => caseOf(`${what} of one pod`, spread(make, {}, 1))),
  ],
};

const waits = (seconds: number): Readonly<Record<string, Tree>> => ({
  "a sleep": { lifecycle: { preStop: { sleep: { seconds } } } },
  "a sleep of its own": { lifecycle: { preStop: { exec: { command: ["sleep", String(seconds)] } } } },
  "a sleep in a shell": { lifecycle: { preStop: { exec: { command: ["sh", "-c", `sleep ${seconds}`] } } } },
});
const graceCases: Cases = {
  policy: "wl-grace-period",
  breaks: [
    ...crossed(longRunning, waits(60), (make, container, what) => [
      caseOf(what, make({ terminationGracePeriodSeconds: 60, containers: [app(container)] })),
      caseOf(`${what}, nothing said`, make({ containers: [app(container)] })),
      caseOf(`${what}, of the second one`, make({ terminationGracePeriodSeconds: 30, containers: [app(), app({ name: "b", ...container })] })),
    ]).flat(),
    ...Object.entries(longRunning).map(([what, make]) =>
      caseOf(`${what} without any time`, make({ terminationGracePeriodSeconds: 0, containers: [app()] })),
    ),
    caseOf("a database that must not end", kubernetes("postgresql.cnpg.io/v1", "Cluster", { spec: { instances: 2, stopDelay: 1 } })),
  ],
  keeps: [
    ...crossed(longRunning, waits(10), (make, container, what) =>
      caseOf(what, make({ terminationGracePeriodSeconds: 60, containers: [app(container)] })),
    ),
    ...Object.entries(only("a Deployment", "a DaemonSet")).map(([what, make]) => caseOf(`${what}, nothing said`, make({ containers: [app()] }))),
  ],
};

const port = (containerPort: number, more: Tree = {}) => ({ containerPort, ...more });
const pair = (one: Tree, other: Tree) => ({ containers: [app({ ports: [one] }), app({ name: "b", ports: [other] })] });
const twice: Readonly<Record<string, Tree>> = {
  "two containers": pair(port(80), port(80)),
  "the protocol that is meant": pair(port(80), port(80, { protocol: "TCP" })),
  "two names": pair(port(80, { name: "a" }), port(80, { name: "b" })),
  "datagrams of both": pair(port(53, { protocol: "UDP" }), port(53, { protocol: "UDP" })),
  "a sidecar": {
    initContainers: [app({ name: "b", restartPolicy: "Always", ports: [port(80)] })],
    containers: [app({ ports: [port(80)] })],
  },
};
const portCases: Cases = {
  policy: "wl-duplicate-ports",
  breaks: crossed(makers, twice, (make, spec, what) => caseOf(what, make(spec))),
  keeps: crossed(
    makers,
    {
      "two ports": pair(port(80), port(81)),
      "two protocols": pair(port(53), port(53, { protocol: "UDP" })),
      "one after the other": {
        initContainers: [app({ name: "b", ports: [port(80)] })],
        containers: [app({ ports: [port(80)] })],
      },
    } as Readonly<Record<string, Tree>>,
    (make, spec, what) => caseOf(what, make(spec)),
  ),
};

/** Cases of what runs. */
export const workloadCases: Cases[] = [
  ...[resourceCases, requestCases, probeCases, rootCases, tokenCases],
  ...[budgetCases, spreadCases, graceCases, portCases],
];
