import {
  type Chart,
  type ChartValues,
  gatewayApi,
  groupOf,
  type Prerequisite,
  prerequisites,
} from "@hearth-platform/hearth/catalogue/prerequisites";
import type { Day } from "@hearth-platform/hearth/core/days";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { classFinding } from "@hearth-platform/stack/live/preflight/checks";
import { endingOf } from "@hearth-platform/stack/live/preflight/cluster-version";
import { placeOf, type QuickFacts } from "@hearth-platform/stack/live/preflight/facts";
import { Status } from "@hearth-platform/stack/live/preflight/finding";
import type { IssuerNeed, Needs } from "@hearth-platform/stack/live/preflight/needs";
import { containersByImage, type Workload } from "@hearth-platform/stack/live/preflight/operators";
import type { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import { stringify } from "yaml";
import { staticSettings, traefikFindings } from "../doctor/traefik.ts";
import { valuesFor } from "./values.ts";

/** One thing to install, what has to be known about it, and how. */
export type Step = { readonly title: string; readonly remarks: readonly string[] } & (
  | { readonly chart: Chart; readonly values: ChartValues }
  | { readonly gatewayChannel: "standard" | "experimental" }
  | { readonly object: KubernetesObject }
);

/** What installs everything below a stack, in order, and what it can't install. */
export interface Steps {
  readonly steps: readonly Step[];
  /** Sentences on what is there already, and on what somebody else has to make. */
  readonly notes: readonly string[];
}

/** What of a cluster says what is there. */
export interface Seen {
  readonly quick: QuickFacts;
  readonly workloads: readonly Workload[] | "unseen";
  /** The files of Traefik's pods. */
  readonly configMaps: readonly ConfigMap[];
}

/** What a stack is, and what is asked for it. */
export interface Asked {
  readonly settings: StackSettings;
  readonly objects: readonly KubernetesObject[];
  readonly needs: Needs;
  /** Mail address for an issuer at Let's Encrypt; absent: none is made. */
  readonly acmeEmail?: string | undefined;
  readonly today: Day;
}

/**
 * What a stack needs below it and the cluster lacks. What is there is left as it is, whoever installed it, but for the Traefik of K3s, which
 * has an object for its values.
 * @param seen undefined: nothing is looked at, and everything is installed
 */
export function stepsFor(asked: Asked, seen: Seen | undefined): Steps {
  const { needs } = asked;
  const groups = new Set(needs.kinds.map(({ apiVersion }) => groupOf(apiVersion)));
  const parts = [
    ...prerequisites.filter(({ group }) => groups.has(group)).map((each) => operatorSteps(each, asked, seen)),
    ...needs.issuers.map((need) => issuerSteps(need, asked, seen)),
    { steps: [], notes: seen ? needs.classes.flatMap((need) => missing(classFinding(need, seen.quick.classes))) : [] },
    { steps: [], notes: needs.stores.flatMap((need) => storeNote(need, seen)) },
  ];
  return { steps: parts.flatMap(({ steps }) => steps), notes: [...new Set(parts.flatMap(({ notes }) => notes))] };
}

function operatorSteps(prerequisite: Prerequisite, asked: Asked, seen: Seen | undefined): Steps {
  const steps = prerequisite.group === "gateway.networking.k8s.io" ? gatewaySteps : chartSteps;
  return steps(prerequisite, asked, seen);
}

/** The CRDs are one thing and the proxy another: only Traefik's is known here. */
function gatewaySteps(prerequisite: Prerequisite, asked: Asked, seen: Seen | undefined): Steps {
  const { gateway } = asked.settings.ingress;
  const className = gateway?.className ?? "traefik";
  const lacks = asked.needs.kinds.some(
    ({ apiVersion, kind }) =>
      groupOf(apiVersion) === prerequisite.group && !seen?.quick.served.has(`${apiVersion}/${kind}`),
  );
  // Traefik up to 3.7 reads the experimental version of TCPRoute alone.
  const gatewayChannel =
    className === "traefik" && asked.settings.forge?.ssh ? ("experimental" as const) : ("standard" as const);
  const title = `CRDs of the Gateway API ${gatewayApi.version}, ${gatewayChannel} channel`;
  const crds: Step[] = lacks ? [{ title, remarks: [], gatewayChannel }] : [];
  if (className !== "traefik")
    return { steps: crds, notes: [`The proxy of GatewayClass ${className} is not installed here: see its own pages.`] };
  const proxy = chartSteps(prerequisite, asked, seen);
  return { ...proxy, steps: [...crds, ...proxy.steps] };
}

function chartSteps(prerequisite: Prerequisite, asked: Asked, seen: Seen | undefined): Steps {
  const { name, chart, remedy, release } = prerequisite;
  const there = placeIn(prerequisite, seen);
  if (there !== undefined) return presentSteps(prerequisite, there, asked, seen);
  if (!chart) return { steps: [], notes: [`${name} is not installed here. ${remedy}`] };
  const placed = { ...chart, namespace: namespaceOf(chart, asked.settings) };
  const ending = release && endingOf(release, chart.ships, asked.today);
  const title = chart.name === "traefik" ? "Traefik" : name;
  return {
    steps: [
      {
        title: `${title} ${chart.ships}`,
        remarks: ending ? [`${ending.message} ${ending.remedy}`] : [],
        chart: placed,
        values: valuesFor(chart, asked.settings),
      },
    ],
    notes: [],
  };
}

/** The operator of databases and its plugin share the namespace that the settings name. */
function namespaceOf({ name, namespace }: Chart, { databaseOperator }: StackSettings): string {
  return name === "cloudnative-pg" || name === "plugin-barman-cloud"
    ? (databaseOperator?.namespace ?? namespace)
    : namespace;
}

/** Where a program runs, as a sentence names it; undefined where it is missing. */
function placeIn({ group, image }: Prerequisite, seen: Seen | undefined): string | undefined {
  if (!seen) return undefined;
  if (seen.workloads === "unseen")
    return [...seen.quick.served].some((kind) => kind.startsWith(`${group}/`)) ? "its kinds are served" : undefined;
  const [found] = containersByImage(seen.workloads, image);
  if (!found) return undefined;
  const { metadata } = found.workload;
  return `${metadata?.namespace}/${metadata?.name} runs ${found.container.image}`;
}

const k3sConfig = { apiVersion: "helm.cattle.io/v1", kind: "HelmChartConfig" } as const;

/** What is there stays as it is; a Traefik gets the settings that it lacks where K3s keeps them, else they are named. */
function presentSteps({ name, chart }: Prerequisite, there: string, asked: Asked, seen: Seen | undefined): Steps {
  const present = `${chart?.name === "traefik" ? "Traefik" : name} is there already: ${there}.`;
  if (chart?.name !== "traefik" || !seen) return { steps: [], notes: [present] };
  const settings = staticSettings(seen.workloads, seen.configMaps);
  const lacks = traefikFindings(asked.objects, settings).filter(({ status }) => status !== Status.ok);
  if (lacks.length === 0 && settings) return { steps: [], notes: [present] };
  const values = stringify(valuesFor(chart, asked.settings));
  const reasons = lacks.map(({ subject, message }) => `${subject}: ${message}`);
  const isK3s = there.startsWith("kube-system/") && seen.quick.served.has(`${k3sConfig.apiVersion}/${k3sConfig.kind}`);
  if (!isK3s)
    return { steps: [], notes: [[present, ...reasons, `It needs these values of its chart:\n\n${values}`].join(" ")] };
  const metadata = { name: "traefik", namespace: "kube-system" };
  const object = { ...k3sConfig, metadata, spec: { valuesContent: values } };
  return { steps: [{ title: "The settings of the Traefik of K3s", remarks: reasons, object }], notes: [] };
}

function issuerSteps(need: IssuerNeed, { acmeEmail, settings }: Asked, seen: Seen | undefined): Steps {
  const { kind, name, wildcard } = need;
  const found = seen?.quick.objects.get(placeOf(need)) ?? "absent";
  if (found !== "absent") return { steps: [], notes: [] };
  const lacks = `${kind} ${name} ${seen ? "is missing" : "must exist"}.`;
  const none = (remedy: string) => ({ steps: [], notes: [`${lacks} ${remedy}`] });
  if (wildcard) return none(`For ${wildcard} it needs a DNS-01 solver with the credentials of your DNS: create it.`);
  if (kind !== "ClusterIssuer" || settings.ingress.kind === "gateway")
    return none("Create it: https://cert-manager.io/docs/configuration/");
  if (acmeEmail === undefined) return none("--acme-email MAIL makes one at Let's Encrypt.");
  return {
    steps: [{ title: `${kind} ${name} at Let's Encrypt`, remarks: [], object: acmeIssuer(name, acmeEmail) }],
    notes: [],
  };
}

/** (cert-manager.io/docs/configuration/acme/http01) */
function acmeIssuer(name: string, email: string): KubernetesObject {
  const acme = {
    server: "https://acme-v02.api.letsencrypt.org/directory",
    email,
    privateKeySecretRef: { name },
    solvers: [{ http01: { ingress: { ingressClassName: "traefik" } } }],
  };
  return {
    apiVersion: "cert-manager.io/v1",
    kind: "ClusterIssuer",
    metadata: { name },
    spec: { acme },
  } as KubernetesObject;
}

function storeNote(need: Needs["stores"][number], seen: Seen | undefined): string[] {
  if (seen && seen.quick.objects.get(placeOf(need)) !== "absent") return [];
  return [`${need.kind} ${need.name} ${seen ? "is missing" : "must exist"}: create it for your secret store.`];
}

function missing({ status, subject, message, remedy }: ReturnType<typeof classFinding>): string[] {
  return status === Status.missing ? [`${subject}: ${message} ${remedy}`] : [];
}
