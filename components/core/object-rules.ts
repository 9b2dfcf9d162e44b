import { BlockList, isIP } from "node:net";
import { parseDuration } from "./durations.ts";
import { gatewayClasses } from "./gateway-classes.ts";
import { ownLabels } from "./own-labels.ts";
import { below } from "./paths.ts";
import { error, type Problem, shown, warning } from "./problems.ts";

/** Rules on what Kubernetes itself would refuse: names of objects, labels, taints. Sources: its API conventions. */

const namePart = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const subdomain = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** The name of an object: a DNS subdomain. */
export function objectName(path: string, value: string | undefined): Problem[] {
  if (value === undefined || (subdomain.test(value) && !/\.\.|\.-|-\./.test(value))) return [];
  return [
    error(
      "object-name",
      path,
      "The value is not the name of a Kubernetes object.",
      "Use lower-case letters, digits, dashes and dots, with a letter or digit first and last, 253 characters at most.",
    ),
  ];
}

/** The API version of an object: a group, a slash and a version, or the version alone. */
export function apiVersion(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?v[a-z0-9]{1,62}$/.test(value)) return [];
  return [error("api-version", path, "The value is not an API version.", "Write it like s3.aws.upbound.io/v1beta2.")];
}

/** The kind of an object. */
export function objectKind(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^[A-Z][A-Za-z0-9]{0,62}$/.test(value)) return [];
  return [error("object-kind", path, "The value is not the kind of an object.", "Write one word like Bucket.")];
}

/** Names of objects. */
export function objectNames(path: string, values: readonly string[] | undefined): Problem[] {
  return (values ?? []).flatMap((value, index) => objectName(`${path}[${index}]`, value));
}

/** Secrets that exist already: the platform's name → theirs. */
export function existingSecrets(path: string, values: Readonly<Record<string, string>> | undefined): Problem[] {
  return Object.entries(values ?? {}).flatMap(([key, value]) => objectName(below(path, key), value));
}

/** A key of a Secret or a ConfigMap. */
export function dataKey(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^[-._a-zA-Z0-9]{1,253}$/.test(value)) return [];
  return [
    error(
      "data-key",
      path,
      "The value is not a key of a Secret or ConfigMap.",
      "Use letters, digits, dashes, underscores and dots, 253 at most.",
    ),
  ];
}

/** Name of an object that holds data, as in `allowDataLoss`. */
export function dataNames(path: string, values: readonly string[] | undefined): Problem[] {
  return (values ?? []).flatMap((value, index) =>
    value.split("/").length <= 2 && value.split("/").every((part) => objectName(path, part).length === 0)
      ? []
      : [
          error(
            "data-loss-name",
            `${path}[${index}]`,
            "The value is not the name of an object that holds data.",
            "Write `namespace/name` as the refusal printed it. For a namespace or a bucket write only its name.",
          ),
        ],
  );
}

/** The name of an entry point in Traefik's static configuration. */
export function entryPointName(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(value)) return [];
  return [
    error(
      "entry-point",
      path,
      "The value is not the name of an entry point.",
      "Use letters, digits, dashes and underscores, as in `--entryPoints.websecure.address`.",
    ),
  ];
}

interface Ingress {
  readonly kind?: string;
  readonly entryPoint?: string;
  readonly httpEntryPoint?: string;
  readonly gateway?: { readonly className?: string; readonly podLabels?: object };
}

/** Warns about settings that belong to the other kind of ingress. */
export function ingressRule(path: string, value: Ingress | undefined): Problem[] {
  const { kind = "traefik", ...settings } = value ?? {};
  const others = kind === "gateway" ? (["entryPoint", "httpEntryPoint"] as const) : (["gateway"] as const);
  const unused = others.flatMap((key) =>
    settings[key] === undefined
      ? []
      : [
          warning(
            "unused",
            `${path}.${key}`,
            `It has no effect with an ingress of kind ${kind}.`,
            `Leave it out, or write kind: ${kind === "gateway" ? "traefik" : "gateway"}.`,
          ),
        ],
  );
  return [...unused, ...(kind === "gateway" ? [] : entryPointPair(path, value))];
}

interface Gateway {
  readonly httpsPort?: number;
  readonly httpPort?: number;
}

/** Listeners of a Gateway for the public hosts: one port for HTTPS, another for HTTP. */
export function gatewayRule(path: string, value: Gateway | undefined): Problem[] {
  const { httpsPort = 443, httpPort = 80 } = value ?? {};
  if (httpsPort !== httpPort) return [];
  const changed = value?.httpPort === undefined ? "httpsPort" : "httpPort";
  return [
    error(
      "gateway-ports",
      `${path}.${changed}`,
      `HTTPS and HTTP would both use port ${httpsPort}, but HTTP redirects to HTTPS.`,
      "Use two ports, for example 443 and 80.",
    ),
  ];
}

/** A proxy whose pods no network policy knows: nothing would reach the public hosts. */
export function unknownProxy(path: string, value: Ingress | undefined): Problem[] {
  const { className = "traefik", podLabels } = value?.gateway ?? {};
  if (value?.kind !== "gateway" || podLabels || Object.hasOwn(gatewayClasses, className)) return [];
  return [
    error(
      "unknown-proxy",
      `${path}.gateway.podLabels`,
      `Network policies are on, and the pods of the proxy behind GatewayClass ${shown(className)} are not known: they would let no request in.`,
      `Write the labels of its pods, the class of a known proxy (${Object.keys(gatewayClasses).join(", ")}), or \`platform.networkPolicies: false\`.`,
    ),
  ];
}

interface Policed {
  readonly profile: string;
  readonly networkPolicies?: boolean;
  readonly ingress?: Ingress;
}

/** Whether a stack has network policies, where its areas don't say otherwise. */
export function isPoliced({ profile, networkPolicies }: Omit<Policed, "ingress">): boolean {
  return networkPolicies ?? profile === "production";
}

/** What the parts of the shared settings ask of each other. */
export function platformRule(path: string, value: Policed | undefined): Problem[] {
  return value && isPoliced(value) ? unknownProxy(`${path}.ingress`, value.ingress) : [];
}

/** Entry points of the public hosts: one for HTTPS, another for HTTP. */
function entryPointPair(path: string, value: Ingress | undefined): Problem[] {
  const { entryPoint = "websecure", httpEntryPoint = "web" } = value ?? {};
  if (entryPoint !== httpEntryPoint) return [];
  const changed = value?.httpEntryPoint === undefined ? "entryPoint" : "httpEntryPoint";
  return [
    error(
      "entry-point",
      `${path}.${changed}`,
      "HTTPS and HTTP would both use this entry point, but HTTP redirects to HTTPS.",
      "Use two entry points, for example websecure and web.",
    ),
  ];
}

/** The key of a label, an annotation or a taint: an optional domain and a slash, then a name. */
export function qualifiedName(path: string, value: string | undefined): Problem[] {
  if (value === undefined) return [];
  const [name = "", prefix, ...more] = value.split("/").reverse();
  if (more.length === 0 && namePart.test(name) && (prefix === undefined || subdomain.test(prefix))) return [];
  return [
    error(
      "label-key",
      path,
      "The value is not the key of a label.",
      "Write it like topology.kubernetes.io/zone: letters, digits, dashes, underscores and dots, 63 at most after the slash.",
    ),
  ];
}

/** The value of a label. */
export function labelValue(path: string, value: string | undefined): Problem[] {
  if (value === undefined || value === "" || namePart.test(value)) return [];
  return [
    error(
      "label-value",
      path,
      "The value is not the value of a label.",
      "Use 63 letters, digits, dashes, underscores and dots at most, with a letter or digit first and last.",
    ),
  ];
}

/** Labels, by their keys. */
export function labels(path: string, values: Readonly<Record<string, string>> | undefined): Problem[] {
  return Object.entries(values ?? {}).flatMap(([key, value]) => [
    ...qualifiedName(below(path, key), key),
    ...labelValue(below(path, key), value),
  ]);
}

/** Labels beside our own. */
export function addedLabels(path: string, values: Readonly<Record<string, string>> | undefined): Problem[] {
  const own: readonly string[] = Object.values(ownLabels);
  const taken = Object.keys(values ?? {}).filter((key) => own.includes(key));
  return [
    ...labels(path, values),
    ...taken.map((key) =>
      error(
        "own-label",
        below(path, key),
        `${key} is a label that hearth sets on every object, so this value has no effect.`,
        "Remove it, or use a label of your own, e.g. example.org/team.",
      ),
    ),
  ];
}

/** Annotations: keys as of labels, any value. */
export function annotations(path: string, values: Readonly<Record<string, string>> | undefined): Problem[] {
  return Object.keys(values ?? {}).flatMap((key) => qualifiedName(below(path, key), key));
}

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** Tolerations that the API server refuses although their types are right. */
export function tolerationRule(path: string, value: Toleration | undefined): Problem[] {
  const { key, operator = "Equal", value: taint, effect, tolerationSeconds } = value ?? {};
  const wrong = (field: string, message: string, remedy: string) => [
    error("toleration", `${path}.${field}`, message, remedy),
  ];
  return [
    ...qualifiedName(`${path}.key`, key),
    ...(key === undefined && operator !== "Exists"
      ? wrong("operator", "A toleration without a key has to match every taint.", "Write operator: Exists.")
      : []),
    ...(operator === "Exists" && taint !== undefined
      ? wrong("value", "A toleration with operator Exists has no value.", "Leave the value out, or write Equal.")
      : []),
    ...(operator === "Equal" ? labelValue(`${path}.value`, taint) : []),
    ...(tolerationSeconds !== undefined && effect !== "NoExecute"
      ? wrong(
          "tolerationSeconds",
          "Only a taint with effect NoExecute evicts pods.",
          "Write effect: NoExecute, or leave the seconds out.",
        )
      : []),
  ];
}

/** A range of addresses, e.g. `10.0.0.0/8`. */
export function cidr(path: string, value: string | undefined): Problem[] {
  if (value === undefined) return [];
  const [address = "", bits = "", ...more] = value.split("/");
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most) return [];
  return [error("cidr", path, "The value is not a range of addresses.", "Write it like 10.0.0.0/8 or fd00::/8.")];
}

/** Ranges of addresses. */
export function cidrs(path: string, values: readonly string[] | undefined): Problem[] {
  return (values ?? []).flatMap((value, index) => cidr(`${path}[${index}]`, value));
}

/** Ranges of addresses that CI jobs may reach: any but one with the cloud's metadata in it. */
export function jobNetworks(path: string, values: readonly string[] | undefined): Problem[] {
  const problems = cidrs(path, values);
  if (problems.length > 0) return problems;
  return (values ?? []).flatMap((value, index) => {
    const [network = "", bits] = value.split("/");
    const range = new BlockList();
    range.addSubnet(network, Number(bits), isIP(network) === 6 ? "ipv6" : "ipv4");
    if (!range.check("169.254.169.254")) return [];
    return [
      error(
        "job-networks",
        `${path}[${index}]`,
        "The range holds 169.254.169.254, where a cloud gives a node its identity: any job could take it.",
        "Name the networks that jobs need, e.g. 10.1.2.0/24.",
      ),
    ];
  });
}

/** Ranges of IPv4 addresses that are the cluster's own: the others are those that policies let pods out to. */
export function clusterRanges(path: string, values: readonly string[] | undefined): Problem[] {
  const problems = cidrs(path, values);
  if (problems.length > 0) return problems;
  return (values ?? []).flatMap((value, index) =>
    value.endsWith("/0") || isIP(value.split("/")[0] ?? "") !== 4
      ? [
          error(
            "cluster-range",
            `${path}[${index}]`,
            "The value is not a range of the cluster's IPv4 addresses.",
            "Write it like 10.42.0.0/16, as `./hearth doctor` prints it. Policies let no pod out to IPv6 addresses.",
          ),
        ]
      : [],
  );
}

/** Ranges of proxies whose word is taken. All addresses are valid, but then anyone is such a proxy. */
export function proxyRanges(path: string, values: readonly string[] | undefined): Problem[] {
  const problems = cidrs(path, values);
  if (problems.length > 0) return problems;
  return (values ?? []).flatMap((value, index) =>
    value.endsWith("/0")
      ? [
          warning(
            "every-proxy",
            `${path}[${index}]`,
            "It is every address, so anyone can forge the address that logs and rate limits see.",
            "Name the ranges of your pods, nodes and load balancers.",
          ),
        ]
      : [],
  );
}

/** A Go duration above zero. */
export function duration(path: string, value: string | undefined): Problem[] {
  if (value === undefined || (parseDuration(value) ?? 0) > 0) return [];
  return [error("duration", path, "The value is not a duration above zero.", "Write it like 1h0m0s or 30m.")];
}
