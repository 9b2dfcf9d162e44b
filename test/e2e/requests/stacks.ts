import { names } from "@hearth-platform/hearth/catalogue/names";
import { ports } from "@hearth-platform/hearth/catalogue/ports";
import { suiteNames } from "@hearth-platform/hearth/cloudsuite/suite-names";
import { forgeNames } from "@hearth-platform/hearth/forge/forge-names";
import { hubNames } from "@hearth-platform/hearth/hub/hub-names";
import { hubPorts } from "@hearth-platform/hearth/hub/ports";
import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { type StackFiles, smallStack, wholePlatform, withConfig, withSettings } from "../../support/stack-files.ts";

/** Where the callers are whose `X-Forwarded-For` is believed. */
export const trustedProxies = ["127.0.1.0/24"];

/** What the webhook's route lets through: little, so that a test is at its end at once. */
export const webhookLimits = { callsPerSecond: 1, burst: 10, inFlight: 3 };

const suite = (files: StackFiles, file: string, name: string, changes: Readonly<Record<string, unknown>>) =>
  withConfig(files, file, {
    namespace: `routes-${name}`,
    domain: `${name}.example.org`,
    "s3.buckets.data": `data-${name}-routes`,
    "s3.buckets.backups": `backups-${name}-routes`,
    ...changes,
  });

/** Every area of the platform: Collabora with one suite, OnlyOffice with another, and one without either. */
function everything(): StackFiles {
  let files = withSettings(wholePlatform(), {
    namespace: "routes",
    "objectStorage.bucketSuffix": "routes",
    "ingress.trustedProxies": trustedProxies,
    clusterNetworks: ["10.42.0.0/16", "10.43.0.0/16"],
    "siteWebhook.namespace": "routes-webhook",
    "siteWebhook.limits": webhookLimits,
    cloudsuites: [
      { name: "team", config: "suites/team/config.yaml", push: { enabled: true } },
      { name: "club", config: "suites/club/config.yaml" },
      { name: "paper", config: "suites/paper/config.yaml", officeEngine: "onlyoffice" },
    ],
  });
  files = {
    ...files,
    suites: { ...files.suites, "suites/paper/config.yaml": files.suites["suites/team/config.yaml"] },
  };
  files = suite(files, "suites/team/config.yaml", "team", {});
  files = suite(files, "suites/club/config.yaml", "club", {});
  return suite(files, "suites/paper/config.yaml", "paper", {
    "office.domain": "office.paper.example.org",
    "office.resources.limits.memory": "4Gi",
    "office.resources.requests.memory": "2Gi",
    "versions.office": "9.0.4.1",
  });
}

/** What the other settings of routes make: own entry points, no client's address over SSH, the registry API as the specification's words have it. */
function otherwise(): StackFiles {
  return withSettings(smallStack(), {
    namespace: "routes-otherwise",
    domain: "example.net",
    cloudsuites: undefined,
    siteWebhook: undefined,
    "ingress.entryPoint": "secure",
    "ingress.httpEntryPoint": "plain",
    "ingress.wildcardClusterIssuer": "letsencrypt-dns",
    objectStorage: { endpoint: "https://fsn1.your-objectstorage.com", region: "fsn1", bucketSuffix: "otherwise" },
    forge: { ssh: { entryPoint: "git", proxyProtocol: false } },
    hub: { registryRoute: "registry", signOn: { with: "forge" } },
  });
}

/** The Gateway of one's own that the other stack's routes belong to. */
const shared = { name: "shared", namespace: "routes-gateway" };

/**
 * The stacks whose routes the requests take, rendered for every kind. By the Gateway API one has Gateways of its own, the other names one.
 * @param port of an entry point, which is how Traefik knows a listener's
 */
export function stacks(port: (entryPoint: string) => number): StackFiles[] {
  const own = { httpsPort: port("websecure"), httpPort: port("web") };
  const existing = { existing: shared, httpsPort: port("secure"), httpPort: port("plain") };
  return [
    everything(),
    otherwise(),
    withSettings(everything(), {
      "ingress.kind": "gateway",
      "ingress.gateway": own,
      "forge.ssh.listenerPort": port("ssh"),
    }),
    withSettings(otherwise(), {
      "ingress.kind": "gateway",
      "ingress.entryPoint": undefined,
      "ingress.httpEntryPoint": undefined,
      "ingress.gateway": existing,
    }),
  ];
}

/** That Gateway, as whoever has it writes it. */
export function sharedGateway(port: (entryPoint: string) => number): KubernetesObject & { spec: object } {
  const allowedRoutes = { namespaces: { from: "All" } };
  const https = (name: string, secret: string) => ({
    name,
    hostname: `${name}.example.net`,
    port: port("secure"),
    protocol: "HTTPS",
    tls: { certificateRefs: [{ name: secret, namespace: "routes-otherwise" }] },
    allowedRoutes,
  });
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: shared,
    spec: {
      gatewayClassName: "traefik",
      listeners: [
        https("forge", forgeNames.tls),
        https("hub", hubNames.tls),
        { name: "http", port: port("plain"), protocol: "HTTP", allowedRoutes },
        { name: "git", port: port("git"), protocol: "TCP", allowedRoutes },
      ],
    },
  };
}

const backend = (namespace: string, service: string, port: number) => `${namespace}/${service}:${port}`;
const { forge, hub, cloudsuite } = names;

/** The Services behind the routes. */
export const backends = {
  forge: backend("routes", forge.webservice, ports.forgeProxy),
  pages: backend("routes", forge.pages, ports.forgePages),
  shell: backend("routes", forge.shell, ports.forgeShell),
  core: backend("routes", hub.core, ports.hubCore),
  portal: backend("routes", hub.portal, ports.hubPortal),
  signIn: backend("routes", hubNames.signIn, hubPorts.signIn),
  team: backend("routes-team", cloudsuite.web, ports.cloudsuite),
  teamOffice: backend("routes-team", cloudsuite.office, ports.officeCollabora),
  teamWhiteboard: backend("routes-team", cloudsuite.whiteboard, ports.whiteboard),
  teamPush: backend("routes-team", suiteNames.push, ports.push),
  club: backend("routes-club", cloudsuite.web, ports.cloudsuite),
  paper: backend("routes-paper", cloudsuite.web, ports.cloudsuite),
  paperOffice: backend("routes-paper", cloudsuite.office, ports.officeOnlyoffice),
  webhook: backend("routes-webhook", "site-webhook", ports.siteWebhook),
  otherForge: backend("routes-otherwise", forge.webservice, ports.forgeProxy),
  otherShell: backend("routes-otherwise", forge.shell, ports.forgeShell),
  otherCore: backend("routes-otherwise", hub.core, ports.hubCore),
  otherPortal: backend("routes-otherwise", hub.portal, ports.hubPortal),
  otherRegistry: backend("routes-otherwise", hub.registry, ports.hubRegistry),
} as const;
