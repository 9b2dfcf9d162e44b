import type { ExternalSecret } from "./crds/generated/external-secret.ts";
import type { PlannedObject, PlannedSecret, SecretValue } from "./plan.ts";

/** Kind of an External Secrets store. */
export const SecretStoreKind = { secretStore: "SecretStore", clusterSecretStore: "ClusterSecretStore" } as const;
export type SecretStoreKind = (typeof SecretStoreKind)[keyof typeof SecretStoreKind];

/** An External Secrets store that holds the stack's secrets. */
export interface SecretStoreArgs {
  /** Name of the SecretStore or ClusterSecretStore. */
  name: string;
  /** Its kind. @default ClusterSecretStore */
  kind?: SecretStoreKind;
  /** Put before namespace and name to make the remote key: prefix `prod/` reads `prod/team/cloudsuite-db-app`. @default none */
  prefix?: string;
  /** How often values are read again, as a Go duration in its long form. @default 1h0m0s */
  refreshInterval?: string;
}

/** Where secrets come from. */
export interface SecretsArgs {
  /**
   * Store that all Secrets are synced from, each by an ExternalSecret of the Secret's name.
   * @default none: generated once and kept in the stack's state (object-store credentials can't be generated)
   */
  store?: SecretStoreArgs;
  /** Generates what can be generated all the same, so that only the rest comes from the store. @default false */
  generate?: boolean;
  /** Secrets that exist already: the platform's name → the name of the Secret in the same namespace. @default none */
  existing?: Record<string, string>;
  /** Counter of a Secret: raising it makes a new value where that is safe, and rolls the pods that read it. @default 0 */
  revisions?: Record<string, number>;
}

/** A Secret a component needs. */
export interface SecretRequest {
  /** The platform's name of it, e.g. `forge-db-app`. */
  readonly name: string;
  readonly namespace: string;
  readonly type?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Its keys and how each is generated; `external` ones can only come from a store or an existing Secret. */
  readonly data: Readonly<Record<string, SecretValue | { readonly external: true }>>;
  readonly neverChanges?: boolean;
}

/** Name of the Secret that pods mount for the platform's `name`: its own, or the existing one in its place. */
export function secretName(secrets: SecretsArgs | undefined, name: string): string {
  return secrets?.existing?.[name] ?? name;
}

/** Revision of the Secret `name`, also where that is an existing one in the place of the platform's; pods carry it, so that raising it rolls them. */
export function secretRevision(secrets: SecretsArgs | undefined, name: string): number {
  const replaced = Object.entries(secrets?.existing ?? {}).flatMap(([own, existing]) =>
    existing === name ? [own] : [],
  );
  return Math.max(0, ...[name, ...replaced].map((each) => secrets?.revisions?.[each] ?? 0));
}

/**
 * What has to be made for the Secrets requested: nothing for an existing one, an ExternalSecret with a store, else a generated Secret.
 * With a store and `generate`, an ExternalSecret only for those that can't be generated.
 * @throws Error naming every Secret that can only come from outside when neither is set, and every template, hash or public key that names no key
 */
export function planSecrets(
  requests: readonly SecretRequest[],
  secrets: SecretsArgs | undefined,
): { secrets: PlannedSecret[]; objects: PlannedObject[] } {
  for (const request of requests) checkTemplates(request);
  const wanted = requests.filter((request) => secrets?.existing?.[request.name] === undefined);
  const store = secrets?.store;
  const external = wanted.filter((request) => Object.values(request.data).some((value) => "external" in value));
  const stored = store && !secrets.generate ? wanted : external;
  if (!store && external.length > 0)
    throw new Error(
      `${external.map((request) => `Secret ${request.namespace}/${request.name}`).join(", ")} can't be generated: ` +
        "name a store that holds it (secrets.store) or an existing Secret (secrets.existing).",
    );
  return {
    objects: store ? stored.map((request) => ({ object: externalSecret(request, store) })) : [],
    secrets: wanted
      .filter((request) => !stored.includes(request))
      .map(({ data, ...request }) => ({
        ...request,
        data: data as Record<string, SecretValue>,
        revision: secretRevision(secrets, request.name),
      })),
  };
}

/**
 * All values of a Secret, templates filled in.
 * @param generated the values of its keys that are neither plain values nor templates
 */
export function composeSecret(
  data: Readonly<Record<string, SecretValue>>,
  generated: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const plain = (key: string) => {
    const value = data[key];
    return value && "value" in value ? value.value : (generated[key] ?? "");
  };
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      "template" in value
        ? fillTemplate(value.template, (other, indent) => indented(plain(other), indent))
        : plain(key),
    ]),
  );
}

function fillTemplate(template: string, fill: (key: string, indent: number) => string): string {
  return template.replace(/\{([\w.-]+)(?:\|indent (\d+))?\}/g, (_, key: string, indent = "0") =>
    fill(key, Number(indent)),
  );
}

function indented(text: string, indent: number): string {
  return text.replace(/^/gm, " ".repeat(indent));
}

function checkTemplates(request: SecretRequest): void {
  for (const [key, value] of Object.entries(request.data)) {
    if ("bcrypt" in value && !("password" in (request.data[value.bcrypt] ?? {})))
      throw new Error(`Secret ${request.name}: ${key} is the hash of ${value.bcrypt}, which is no password of it.`);
    if ("publicKeyOf" in value && !("privateKey" in (request.data[value.publicKeyOf] ?? {})))
      throw new Error(`Secret ${request.name}: ${key} belongs to ${value.publicKeyOf}, which is no private key of it.`);
    if (!("template" in value)) continue;
    fillTemplate(value.template, (other) => {
      const part = request.data[other];
      if (!part || "template" in part)
        throw new Error(`Secret ${request.name}: the template of ${key} names ${other}, which is no plain key of it.`);
      return "";
    });
  }
}

/**
 * Reads from the store only what is secret; plain values and templates are composed by External Secrets in the cluster,
 * so that no value is read at preview.
 */
function externalSecret(request: SecretRequest, store: SecretStoreArgs): ExternalSecret {
  // With the namespace: two suites have Secrets of the same names, and share none.
  const remote = `${store.prefix ?? ""}${request.namespace}/${request.name}`;
  const stored: string[] = [];
  const composed: Record<string, string> = {};
  const reference = (key: string, indent: number) => {
    const value = request.data[key];
    if (value && "value" in value) return literal(indented(value.value, indent));
    return `{{ index . "${key}"${indent > 0 ? ` | indent ${indent}` : ""} }}`;
  };
  for (const [key, value] of Object.entries(request.data)) {
    if ("value" in value) composed[key] = literal(value.value);
    else if ("template" in value) composed[key] = fillTemplate(value.template, reference);
    else stored.push(key);
  }
  return {
    apiVersion: "external-secrets.io/v1",
    kind: "ExternalSecret",
    metadata: {
      name: request.name,
      namespace: request.namespace,
      annotations: { "pulumi.com/waitFor": "condition=Ready" },
    },
    spec: {
      // The operator writes durations back in this long form; another form would make it a second owner of the field.
      refreshInterval: store.refreshInterval ?? "1h0m0s",
      secretStoreRef: { name: store.name, kind: store.kind ?? SecretStoreKind.clusterSecretStore },
      target: {
        name: request.name,
        creationPolicy: "Owner",
        template: {
          type: request.type ?? "Opaque",
          ...(request.labels && { metadata: { labels: { ...request.labels } } }),
          // Without Merge the template's keys would be the Secret's only ones.
          ...(Object.keys(composed).length > 0 && { mergePolicy: "Merge", data: composed }),
        },
      },
      data: stored.map((key) => ({ secretKey: key, remoteRef: { key: remote, property: key } })),
    },
  };
}

/** Text that a Go template prints as it is. */
function literal(text: string): string {
  return text.replaceAll("{{", '{{ "{{" }}');
}
