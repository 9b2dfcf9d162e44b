import { type Cases, caseOf, crossed, kubernetes, type Tree } from "./case.ts";

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
const traefik = (kind: string, spec: Tree, metadata: Tree = {}) => kubernetes("traefik.io/v1alpha1", kind, { spec }, metadata);

/** What makes a Service, from the Service's own fields. */
const services: Readonly<Record<string, (spec: Tree) => Tree>> = {
  "a Service": (spec) => kubernetes("v1", "Service", { spec: { ports: [{ port: 80 }], ...spec } }),
  "a database's": (spec) =>
    kubernetes("postgresql.cnpg.io/v1", "Cluster", {
      spec: { managed: { services: { additional: [{ selectorType: "rw", serviceTemplate: { metadata: { name: "a" }, spec } }] } } },
    }),
  "a pooler's": (spec) => kubernetes("postgresql.cnpg.io/v1", "Pooler", { spec: { serviceTemplate: { spec } } }),
};
const exposureCases: Cases = {
  policy: "net-service-exposure",
  breaks: [
    ...crossed(services, named(["LoadBalancer", "NodePort"]), (make, type, what) => caseOf(what, make({ type }))),
    caseOf("addresses of the nodes", services["a Service"]?.({ externalIPs: ["203.0.113.7"] }) ?? {}),
    caseOf("addresses of the nodes, with a type", services["a Service"]?.({ type: "ClusterIP", externalIPs: ["203.0.113.7"] }) ?? {}),
  ],
  keeps: [
    ...Object.entries(services).map(([what, make]) => caseOf(what, make({ type: "ClusterIP" }))),
    caseOf("no type", kubernetes("v1", "Service", { spec: { ports: [{ port: 80 }] } })),
    caseOf("without an address", kubernetes("v1", "Service", { spec: { clusterIP: "None", ports: [{ port: 80 }] } })),
  ],
};

const certificate = (...dnsNames: string[]) =>
  kubernetes("cert-manager.io/v1", "Certificate", { spec: { secretName: "tls", dnsNames, issuerRef: { name: "a" } } }, { name: "tls" });
const host = "a.example.org";
/** Public routes of a host by HTTPS, from what their TLS is. */
const secure: Readonly<Record<string, (secret: string | undefined, host: string) => Tree>> = {
  "an IngressRoute": (secret, host) =>
    traefik("IngressRoute", {
      entryPoints: ["websecure"],
      routes: [{ kind: "Rule", match: `Host(\`${host}\`)`, services: [{ name: "app", port: 80 }] }],
      ...(secret && { tls: { secretName: secret } }),
    }),
  "an Ingress": (secret, host) =>
    kubernetes("networking.k8s.io/v1", "Ingress", {
      spec: {
        rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "app", port: { number: 80 } } } }] } }],
        ...(secret && { tls: [{ hosts: [host], secretName: secret }] }),
      },
    }),
  "a Gateway": (secret, host) =>
    kubernetes("gateway.networking.k8s.io/v1", "Gateway", {
      spec: {
        gatewayClassName: "a",
        listeners: [
          {
            ...{ name: "https", hostname: host, port: 443, protocol: "HTTPS" },
            ...(secret && { tls: { certificateRefs: [{ name: secret }] } }),
          },
        ],
      },
    }),
};
const tlsCases: Cases = {
  policy: "net-ingress-tls",
  breaks: [
    ...Object.entries(secure).flatMap(([what, make]) => [
      caseOf(`${what} without TLS`, make(undefined, host)),
      caseOf(`${what} with a Secret that nothing makes`, make("tls", host)),
      caseOf(`${what} with a certificate of another host`, make("tls", host), certificate("b.example.org")),
      caseOf(`${what} with a certificate of the domain above`, make("tls", host), certificate("example.org")),
      caseOf(`${what} with a wildcard that goes a label deep`, make("tls", `x.${host}`), certificate("*.example.org")),
      caseOf(`${what} with a certificate in another namespace`, make("tls", host), {
        ...certificate(host),
        metadata: { name: "tls", namespace: "other" },
      }),
    ]),
    caseOf(
      "a listener of HTTP that a route answers",
      kubernetes("gateway.networking.k8s.io/v1", "Gateway", { spec: { listeners: [{ name: "http", hostname: host, port: 80, protocol: "HTTP" }] } }, { name: "web" }),
      kubernetes("gateway.networking.k8s.io/v1", "HTTPRoute", {
        spec: { hostnames: [host], parentRefs: [{ name: "web", sectionName: "http" }], rules: [{ backendRefs: [{ name: "app", port: 80 }] }] },
      }),
    ),
    ...["web", "http"].map((entryPoint) =>
      caseOf(
        `a route at ${entryPoint}`,
        traefik("IngressRoute", { entryPoints: [entryPoint], routes: [{ match: `Host(\`${host}\`)`, services: [{ name: "app", port: 80 }] }] }),
      ),
    ),
  ],
  keeps: [
    ...Object.entries(secure).flatMap(([what, make]) => [
      caseOf(what, make("tls", host), certificate(host)),
      caseOf(`${what} beside another host`, make("tls", host), certificate("b.example.org", host)),
      caseOf(`${what} by a wildcard`, make("tls", host), certificate("*.example.org")),
    ]),
    caseOf(
      "a redirect",
      traefik("Middleware", { redirectScheme: { scheme: "https", permanent: true } }, { name: "to-https" }),
      traefik("IngressRoute", {
        entryPoints: ["web"],
        routes: [{ match: `Host(\`${host}\`)`, middlewares: [{ name: "to-https" }], services: [{ kind: "TraefikService", name: "noop@internal" }] }],
      }),
    ),
  ],
};

const versions = named(["VersionTLS10", "VersionTLS11"]);
const broken = named([
  ...["TLS_RSA_WITH_RC4_128_SHA", "TLS_RSA_WITH_3DES_EDE_CBC_SHA", "TLS_ECDHE_RSA_WITH_RC4_128_SHA"],
  "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
]);
const strengthCases: Cases = {
  policy: "net-tls-strength",
  breaks: [
    ...Object.keys(versions).map((minVersion) => caseOf(minVersion, traefik("TLSOption", { minVersion }))),
    ...Object.keys(versions).map((maxVersion) => caseOf(`at most ${maxVersion}`, traefik("TLSOption", { maxVersion }))),
    ...Object.keys(broken).map((cipher) => caseOf(cipher, traefik("TLSOption", { minVersion: "VersionTLS12", cipherSuites: [cipher] }))),
    caseOf("a server of any name", traefik("ServersTransport", { insecureSkipVerify: true })),
    caseOf("a server of any name, by TCP", traefik("ServersTransportTCP", { tls: { insecureSkipVerify: true } })),
    caseOf("whoever is asked who it is", traefik("Middleware", { forwardAuth: { address: "https://a", tls: { insecureSkipVerify: true } } })),
    ...["ServiceMonitor", "PodMonitor"].map((kind) => {
      const endpoints = [{ port: "https", scheme: "https", tlsConfig: { insecureSkipVerify: true } }];
      const field = kind === "PodMonitor" ? "podMetricsEndpoints" : "endpoints";
      return caseOf(`a ${kind}`, kubernetes("monitoring.coreos.com/v1", kind, { spec: { [field]: endpoints } }));
    }),
    caseOf("a Probe", kubernetes("monitoring.coreos.com/v1", "Probe", { spec: { tlsConfig: { insecureSkipVerify: true } } })),
    caseOf(
      "an API that the cluster asks",
      kubernetes("apiregistration.k8s.io/v1", "APIService", { spec: { insecureSkipTLSVerify: true, service: { name: "a", namespace: "team" } } }),
    ),
    ...["TLSv1", "TLSv1.1"].map((version) =>
      caseOf(`a database of ${version}`, kubernetes("postgresql.cnpg.io/v1", "Cluster", { spec: { postgresql: { parameters: { ssl_min_protocol_version: version } } } })),
    ),
  ],
  keeps: [
    ...["VersionTLS12", "VersionTLS13"].map((minVersion) => caseOf(minVersion, traefik("TLSOption", { minVersion }))),
    caseOf("good ciphers", traefik("TLSOption", { minVersion: "VersionTLS12", cipherSuites: ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"] })),
    caseOf("a server by its authority", traefik("ServersTransport", { insecureSkipVerify: false, rootCAs: [{ secret: "ca" }] })),
    ...["TLSv1.2", "TLSv1.3"].map((version) =>
      caseOf(`a database of ${version}`, kubernetes("postgresql.cnpg.io/v1", "Cluster", { spec: { postgresql: { parameters: { ssl_min_protocol_version: version } } } })),
    ),
    caseOf("a monitor by its authority", kubernetes("monitoring.coreos.com/v1", "ServiceMonitor", {
      spec: { endpoints: [{ scheme: "https", tlsConfig: { ca: { secret: { name: "ca", key: "ca.crt" } } } }] },
    })),
  ],
};

const ingressWith = (annotations: Tree) => kubernetes("networking.k8s.io/v1", "Ingress", { spec: { rules: [] } }, { annotations });
const grant = (to: readonly Tree[], from: readonly Tree[]) => kubernetes("gateway.networking.k8s.io/v1beta1", "ReferenceGrant", { spec: { from, to } });
const gateways = { group: "gateway.networking.k8s.io", kind: "Gateway", namespace: "ingress" };
const secret = (name?: string) => ({ group: "", kind: "Secret", ...(name && { name }) });
const dashboard = (match: string, name: string, middlewares: readonly Tree[] = []) =>
  traefik("IngressRoute", {
    entryPoints: ["websecure"],
    routes: [{ kind: "Rule", match, middlewares, services: [{ kind: "TraefikService", name }] }],
  });
const controlCases: Cases = {
  policy: "net-ingress-control",
  breaks: [
    ...["server-snippet", "configuration-snippet", "location-snippet", "auth-snippet", "stream-snippet", "modsecurity-snippet"].map((name) =>
      caseOf(name, ingressWith({ [`nginx.ingress.kubernetes.io/${name}`]: "return 200;" })),
    ),
    ...["server-snippets", "location-snippets"].map((name) => caseOf(name, ingressWith({ [`nginx.org/${name}`]: "return 200;" }))),
    ...["api@internal", "dashboard@internal", "rest@internal"].map((name) => caseOf(name, dashboard("Host(`a.example.org`)", name))),
    caseOf("all Secrets", grant([secret()], [gateways])),
    caseOf("one Secret and all", grant([secret("tls"), secret()], [gateways])),
    caseOf("a Secret for routes", grant([secret("tls")], [{ ...gateways, kind: "HTTPRoute" }])),
    caseOf("a Secret for Gateways and routes", grant([secret("tls")], [gateways, { ...gateways, kind: "HTTPRoute" }])),
    caseOf("a Secret for a kind of another group", grant([secret("tls")], [{ group: "example.org", kind: "Gateway", namespace: "other" }])),
  ],
  keeps: [
    caseOf("another annotation", ingressWith({ "nginx.ingress.kubernetes.io/proxy-body-size": "0" })),
    caseOf("a word in another's name", ingressWith({ "example.org/snippet-owner": "team" })),
    caseOf("a dashboard after sign-in", dashboard("Host(`a.example.org`)", "api@internal", [{ name: "sign-in" }]), traefik("Middleware", { basicAuth: { secret: "users" } }, { name: "sign-in" })),
    caseOf("nothing behind", dashboard("Host(`a.example.org`)", "noop@internal", [{ name: "to-https" }])),
    caseOf("one Secret", grant([secret("tls")], [gateways])),
    caseOf("Services for routes", grant([{ group: "", kind: "Service" }], [{ ...gateways, kind: "HTTPRoute" }])),
  ],
};

const labels = { app: "example" };
const workload = kubernetes("apps/v1", "Deployment", {
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1.0.0", ports: [{ name: "http", containerPort: 8080 }] }] } },
  },
});
/** What selects pods, from the labels that they have. */
const selectors: Readonly<Record<string, (labels: Tree) => Tree>> = {
  "a Service": (selector) => kubernetes("v1", "Service", { spec: { selector, ports: [{ port: 80, targetPort: 8080 }] } }),
  "a NetworkPolicy": (matchLabels) =>
    kubernetes("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: { matchLabels }, policyTypes: ["Ingress"] } }),
  "a PodDisruptionBudget": (matchLabels) => kubernetes("policy/v1", "PodDisruptionBudget", { spec: { selector: { matchLabels }, maxUnavailable: 1 } }),
  "a PodMonitor": (matchLabels) =>
    kubernetes("monitoring.coreos.com/v1", "PodMonitor", { spec: { selector: { matchLabels }, podMetricsEndpoints: [{ port: "http" }] } }),
};
const elsewhere = (tree: Tree) => ({ ...tree, metadata: { name: "example", namespace: "other" } });
const scaler = (name: string) =>
  kubernetes("autoscaling/v2", "HorizontalPodAutoscaler", { spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name }, minReplicas: 1, maxReplicas: 3 } });
const target = (targetPort: unknown) => kubernetes("v1", "Service", { spec: { selector: labels, ports: [{ port: 80, targetPort }] } });
const selectorCases: Cases = {
  policy: "net-selector",
  breaks: [
    ...Object.entries(selectors).flatMap(([what, make]) => [
      caseOf(`${what} of other labels`, workload, make({ app: "exampel" })),
      caseOf(`${what} of a label too many`, workload, make({ ...labels, tier: "web" })),
      caseOf(`${what} of a label in capitals`, workload, make({ app: "Example" })),
      caseOf(`${what} in another namespace`, workload, elsewhere(make(labels))),
    ]),
    caseOf("an autoscaler", workload, scaler("exampel")),
    ...["https", 8081, "HTTP"].map((port) => caseOf(`a port ${port}`, workload, target(port))),
  ],
  keeps: [
    ...Object.entries(selectors).map(([what, make]) => caseOf(what, workload, make(labels))),
    caseOf("an autoscaler", workload, scaler("example")),
    ...["http", 8080].map((port) => caseOf(`a port ${port}`, workload, target(port))),
  ],
};

/** Cases of ways from outside and inside. */
export const exposureCasesOf: Cases[] = [exposureCases, tlsCases, strengthCases, controlCases, selectorCases];
