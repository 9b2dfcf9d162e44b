import { clusterPrograms as releases } from "./releases.ts";

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
  /** How to get it. */
  readonly remedy: string;
}

/** Every operator that the objects of a stack may need, in the order of docs/reference/prerequisites.md. */
export const prerequisites: readonly Prerequisite[] = [
  {
    title: "CloudNativePG",
    name: "CloudNativePG",
    group: "postgresql.cnpg.io",
    image: /(^|\/)cloudnative-pg$/,
    needs: "databases and their poolers",
    source: "https://cloudnative-pg.io",
    release: "cloudnativePg",
    remedy: `Install CloudNativePG ${releases.cloudnativePg.judged} or newer: https://cloudnative-pg.io`,
  },
  {
    title: "the Barman Cloud plugin of CloudNativePG",
    name: "Barman Cloud plugin",
    group: "barmancloud.cnpg.io",
    image: /(^|\/)plugin-barman-cloud$/,
    needs: "backups of databases",
    source: "https://cloudnative-pg.io/plugin-barman-cloud/",
    release: "barmanPlugin",
    remedy: "Install the Barman Cloud plugin of CloudNativePG: https://cloudnative-pg.io/plugin-barman-cloud/",
  },
  {
    title: "cert-manager",
    name: "cert-manager",
    group: "cert-manager.io",
    image: /(^|\/)cert-manager-controller$/,
    needs: "certificates",
    source: "https://cert-manager.io",
    release: "certManager",
    remedy: "Install cert-manager with its CRDs: https://cert-manager.io/docs/installation/",
  },
  {
    title: "Traefik with its custom resources",
    name: "Traefik",
    group: "traefik.io",
    image: /(^|\/)traefik$/,
    needs: "routes",
    when: "unless `hearth:ingress.kind` is `gateway`",
    source: "https://github.com/traefik/traefik",
    release: "traefik",
    remedy: "Install Traefik 3 with its CRDs, and configure it as in docs/how-to/traefik.md.",
  },
  {
    title: "a proxy for the Gateway API, and its CRDs",
    name: "Gateway API",
    group: "gateway.networking.k8s.io",
    image: /(^|\/)traefik$/,
    needs: "routes",
    when: "with `hearth:ingress.kind: gateway`",
    source: "https://gateway-api.sigs.k8s.io",
    release: "traefik",
    remedy:
      "Install the CRDs of the Gateway API 1.6 or newer. If it has to be an older one, install its experimental channel, which serves TCPRoute, and set hearth:ingress.gateway.tcpRouteVersion: v1alpha2.",
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
    remedy: "Install the Prometheus operator, or leave the monitors out with hearth:monitoring: false.",
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
    remedy: "Install External Secrets: https://external-secrets.io",
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
