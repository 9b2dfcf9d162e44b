import { clusterPrograms as releases } from "./releases.ts";

/** A Helm chart that installs an operator in the version that our tests judge with. */
export interface Chart {
  /** Of the chart, and of its release. */
  readonly name: string;
  readonly repository: string;
  readonly version: string;
  /** The version of the operator that it installs: the one that judges. */
  readonly ships: string;
  readonly namespace: string;
  /** Its values for every stack. @default none */
  readonly values?: ChartValues;
  /** Where chart and version were read. */
  readonly source: string;
}

export interface ChartValues {
  readonly [name: string]: string | number | boolean | null | readonly (string | ChartValues)[] | ChartValues;
}

/** The CRDs of the Gateway API, which have no chart: a folder of a repository at a tag, and the files of its release. */
export const gatewayApi = {
  version: "1.6.1",
  repository: "https://github.com/kubernetes-sigs/gateway-api",
  folder: { standard: "config/crd", experimental: "config/crd/experimental" },
  file: (channel: "standard" | "experimental") =>
    `https://github.com/kubernetes-sigs/gateway-api/releases/download/v1.6.1/${channel}-install.yaml`,
} as const;

/** An operator that serves an API group which Kubernetes itself does not serve. */
export interface Prerequisite {
  /** As a sentence names it, e.g. `the Prometheus operator`. */
  readonly title: string;
  /** As a report lists it, e.g. `Prometheus operator`. */
  readonly name: string;
  /** API group of its objects. */
  readonly group: string;
  /** Which parts of the platform are such objects. */
  readonly needs: string;
  /** When it is needed. @default always */
  readonly when?: string;
  /** The setting with which the platform does not need it. */
  readonly without?: string;
  readonly source: string;
  /** Matches the image that runs it by the end of its name, which mirrors keep. */
  readonly image: RegExp;
  /** Its versions in the table of releases. @default none is known */
  readonly release?: keyof typeof releases;
  /** What installs it. @default the remedy says how to get it */
  readonly chart?: Chart;
  /** How to get it. */
  readonly remedy: string;
}

/** Traefik's image; K3s has it as `rancher/mirrored-library-traefik`. */
export const traefikImage = /(^|[/-])traefik$/;

/** Traefik, for its own routes and for those of the Gateway API. */
const traefik: Chart = {
  name: "traefik",
  repository: "https://traefik.github.io/charts",
  version: "37.1.2",
  ships: "3.5.3",
  namespace: "traefik",
  source: "github.com/traefik/traefik-helm-chart, tag v37.1.2: Chart.yaml, values.schema.json",
};

const installs = "`./hearth prerequisites --stack STACK` prints what installs it";

/** Every operator that the objects of a stack may need, in the order in which they are installed: the Barman plugin needs the two before it. */
export const prerequisites: readonly Prerequisite[] = [
  {
    title: "cert-manager",
    name: "cert-manager",
    group: "cert-manager.io",
    image: /(^|\/)cert-manager-controller$/,
    needs: "certificates",
    source: "https://cert-manager.io",
    release: "certManager",
    chart: {
      name: "cert-manager",
      repository: "https://charts.jetstack.io",
      version: "v1.21.2",
      ships: "1.21.2",
      namespace: "cert-manager",
      values: { crds: { enabled: true } },
      source:
        "github.com/cert-manager/cert-manager, deploy/charts/cert-manager: a chart has the version of its release; read at tag v1.21.1",
    },
    remedy: `Install cert-manager with its CRDs: ${installs}.`,
  },
  {
    title: "CloudNativePG",
    name: "CloudNativePG",
    group: "postgresql.cnpg.io",
    image: /(^|\/)cloudnative-pg$/,
    needs: "databases and their poolers",
    source: "https://cloudnative-pg.io",
    release: "cloudnativePg",
    chart: {
      name: "cloudnative-pg",
      repository: "https://cloudnative-pg.github.io/charts",
      version: "0.29.0",
      ships: "1.30.0",
      namespace: "cnpg-system",
      source: "github.com/cloudnative-pg/charts, tag cloudnative-pg-v0.29.0: Chart.yaml, values.schema.json",
    },
    remedy: `Install CloudNativePG ${releases.cloudnativePg.judged} or newer: ${installs}.`,
  },
  {
    title: "the Barman Cloud plugin of CloudNativePG",
    name: "Barman Cloud plugin",
    group: "barmancloud.cnpg.io",
    image: /(^|\/)plugin-barman-cloud$/,
    needs: "backups of databases",
    source: "https://cloudnative-pg.io/plugin-barman-cloud/",
    release: "barmanPlugin",
    // The newest chart that could be read is that of 0.13.0, whose CRD and manifests are those of 0.15.0 but for a description.
    chart: {
      name: "plugin-barman-cloud",
      repository: "https://cloudnative-pg.github.io/charts",
      version: "0.7.0",
      ships: "0.15.0",
      namespace: "cnpg-system",
      values: { image: { tag: "v0.15.0" }, sidecarImage: { tag: "v0.15.0" } },
      source: "github.com/cloudnative-pg/charts, tag plugin-barman-cloud-v0.7.0: Chart.yaml, values.schema.json",
    },
    remedy: `Install the Barman Cloud plugin of CloudNativePG: ${installs}.`,
  },
  {
    title: "a proxy for the Gateway API, and its CRDs",
    name: "Gateway API",
    group: "gateway.networking.k8s.io",
    image: traefikImage,
    needs: "routes",
    when: "with `hearth:ingress.kind: gateway`",
    source: "https://gateway-api.sigs.k8s.io",
    release: "traefik",
    chart: traefik,
    remedy: `Install the CRDs of the Gateway API 1.6 or newer: ${installs}. If it has to be an older one, install its experimental channel, which serves TCPRoute, and set hearth:ingress.gateway.tcpRouteVersion: v1alpha2.`,
  },
  {
    title: "Traefik with its custom resources",
    name: "Traefik",
    group: "traefik.io",
    image: traefikImage,
    needs: "routes",
    when: "unless `hearth:ingress.kind` is `gateway`",
    source: "https://github.com/traefik/traefik",
    release: "traefik",
    chart: traefik,
    remedy: `Install Traefik 3 with its CRDs, set up as in docs/how-to/traefik.md: ${installs}.`,
  },
  {
    title: "the Prometheus operator",
    name: "Prometheus operator",
    group: "monitoring.coreos.com",
    image: /(^|\/)prometheus-operator$/,
    needs: "PodMonitors and PrometheusRules",
    when: "unless `hearth:monitoring` is `false`",
    without: "hearth:monitoring: false",
    source: "https://prometheus-operator.dev",
    release: "prometheusOperator",
    chart: {
      name: "kube-prometheus-stack",
      repository: "https://prometheus-community.github.io/helm-charts",
      version: "77.14.0",
      ships: "0.85.0",
      namespace: "monitoring",
      // Without them its Prometheus takes only what has the name of its release as a label.
      values: {
        prometheus: {
          prometheusSpec: { podMonitorSelectorNilUsesHelmValues: false, ruleSelectorNilUsesHelmValues: false },
        },
      },
      source: "github.com/prometheus-community/helm-charts, tag kube-prometheus-stack-77.14.0: Chart.yaml, values.yaml",
    },
    remedy: `Install the Prometheus operator: ${installs}. Or leave the monitors out with hearth:monitoring: false.`,
  },
  {
    title: "External Secrets",
    name: "External Secrets",
    group: "external-secrets.io",
    image: /(^|\/)external-secrets$/,
    needs: "Secrets from a store",
    when: "with `hearth:secrets.store`",
    source: "https://external-secrets.io",
    release: "externalSecrets",
    chart: {
      name: "external-secrets",
      repository: "https://charts.external-secrets.io",
      version: "0.20.4",
      ships: "0.20.4",
      namespace: "external-secrets",
      source: "github.com/external-secrets/external-secrets, tag helm-chart-0.20.4: deploy/charts/external-secrets",
    },
    remedy: `Install External Secrets: ${installs}.`,
  },
  {
    title: "the operator of static sites",
    name: "static sites operator",
    group: "pages.kup6s.com",
    image: /(^|\/)[\w-]*(pages|static-?sites?)[\w-]*operator$/,
    needs: "StaticSites and their syncs, with or without the webhook",
    when: "with `hearth:siteWebhook`; `staticSites.group` sets another group",
    source: "https://github.com/kup6s/pages",
    remedy: "Install the operator that brings StaticSite, or remove the sites from hearth:siteWebhook.",
  },
  {
    title: "Crossplane with a provider of S3 buckets",
    name: "Crossplane's provider of buckets",
    group: "s3.aws.upbound.io",
    image: /(^|\/)provider-aws-s3$/,
    needs: "buckets made in the cluster",
    when: "with `hearth:objectStorage.provisioner: cluster`; `objectStorage.cluster` sets another kind",
    source: "https://www.crossplane.io",
    remedy:
      "Install Crossplane with provider-aws-s3, or let hearth make the buckets: hearth:objectStorage.provisioner.",
  },
];

/** API group of a version, empty for Kubernetes' core: `apps` for `apps/v1`. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
}

/** The operator that serves the objects of an `apiVersion`, or undefined if the table has none. */
export function prerequisiteOf(apiVersion: string): Prerequisite | undefined {
  return prerequisites.find(({ group }) => group === groupOf(apiVersion));
}
