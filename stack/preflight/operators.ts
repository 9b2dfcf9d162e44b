/** A program in the cluster that brings kinds of its own. */
export interface Operator {
  readonly name: string;
  /** API groups whose kinds it brings. */
  readonly groups: readonly string[];
  /** Last part of the image that runs it, with which a mirror's names end too. */
  readonly image: RegExp;
  /** How it is had. */
  readonly remedy: string;
}

/** Every operator that objects of a stack need. */
export const operators: readonly Operator[] = [
  {
    name: "CloudNativePG",
    groups: ["postgresql.cnpg.io"],
    image: /(^|\/)cloudnative-pg$/,
    remedy: "Install CloudNativePG 1.26 or newer: https://cloudnative-pg.io",
  },
  {
    name: "Barman Cloud plugin",
    groups: ["barmancloud.cnpg.io"],
    image: /(^|\/)plugin-barman-cloud$/,
    remedy: "Install the Barman Cloud plugin of CloudNativePG: https://cloudnative-pg.io/plugin-barman-cloud/",
  },
  {
    name: "cert-manager",
    groups: ["cert-manager.io"],
    image: /(^|\/)cert-manager-controller$/,
    remedy: "Install cert-manager with its CRDs: https://cert-manager.io/docs/installation/",
  },
  {
    name: "Traefik",
    groups: ["traefik.io"],
    image: /(^|\/)traefik$/,
    remedy: "Install Traefik 3 with its CRDs, and set it up as docs/how-to/traefik.md says.",
  },
  {
    name: "Gateway API",
    groups: ["gateway.networking.k8s.io"],
    image: /(^|\/)traefik$/,
    remedy: "Install the CRDs of the Gateway API, of the experimental channel where TCPRoute is missing.",
  },
  {
    name: "External Secrets",
    groups: ["external-secrets.io"],
    image: /(^|\/)external-secrets$/,
    remedy: "Install External Secrets: https://external-secrets.io",
  },
  {
    name: "Prometheus operator",
    groups: ["monitoring.coreos.com"],
    image: /(^|\/)prometheus-operator$/,
    remedy: "Install the Prometheus operator, or do without monitors: hearth:monitoring: false.",
  },
  {
    name: "static sites operator",
    groups: ["pages.kup6s.com"],
    image: /(^|\/)[\w-]*(pages|static-?sites?)[\w-]*operator$/,
    remedy: "Install the operator that brings StaticSite, or take the sites out of hearth:siteWebhook.",
  },
  {
    name: "Crossplane's provider of buckets",
    groups: ["s3.aws.upbound.io"],
    image: /(^|\/)provider-aws-s3$/,
    remedy:
      "Install Crossplane with provider-aws-s3, or let hearth make the buckets: hearth:objectStorage.provisioner.",
  },
];

/** API group of a version, empty of Kubernetes' core: `apps/v1` is of `apps`. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
}

const kubernetes: Bringer = { name: "Kubernetes", remedy: "Upgrade the cluster to Kubernetes 1.30 or newer." };

/** Who brings a kind: an operator, Kubernetes itself, or an operator that only the settings know. */
export type Bringer = Pick<Operator, "name" | "remedy">;

export function bringerOf(apiVersion: string): Bringer {
  const group = groupOf(apiVersion);
  const known = operators.find(({ groups }) => groups.includes(group));
  if (known) return known;
  if (!group.includes(".") || group.endsWith(".k8s.io")) return kubernetes;
  return { name: group, remedy: "Install the operator that brings it, in a version that serves the kind." };
}
