import { names, serviceHost } from "../../catalogue/names.ts";
import { valueBelow as part, rulesOn, wholeParts, within } from "../../core/arguments.ts";
import type { PlannedObject } from "../../core/plan.ts";
import { error, type Problem, shown, warning } from "../../core/problems.ts";
import { parseQuantity } from "../../core/quantities.ts";
import { as, block, choice, defaultsTo, optional, text } from "../../core/schema.ts";
import { secretName } from "../../core/secrets.ts";
import { hostName } from "../../core/value-rules.ts";
import { type MetricsEndpoint, podMonitor } from "../../kubernetes/monitoring.ts";
import { podTemplate, selectorLabels } from "../../kubernetes/pod.ts";
import { resourceRequirements } from "../../kubernetes/resources.ts";
import { recommendedResources } from "../../kubernetes/resources-schema.ts";
import { limits } from "../../limits/table.ts";
import { type CloudSuiteOfficeArgs, OfficeEngine } from "../args.ts";
import { partOf, suiteMetadata } from "../metadata.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";
import { nextcloud, publicHostEdges, suiteApp } from "./app.ts";
import { collabora } from "./collabora.ts";
import type { Engine } from "./office-engine.ts";
import { onlyoffice } from "./onlyoffice.ts";
import { singleServer } from "./single-server.ts";

/** The programs that can be the office server; another one is a file beside these and an entry here. */
const engines: Readonly<Record<OfficeEngine, Engine>> = { collabora, onlyoffice };

const officeEngine = choice(
  "OfficeEngine",
  { collabora: "collabora", onlyoffice: "onlyoffice" },
  "Program that edits documents in the browser.",
);

const cloudSuiteOffice = block("CloudSuiteOfficeArgs", "Office editing: `office` of config.yaml.", {
  domain: text(
    "Public host of the office server, a subdomain of the suite's domain, e.g. `office.cloud.example.org`.",
    {
      rule: hostName,
      examples: ["office.cloud.example.org"],
      hints: { format: "hostname" },
    },
  ),
  resources: recommendedResources("Resources of the office pod.", limits.officeResources.least()),
  engine: defaultsTo(as(officeEngine, "Office server that edits the documents."), "collabora"),
});

export const officeArguments = optional(as(cloudSuiteOffice, "Office editing."), "none");

/** The choice of the engine. */
export const officeEngineSetting = cloudSuiteOffice.shape.engine;

type Office = NonNullable<ResolvedSuite["office"]>;

const name = names.cloudsuite.office;
const credentials = `${name}-credentials`;

/** Editing of documents in the browser, on a host of its own. */
export const office = suiteApp({
  key: "office",
  title: "the office server",
  schema: officeArguments,
  server: {
    workload: name,
    repositories: Object.values(engines).map(({ repository }) => repository),
    version: ["versions", "office"],
    exceptions: Object.values(engines).map(({ exception }) => exception),
  },
  credentials,
  nextcloudApps: Object.values(engines).map(({ app }) => app),
  rules: [hostRule, within("office", rulesOn(cloudSuiteOffice)(["engine", "resources"], memoryProblems))],
  parts: (args, own) => {
    const secret = secretName(args.platform.secrets, credentials);
    const engine = engines[own.engine];
    const { port, clientPaths, app } = engine;
    const internal = `http://${serviceHost(name, args.namespace)}:${port.number}`;
    return {
      objects: server(args, own, engine, secret),
      secrets: [{ name: credentials, namespace: args.namespace, data: engine.secret }],
      host: {
        metadata: suiteMetadata(args, name),
        host: own.domain,
        tlsSecret: suiteNames.officeTls,
        rules: [
          {
            paths: clientPaths.map((pattern) => ({ pattern })),
            service: name,
            port: port.number,
            strictTransport: suiteNames.strictTransport,
          },
        ],
      },
      settings: { [app]: engine.settings(args, own, internal) },
      variables: engine.variables?.(secret),
      url: `https://${own.domain}`,
      edges: [
        { from: "ingress", to: name, ports: [port.number], reason: "Browsers edit documents." },
        { from: nextcloud, to: name, ports: [port.number], reason: "What it can do, and conversions." },
        ...publicHostEdges(name, "The documents, by the suite's public host."),
      ],
    };
  },
});

/** The server and its Service. Traefik can't route by document, so it is a single one. */
function server(args: ResolvedSuite, own: Office, engine: Engine, secret: string): PlannedObject[] {
  const { port, user } = engine;
  const { env, volumes, mounts, initContainers } = engine.container(args, own, secret);
  const template = podTemplate(
    {
      name,
      partOf,
      secrets: [credentials],
      gracePeriodSeconds: 60,
      user,
      group: user,
      volumes,
      initContainers,
      containers: [
        {
          name,
          image: `${engine.repository}:${args.versions.office}`,
          exception: engine.exception,
          env,
          ports: [{ name: port.name, containerPort: port.number, protocol: "TCP" }],
          resources: resourceRequirements(own.resources),
          ...(mounts.length > 0 && { volumeMounts: mounts }),
          ...probes({ path: engine.health, port: port.name }),
        },
      ],
    },
    args.platform,
  );
  return [
    ...singleServer(args, name, { [port.name]: port.number }, template),
    ...(engine.metrics ? officeMonitor(args, { port: port.name, ...engine.metrics(secret) }) : []),
  ];
}

/** Its answer names no form, which Prometheus 3 wants to know. (wsd/Admin.cpp, sendMetrics) */
function officeMonitor(args: ResolvedSuite, endpoint: MetricsEndpoint): PlannedObject[] {
  return podMonitor(suiteMetadata(args, name), selectorLabels(name), endpoint, args.platform, "PrometheusText0.0.4");
}

/** Five minutes to start; then taken out of the Service at once, and restarted only when it hangs. */
function probes(httpGet: { readonly path: string; readonly port: string }) {
  return {
    startupProbe: { httpGet, periodSeconds: 5, failureThreshold: 60 },
    readinessProbe: { httpGet, periodSeconds: 10, timeoutSeconds: 10 },
    livenessProbe: { httpGet, periodSeconds: 20, timeoutSeconds: 20, failureThreshold: 6 },
  };
}

/** A host of its own, which is a subdomain of the suite's as a rule. */
function hostRule(suite: unknown): Problem[] {
  const path = "office.domain";
  const domain = part(suite, "domain");
  const host = wholeParts(cloudSuiteOffice, part(suite, "office"), ["domain"])?.domain;
  if (host === undefined || typeof domain !== "string" || hostName("", domain).length > 0) return [];
  if (host === domain)
    return [
      error(
        "office-domain-same",
        path,
        `${shown(domain)} is the domain of the suite itself.`,
        `Give the office server a host of its own, for example office.${domain}.`,
      ),
    ];
  if (host.endsWith(`.${domain}`)) return [];
  return [
    warning(
      "office-domain",
      path,
      `${shown(host)} is not a subdomain of ${shown(domain)}.`,
      `The usual name is like office.${domain}.`,
    ),
  ];
}

function memoryProblems({ engine, resources }: Pick<CloudSuiteOfficeArgs, "engine" | "resources">): Problem[] {
  const { memory } = resources.limits;
  if (engine !== OfficeEngine.onlyoffice || (parseQuantity(memory) ?? Infinity) > (parseQuantity("2Gi") ?? 0))
    return [];
  return [
    warning(
      "office-memory",
      "resources.limits.memory",
      `${memory} is too little for OnlyOffice.`,
      "Give it more than 2Gi, for example 4Gi; Collabora needs 1Gi.",
    ),
  ];
}
