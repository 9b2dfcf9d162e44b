import { planOf } from "@hearth-platform/hearth/core/component";
import { parseImage } from "@hearth-platform/hearth/core/image-reference";
import type { KubernetesObject, Plan } from "@hearth-platform/hearth/core/plan";
import { imagesOf } from "@hearth-platform/hearth/kubernetes/pod-templates";
import { areas } from "../../areas/index.ts";
import { type NamedComponent, type StackPart, stackParts } from "../../parts.ts";
import type { Stack } from "../../stack-settings.ts";

/** Pods of one workload, as the plan has them. */
export interface GraphWorkload {
  /** As the API server calls it, e.g. `Deployment`. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** How many pods are wanted; absent where the object does not say. */
  readonly pods?: number;
  /** Tag of its image; absent where the operator chooses it, and of an image that the stack builds, whose tag is a hash. */
  readonly version?: string;
}

/** A component of the stack, or a store in it. */
export interface GraphNode {
  /** Its name in Pulumi's state. */
  readonly id: string;
  readonly component: string;
  readonly isStore: boolean;
  /** Namespace of its objects; the first where it has several. */
  readonly namespace?: string;
  /** Its public hosts. */
  readonly hosts: readonly string[];
  readonly workloads: readonly GraphWorkload[];
  /** Names of the buckets it makes. */
  readonly buckets: readonly string[];
  /** Schedules of its backups, in cron's words. */
  readonly backups: readonly string[];
  /** Certificates it asks for, as `namespace/name`. */
  readonly certificates: readonly string[];
  /** Static sites, as `namespace/name`. */
  readonly sites: readonly string[];
  /** How many admission policies it puts in the cluster. */
  readonly admissionPolicies: number;
}

/** Who uses whom. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** Absent for a store, whose name says it. */
  readonly label?: string;
}

/** A stack as a picture shows it. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** The parts of a stack and their connections, read from its plans: the picture shows exactly what is created. */
export function stackGraph(stack: Stack): Graph {
  const parts = stackParts(stack);
  const stores = parts.flatMap((part) => part.inner().map((store) => storeOf(part, store)));
  const components = parts.filter(
    ({ component }) => component !== sharedStores && component !== areas.serviceImage.component,
  );
  return {
    nodes: [...components.map(componentNode), ...stores.map(({ node }) => node)],
    edges: [
      ...components.flatMap((part) => stores.filter((store) => uses(part, store)).map(({ node }) => edge(part, node))),
      ...signOns(components),
    ],
  };
}

/** The part that makes the shared stores: it has nothing to show but these. */
const sharedStores = areas.stores.component;

interface PlacedStore {
  readonly node: GraphNode;
  readonly owner: StackPart;
  readonly connection: unknown;
}

function storeOf(owner: StackPart, store: NamedComponent): PlacedStore {
  const { name, component, args } = store;
  const node = nodeOf(name, component.name, [planOf(store)]);
  const { connection } = component.outputs(args, () => undefined) as { connection?: unknown };
  return { node: { ...node, isStore: true }, owner, connection };
}

function componentNode(part: StackPart): GraphNode {
  return nodeOf(part.name, part.component.name, part.own());
}

function nodeOf(id: string, component: string, plans: readonly Plan[]): GraphNode {
  const objects = plans.flatMap((plan) => plan.objects.map(({ object }) => object));
  const of = (kind: string) => objects.filter((object) => object.kind === kind);
  const certificates = of("Certificate");
  return {
    id,
    component,
    isStore: false,
    namespace: objects.find(({ metadata }) => metadata.namespace !== undefined)?.metadata.namespace,
    hosts: certificates.flatMap((certificate) => texts(specOf(certificate).dnsNames)),
    workloads: objects.flatMap(workload),
    buckets: plans.flatMap(({ buckets }) => buckets.map(({ bucket }) => bucket)),
    backups: objects.filter(isBackup).flatMap((object) => texts([specOf(object).schedule])),
    certificates: certificates.map(pathOf),
    sites: of("StaticSite").map(pathOf),
    admissionPolicies: of("ValidatingAdmissionPolicy").length,
  };
}

const isBackup = ({ kind, metadata: { name } }: KubernetesObject) =>
  kind === "ScheduledBackup" || (kind === "CronJob" && name.includes("backup"));

/** Fields that say how many pods a workload has, by its kind. */
const podCounts: Readonly<Record<string, string>> = {
  Deployment: "replicas",
  StatefulSet: "replicas",
  Cluster: "instances",
  Pooler: "instances",
};

function workload(object: KubernetesObject): GraphWorkload[] {
  const field = podCounts[object.kind];
  if (field === undefined) return [];
  const { namespace = "", name } = object.metadata;
  const pods = specOf(object)[field];
  // Those of the containers come after those that run first.
  const version = parseImage(imagesOf(object).at(-1) ?? "")?.tag;
  return [
    {
      kind: object.kind,
      namespace,
      name,
      ...(typeof pods === "number" && { pods }),
      ...(version !== undefined && !isContentHash(version) && { version }),
    },
  ];
}

const isContentHash = (tag: string) => /^[0-9a-f]{16}$/.test(tag);

/** Arguments by which components are told of a store that is not their own, by the store's class. */
const connectionArguments: Readonly<Record<string, string>> = {
  Database: "database",
  Keystore: "keystore",
  ObjectStorage: "objectStore",
};

/** Whether a store is a component's own, or a shared one whose address is among its arguments. */
function uses({ name, args }: StackPart, { owner, node, connection }: PlacedStore): boolean {
  if (name === owner.name) return true;
  if (owner.component !== sharedStores) return false;
  const told = (args as Record<string, unknown>)[connectionArguments[node.component] ?? ""];
  const address = addressOf(connection);
  return address !== undefined && addressOf(told) === address;
}

/** Host or endpoint of a connection. */
function addressOf(connection: unknown): string | undefined {
  if (typeof connection !== "object" || connection === null) return undefined;
  const { host, endpoint } = connection as { host?: unknown; endpoint?: unknown };
  return typeof host === "string" ? host : typeof endpoint === "string" ? endpoint : undefined;
}

/** Who signs on by whom: the issuer of one is the host of another. */
function signOns(components: readonly StackPart[]): GraphEdge[] {
  return components.flatMap((part) => {
    const { signOn } = part.args as { signOn?: { issuer: string } };
    const provider = components.find(
      ({ args }) => signOn?.issuer === `https://${(args as { domain?: string }).domain}`,
    );
    return provider ? [{ from: part.name, to: provider.name, label: "signs on" }] : [];
  });
}

const edge = ({ name }: StackPart, { id }: GraphNode): GraphEdge => ({ from: name, to: id });

const pathOf = ({ metadata: { namespace, name } }: KubernetesObject) => `${namespace}/${name}`;

function specOf(object: KubernetesObject): Record<string, unknown> {
  return (object as { spec?: Record<string, unknown> }).spec ?? {};
}

function texts(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}
