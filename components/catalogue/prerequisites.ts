/** What a cluster has to bring for objects of an API group that Kubernetes itself does not serve. */
export interface Prerequisite {
  readonly title: string;
  /** API group of its objects. */
  readonly group: string;
  /** What of the platform is such an object. */
  readonly needs: string;
  /** When it is needed. @default always */
  readonly when?: string;
  /** The setting that does without it. */
  readonly without?: string;
  readonly source: string;
}

/** Every operator that the objects of a stack may need, in the order of docs/reference/prerequisites.md. */
export const prerequisites: readonly Prerequisite[] = [
  {
    title: "CloudNativePG",
    group: "postgresql.cnpg.io",
    needs: "databases and their poolers",
    source: "https://cloudnative-pg.io",
  },
  {
    title: "the Barman Cloud plugin of CloudNativePG",
    group: "barmancloud.cnpg.io",
    needs: "backups of databases",
    source: "https://cloudnative-pg.io/plugin-barman-cloud/",
  },
  { title: "cert-manager", group: "cert-manager.io", needs: "certificates", source: "https://cert-manager.io" },
  {
    title: "Traefik with its custom resources",
    group: "traefik.io",
    needs: "ways in",
    when: "unless `hearth:ingress.kind` is `gateway`",
    source: "https://github.com/traefik/traefik",
  },
  {
    title: "a proxy for the Gateway API, and its CRDs",
    group: "gateway.networking.k8s.io",
    needs: "ways in",
    when: "with `hearth:ingress.kind: gateway`",
    source: "https://gateway-api.sigs.k8s.io",
  },
  {
    title: "the Prometheus operator",
    group: "monitoring.coreos.com",
    needs: "PodMonitors and ServiceMonitors",
    when: "unless `hearth:monitoring` is `false`",
    without: "hearth:monitoring: false",
    source: "https://prometheus-operator.dev",
  },
  {
    title: "External Secrets",
    group: "external-secrets.io",
    needs: "Secrets from a store",
    when: "with `hearth:secrets.store`",
    source: "https://external-secrets.io",
  },
  {
    title: "the operator of static sites",
    group: "pages.kup6s.com",
    needs: "StaticSites and their syncs, with or without the webhook",
    when: "with `hearth:siteWebhook`; another group is named by `staticSites.group`",
    source: "https://github.com/kup6s/pages",
  },
  {
    title: "Crossplane with a provider of S3 buckets",
    group: "s3.aws.upbound.io",
    needs: "buckets made in the cluster",
    when: "with `hearth:objectStorage.provisioner: cluster`; another kind is named by `objectStorage.cluster`",
    source: "https://www.crossplane.io",
  },
];

/** What serves the objects of an `apiVersion`; undefined where nothing in the table does. */
export function prerequisiteOf(apiVersion: string): Prerequisite | undefined {
  const [group] = apiVersion.split("/");
  return prerequisites.find((each) => each.group === group);
}
