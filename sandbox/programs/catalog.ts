/** One Go module beside this file and what is built from it. */
export interface Program {
  /** The module's folder; also the name under which the result is cached. */
  readonly name: string;
  /** For people: what a progress line says is built. */
  readonly what: string;
  /** The module whose version the result carries; `go.mod` has the version. */
  readonly module: string;
  /** Import paths to build; each binary is named by the last element. */
  readonly packages: readonly string[];
  readonly tags?: readonly string[];
  /** Go linker's `-X` settings. @param version the module's, as in `v1.36.2` */
  readonly variables?: (version: string) => Readonly<Record<string, string>>;
  /** Names under which the one binary is called too, as symbolic links. */
  readonly links?: readonly string[];
  /** Files of the module that lie beside the result, by their path in the module. */
  readonly files?: readonly string[];
  /** Time of a first build on 2 cores, so that a person knows what to expect. */
  readonly minutes: number;
  /** Disk space of a first build, in MB: downloaded modules, compiler's cache, result. Measured on linux/amd64. */
  readonly space: { readonly modules: number; readonly compiled: number; readonly result: number };
}

/** Everything the sandbox runs, in the order it is built. Versions are in the `go.mod` of each. */
export const catalog = {
  kube: {
    name: "kube",
    what: "etcd, Kubernetes and kubectl",
    module: "k8s.io/kubernetes",
    packages: ["."],
    variables: (version) => {
      const [major = "", minor = ""] = version.slice(1).split(".");
      return {
        "k8s.io/component-base/version.gitVersion": version,
        "k8s.io/component-base/version.gitMajor": major,
        "k8s.io/component-base/version.gitMinor": minor,
      };
    },
    links: ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"],
    minutes: 4,
    space: { modules: 700, compiled: 2900, result: 135 },
  },
  kwok: {
    name: "kwok",
    what: "kwok and kwokctl, the simulated nodes",
    module: "sigs.k8s.io/kwok",
    packages: ["sigs.k8s.io/kwok/cmd/kwok", "sigs.k8s.io/kwok/cmd/kwokctl"],
    minutes: 2,
    space: { modules: 300, compiled: 550, result: 120 },
  },
  pulumi: {
    name: "pulumi",
    what: "Pulumi",
    module: "github.com/pulumi/pulumi/pkg/v3",
    packages: ["github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"],
    tags: ["osusergo", "grpcnotrace"],
    variables: (version) => ({ "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": version }),
    minutes: 4,
    space: { modules: 1500, compiled: 1400, result: 115 },
  },
  versitygw: {
    name: "versitygw",
    what: "versitygw, the S3 server",
    module: "github.com/versity/versitygw",
    packages: ["github.com/versity/versitygw/cmd/versitygw"],
    minutes: 1,
    space: { modules: 300, compiled: 300, result: 45 },
  },
  registry: {
    name: "registry",
    what: "distribution, the image registry",
    module: "github.com/distribution/distribution/v3",
    packages: ["."],
    minutes: 1,
    space: { modules: 250, compiled: 260, result: 26 },
  },
} as const satisfies Record<string, Program>;

/**
 * Real programs that judge what we render: the code that operators check their objects with and make their own from, the
 * proxy that takes the routes, the controller that syncs a delivery, the generators that make SDKs from our components'
 * schema, and the host of programs in YAML. `npm start` does without them; the tests build them when they first need them,
 * and `./hearth sandbox build operators` before.
 */
export const judges = {
  "cloudnative-pg": {
    name: "cloudnative-pg",
    what: "CloudNativePG's webhooks and controllers, and its Barman plugin",
    module: "github.com/cloudnative-pg/cloudnative-pg",
    packages: [".", "github.com/cloudnative-pg/plugin-barman-cloud/cmd/manager"],
    files: ["config/webhook/manifests.yaml", "config/manager/default-monitoring.yaml"],
    minutes: 4,
    space: { modules: 400, compiled: 800, result: 110 },
  },
  "cert-manager": {
    name: "cert-manager",
    what: "cert-manager's webhook",
    module: "github.com/cert-manager/cert-manager",
    packages: ["."],
    minutes: 1,
    space: { modules: 300, compiled: 250, result: 45 },
  },
  "external-secrets": {
    name: "external-secrets",
    what: "External Secrets' webhook",
    module: "github.com/external-secrets/external-secrets",
    packages: ["."],
    minutes: 2,
    space: { modules: 300, compiled: 500, result: 45 },
  },
  traefik: {
    name: "traefik",
    what: "Traefik",
    module: "github.com/traefik/traefik/v3",
    packages: ["github.com/traefik/traefik/v3/cmd/traefik"],
    variables: (version) => ({ "github.com/traefik/traefik/v3/pkg/version.Version": version.slice(1) }),
    minutes: 4,
    space: { modules: 1600, compiled: 1700, result: 150 },
  },
  "argo-cd": {
    name: "argo-cd",
    what: "Argo CD's application controller",
    module: "github.com/argoproj/argo-cd/v3",
    packages: ["."],
    minutes: 5,
    space: { modules: 1400, compiled: 1500, result: 130 },
  },
  gofakes3: {
    name: "gofakes3",
    what: "an S3 server that knows when each version was written",
    module: "github.com/johannesboyne/gofakes3",
    packages: ["github.com/johannesboyne/gofakes3/cmd/gofakes3"],
    minutes: 1,
    space: { modules: 60, compiled: 60, result: 10 },
  },
  "pulumi-schema": {
    name: "pulumi-schema",
    what: "Pulumi's generators of SDKs",
    module: "github.com/pulumi/pulumi/pkg/v3",
    packages: ["."],
    minutes: 3,
    space: { modules: 1600, compiled: 800, result: 30 },
  },
  "pulumi-yaml": {
    name: "pulumi-yaml",
    what: "Pulumi's host of programs in YAML",
    module: "github.com/pulumi/pulumi-yaml",
    packages: ["github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"],
    minutes: 2,
    space: { modules: 1200, compiled: 600, result: 30 },
  },
} as const satisfies Record<string, Program>;

/** One operator whose custom resource definitions the sandbox's API server gets. */
export interface Operator {
  /** Subfolder of the result. */
  readonly name: string;
  /** Go module that has the files; `crds/go.mod` has the version. */
  readonly module: string;
  /** Folder of the files in the module. */
  readonly folder: string;
  /** Names of the files that are taken. @default all of them */
  readonly files?: readonly string[];
}

/** The operators, with the folder where each publishes its CRDs. */
export const operators: readonly Operator[] = [
  { name: "cert-manager", module: "github.com/cert-manager/cert-manager", folder: "deploy/crds" },
  { name: "cloudnative-pg", module: "github.com/cloudnative-pg/cloudnative-pg", folder: "config/crd/bases" },
  { name: "plugin-barman-cloud", module: "github.com/cloudnative-pg/plugin-barman-cloud", folder: "config/crd/bases" },
  { name: "external-secrets", module: "github.com/external-secrets/external-secrets", folder: "config/crds/bases" },
  {
    name: "prometheus-operator",
    module: "github.com/prometheus-operator/prometheus-operator",
    folder: "example/prometheus-operator-crd",
  },
  {
    name: "traefik",
    module: "github.com/traefik/traefik/v3",
    folder: "docs/content/reference/dynamic-configuration",
  },
  {
    name: "gateway-api",
    module: "sigs.k8s.io/gateway-api",
    folder: "config/crd/standard",
    files: ["gatewayclasses", "gateways", "httproutes", "grpcroutes", "referencegrants"].map(gatewayApiFile),
  },
  // Versions that gateways still read and the standard channel does not serve.
  {
    name: "gateway-api-experimental",
    module: "sigs.k8s.io/gateway-api",
    folder: "config/crd/experimental",
    files: ["tcproutes", "tlsroutes", "backendtlspolicies"].map(gatewayApiFile),
  },
];

function gatewayApiFile(kind: string): string {
  return `gateway.networking.k8s.io_${kind}.yaml`;
}
