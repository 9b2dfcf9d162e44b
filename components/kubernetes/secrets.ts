import type { PlannedObject, PlannedSecret, SecretValue } from "../core/plan.ts";
import type { ResolvedPlatform } from "../core/platform-schema.ts";
import { fillTemplate, indented, type SecretRequest, secretRevision } from "../core/secrets.ts";
import type { ExternalSecret } from "./custom-resources/external-secret.ts";

type SecretStore = NonNullable<NonNullable<ResolvedPlatform["secrets"]>["store"]>;

/**
 * What has to be made for the Secrets requested: nothing for an existing one, an ExternalSecret with a store, else a generated Secret.
 * With a store and `generate`, an ExternalSecret only for those that can't be generated.
 * @throws Error naming every Secret that can only come from outside when neither is set, and every template, hash or public key that names no key
 */
export function planSecrets(
  requests: readonly SecretRequest[],
  secrets: ResolvedPlatform["secrets"],
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
function externalSecret(request: SecretRequest, store: SecretStore): ExternalSecret {
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
  const remoteRef = (key: string) => {
    const value = request.data[key];
    return value && "copyOf" in value
      ? { key: remoteKey(value.copyOf, store), property: value.copyOf.key }
      : { key: remoteKey(request, store), property: key };
  };
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
      refreshInterval: store.refreshInterval,
      secretStoreRef: { name: store.name, kind: store.kind },
      target: {
        name: request.name,
        // The Secret outlives its ExternalSecret, so that one can be deleted and applied again while pods go on reading.
        creationPolicy: "Orphan",
        template: {
          type: request.type ?? "Opaque",
          ...(request.labels && { metadata: { labels: { ...request.labels } } }),
          // Without Merge the template's keys would be the Secret's only ones.
          ...(Object.keys(composed).length > 0 && { mergePolicy: "Merge", data: composed }),
        },
      },
      data: stored.map((key) => ({ secretKey: key, remoteRef: remoteRef(key) })),
    },
  };
}

/** Where the store has a Secret. With the namespace: two suites have Secrets of the same names, and share none. */
function remoteKey({ namespace, name }: Pick<SecretRequest, "namespace" | "name">, store: SecretStore): string {
  return `${store.prefix ?? ""}${namespace}/${name}`;
}

/** Text that a Go template prints as it is. */
function literal(text: string): string {
  return text.replaceAll("{{", '{{ "{{" }}');
}
