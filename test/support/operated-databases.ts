import { KubeClient } from "@hearth-platform/sandbox/kubernetes/client";
import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import type { Sandbox } from "@hearth-platform/sandbox/started-sandbox";
import { stackParts } from "@hearth-platform/stack/parts";
import { DatabaseControllers } from "./database-controllers.ts";
import { PostgresServer } from "./database-servers.ts";
import { idOf, isReady, ObjectHistory } from "./object-history.ts";
import { type Changes, checkFiles, committedStack, withSettings } from "./stack-files.ts";

const manager = "hearth-test";

/** The kinds of what the controllers make. */
const made = [
  ...["Pod", "Service", "Secret", "PersistentVolumeClaim", "ServiceAccount"].map((kind) => ({
    apiVersion: "v1",
    kind,
  })),
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role" },
  { apiVersion: "apps/v1", kind: "Deployment" },
  { apiVersion: "policy/v1", kind: "PodDisruptionBudget" },
  { apiVersion: "coordination.k8s.io/v1", kind: "Lease" },
  { apiVersion: "postgresql.cnpg.io/v1", kind: "Backup" },
];

export const labelsOf = ({ metadata }: KubernetesObject): Readonly<Record<string, string>> => metadata.labels ?? {};

/** What is rendered for stack `prod`, with some settings changed. */
export function rendered(changes: Changes): KubernetesObject[] {
  const { stack } = checkFiles(withSettings(committedStack("prod"), changes));
  if (!stack) throw new Error("the stack has problems");
  return stackParts(stack)
    .flatMap((part) => part.plans())
    .flatMap(({ objects }) => objects.map(({ object }) => object as KubernetesObject));
}

/** Whether it is a database's, but for its Secret. */
export const isDatabase = (object: KubernetesObject): boolean =>
  object.kind !== "ExternalSecret" && /-db$/.test(labelsOf(object)["app.kubernetes.io/name"] ?? "");

/** As far as our objects use one. */
export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string }[];
}

/** Whether a selector of our objects takes the pod; they ask for equality and for presence only. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, pod: KubernetesObject): boolean {
  const labels = labelsOf(pod);
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator }) => (operator === "Exists") === key in labels)
  );
}

/** The databases of stack `prod` under CloudNativePG's own controllers: the forge's in namespace `platform`, a suite's in `cloud`. */
export class OperatedDatabases {
  /** What is rendered for them. */
  readonly ours: readonly KubernetesObject[];
  /** PostgreSQL of the forge's, on which its Databases are made. */
  readonly server: PostgresServer;
  readonly client: KubeClient;
  readonly history: ObjectHistory;
  readonly #controllers: DatabaseControllers;

  private constructor(
    ours: readonly KubernetesObject[],
    server: PostgresServer,
    client: KubeClient,
    controllers: DatabaseControllers,
  ) {
    this.ours = ours;
    this.server = server;
    this.client = client;
    const kinds = new Map([...made, ...ours].map(({ apiVersion, kind }) => [kind, { apiVersion, kind }]));
    this.history = new ObjectHistory(client, [...kinds.values()]);
    this.#controllers = controllers;
  }

  /** @param objects those of the stack */
  static async start(sandbox: Sandbox, objects: readonly KubernetesObject[]): Promise<OperatedDatabases> {
    const ours = objects.filter(isDatabase);
    const homes = new Set(ours.map(({ metadata }) => metadata.namespace));
    const namespaces = objects.filter(({ kind, metadata }) => kind === "Namespace" && homes.has(metadata.name));
    const server = await forgeServer();
    const controllers = await DatabaseControllers.start(sandbox);
    const client = KubeClient.fromKubeconfig(sandbox.paths.kubeconfig);
    const databases = new OperatedDatabases([...namespaces, ...ours], server, client, controllers);
    for (const object of databases.ours) await databases.apply(object);
    controllers.runInstance({ namespace: "platform", cluster: "forge-db", pod: "forge-db-1" }, server);
    return databases;
  }

  /** Applies an object, and makes the Secrets that it names. */
  async apply(object: KubernetesObject): Promise<void> {
    await this.client.apply(object, manager);
    for (const { name, type, stringData } of secretsOf(object)) {
      const metadata = { name, namespace: object.metadata.namespace };
      await this.client.apply({ apiVersion: "v1", kind: "Secret", metadata, type, stringData }, manager);
    }
  }

  /** The object as it is now. @param id `Kind namespace/name` */
  live(id: string): KubernetesObject {
    const object = this.history.live.get(id);
    if (!object) throw new Error(`${id} is not there`);
    return object;
  }

  ofKind(kind: string, namespace: string): KubernetesObject[] {
    return [...this.history.live.values()].filter(
      (each) => each.kind === kind && each.metadata.namespace === namespace,
    );
  }

  /** Those of the objects that are not what their `waitFor` waits for. */
  unready(objects: readonly KubernetesObject[] = this.ours): string[] {
    return objects.map(idOf).filter((id) => !this.history.live.has(id) || !isReady(this.live(id)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.history[Symbol.asyncDispose]();
    await this.#controllers[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }
}

/** With what the first instance's Job makes. */
async function forgeServer(): Promise<PostgresServer> {
  const server = await PostgresServer.create("--encoding=UTF8", "--locale=C.UTF-8");
  await server.start();
  await server.ask("CREATE ROLE app LOGIN");
  await server.ask("CREATE DATABASE forge OWNER app");
  return server;
}

function secretsOf({ kind, spec }: KubernetesObject): { name: string; type?: string; stringData: object }[] {
  if (kind === "Cluster") {
    const { bootstrap } = spec as { bootstrap: Record<string, { secret: { name: string } }> };
    const stringData = { username: "app", password: "of the tests" };
    return Object.values(bootstrap).map(({ secret }) => ({ ...secret, type: "kubernetes.io/basic-auth", stringData }));
  }
  if (kind !== "ObjectStore") return [];
  const { configuration } = spec as { configuration: { s3Credentials: { accessKeyId: { name: string } } } };
  const stringData = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
  return [{ name: configuration.s3Credentials.accessKeyId.name, stringData }];
}
