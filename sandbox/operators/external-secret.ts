/**
 * Stands in for External Secrets 1.3: gives an ExternalSecret its Secret, from a fake store, and its condition.
 *
 * Not simulated: any provider (all are the same fake store), `find`, `rewrite`, `templateFrom` and generators other
 * than Password (each is refused with a message), pushing, and waiting for the refresh interval: a change is seen at once.
 */
import { createHash } from "node:crypto";
import type { KubeClient } from "../kubernetes/client.ts";
import { controlledBy, type KubernetesObject } from "../kubernetes/objects.ts";
import { type Condition, timestamp, transition } from "./conditions.ts";
import { type Operator, report } from "./controller.ts";
import type { FakeEntry, FakeStore, RemoteRef } from "./fake-store.ts";
import { renderTemplate } from "./secret-template.ts";

const apiVersion = "external-secrets.io/v1";
const manager = "external-secrets";
const secretKind = { apiVersion: "v1", kind: "Secret" };

export interface ExternalSecret extends KubernetesObject {
  spec: {
    secretStoreRef?: StoreRef;
    target?: {
      name?: string;
      creationPolicy?: "Owner" | "Orphan" | "Merge" | "None";
      immutable?: boolean;
      template?: Template;
    };
    data?: { secretKey: string; remoteRef: RemoteRef; sourceRef?: { storeRef?: StoreRef } }[];
    dataFrom?: {
      extract?: RemoteRef;
      find?: unknown;
      rewrite?: unknown[];
      sourceRef?: { storeRef?: StoreRef; generatorRef?: { kind: string; name: string } };
    }[];
  };
  status?: { conditions?: Condition[]; refreshTime?: string; syncedResourceVersion?: string };
}

interface StoreRef {
  name?: string;
  kind?: string;
}

interface Template {
  type?: string;
  data?: Record<string, string>;
  mergePolicy?: "Replace" | "Merge";
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  templateFrom?: unknown[];
}

export interface SecretStore extends KubernetesObject {
  spec: { provider: { fake?: { data?: FakeEntry[] } } };
  status?: { conditions?: Condition[] };
}

/** Finds the entries that a store itself holds; throws when the store is missing. */
export type StoreLookup = (ref: StoreRef | undefined) => readonly FakeEntry[];

/**
 * The data of the Secret, as texts.
 * @throws with External Secrets' words when a store, a key or a template is wrong
 */
export function secretData(spec: ExternalSecret["spec"], stores: StoreLookup, fake: FakeStore): Record<string, string> {
  const values: Record<string, string> = {};
  for (const source of spec.dataFrom ?? []) {
    const entries = stores(source.sourceRef?.storeRef ?? spec.secretStoreRef);
    const generator = source.sourceRef?.generatorRef;
    if (source.find || source.rewrite?.length) throw new Error("the sandbox does not know dataFrom.find and rewrite");
    if (generator && generator.kind !== "Password") throw new Error(`the sandbox has no generator ${generator.kind}`);
    if (generator) values.password = fake.random(`generator/${generator.name}/${spec.target?.name ?? ""}`);
    else if (source.extract) Object.assign(values, fake.values(source.extract, entries));
  }
  for (const { secretKey, remoteRef, sourceRef } of spec.data ?? [])
    values[secretKey] = fake.value(remoteRef, stores(sourceRef?.storeRef ?? spec.secretStoreRef), secretKey);
  const { template } = spec.target ?? {};
  if (template?.templateFrom?.length) throw new Error("the sandbox does not know target.template.templateFrom");
  if (!template?.data) return values;
  const rendered = Object.entries(template.data).map(([key, text]) => [key, render(key, text, values)]);
  return { ...(template.mergePolicy === "Merge" && values), ...Object.fromEntries(rendered) };
}

function render(key: string, text: string, values: Record<string, string>): string {
  try {
    return renderTemplate(text, values);
  } catch (error) {
    throw new Error(`could not apply template: unable to execute template at key ${key}: ${(error as Error).message}`);
  }
}

/** The Secret to apply. */
export function targetSecret(external: ExternalSecret, data: Record<string, string>): KubernetesObject {
  const { metadata, spec } = external;
  const { name = metadata.name, template, immutable, creationPolicy = "Owner" } = spec.target ?? {};
  const owned = creationPolicy === "Owner";
  return {
    ...secretKind,
    metadata: {
      name: name || metadata.name,
      namespace: metadata.namespace,
      labels: {
        ...(template ? template.metadata?.labels : metadata.labels),
        "reconcile.external-secrets.io/managed": "true",
        ...(owned && { "reconcile.external-secrets.io/created-by": hash(`${metadata.namespace}/${metadata.name}`) }),
      },
      annotations: { ...template?.metadata?.annotations, "reconcile.external-secrets.io/data-hash": hash(data) },
      ...(owned && { ownerReferences: [controlledBy(external)] }),
    },
    type: template?.type || "Opaque",
    ...(immutable && { immutable }),
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")])),
  };
}

/** The operator for ExternalSecrets. */
export function externalSecrets(client: KubeClient, fake: FakeStore): Operator {
  const storeKinds = ["ClusterSecretStore", "SecretStore"].map((kind) => ({ apiVersion, kind }));
  return {
    reconciles: { apiVersion, kind: "ExternalSecret" },
    owns: [secretKind],
    dependsOn: storeKinds,
    async reconcile(object) {
      const external = object as ExternalSecret;
      const outcome = await sync(client, external, fake);
      if (outcome.status === "False") console.error(`ExternalSecret ${external.metadata.name}: ${outcome.cause}`);
      const status = externalSecretStatus(external, outcome);
      await report(client, external, status, manager);
    },
  };
}

interface Outcome {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
  readonly cause?: string;
  readonly target?: string;
}

async function sync(client: KubeClient, external: ExternalSecret, fake: FakeStore): Promise<Outcome> {
  const { spec, metadata } = external;
  const refs = [
    spec.secretStoreRef,
    ...[...(spec.data ?? []), ...(spec.dataFrom ?? [])].map((one) => one.sourceRef?.storeRef),
  ];
  const stores = new Map<string, SecretStore>();
  for (const ref of refs) {
    if (!ref?.name) continue;
    const kind = ref.kind ?? "SecretStore";
    const namespace = kind === "SecretStore" ? metadata.namespace : undefined;
    const store = await client.get<SecretStore>({ apiVersion, kind }, ref.name, namespace);
    if (store) stores.set(`${kind}/${ref.name}`, store);
  }
  const lookUp: StoreLookup = (ref) => {
    if (!ref?.name) return [];
    const { kind = "SecretStore", name } = ref;
    const store = stores.get(`${kind}/${name}`);
    if (!store)
      throw new Error(
        `could not get ${kind} "${name}", ${kind.toLowerCase()}s.external-secrets.io "${name}" not found`,
      );
    if (!store.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True"))
      throw new Error(`${kind} "${name}" is not ready`);
    return store.spec.provider.fake?.data ?? [];
  };
  let secret: KubernetesObject;
  try {
    secret = targetSecret(external, secretData(spec, lookUp, fake));
  } catch (error) {
    const message = "could not get secret data from provider";
    return { status: "False", reason: "SecretSyncedError", message, cause: (error as Error).message };
  }
  const { creationPolicy = "Owner" } = spec.target ?? {};
  const { name } = secret.metadata;
  if (creationPolicy === "Merge" && !(await client.get(secretKind, name, metadata.namespace))) {
    const message = "secret will not be created due to CreationPolicy=Merge";
    return { status: "True", reason: "SecretMissing", message };
  }
  if (creationPolicy !== "None") await client.apply(secret, manager);
  return { status: "True", reason: "SecretSynced", message: "secret synced", target: name };
}

/** The status; `refreshTime` moves when the ExternalSecret changed, or failed before. */
export function externalSecretStatus({ metadata, status }: ExternalSecret, outcome: Outcome, now = timestamp()) {
  const { status: ready, reason, message, target } = outcome;
  const condition = transition(status?.conditions, { type: "Ready", status: ready, reason, message }, now);
  if (ready === "False") return { conditions: [condition], refreshTime: status?.refreshTime };
  const synced = `${metadata.generation}-${hash({ labels: metadata.labels, annotations: metadata.annotations })}`;
  const refreshed = status?.syncedResourceVersion === synced && status.refreshTime;
  return {
    conditions: [condition],
    refreshTime: refreshed || now,
    syncedResourceVersion: synced,
    ...(target && { binding: { name: target } }),
  };
}

function hash(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return createHash("sha3-224").update(text).digest("hex");
}
