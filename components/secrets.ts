import type { PlannedObject } from "./plan.ts";

/** An External Secrets store that holds the stack's secrets. */
export interface SecretStoreArgs {
  /** Name of the SecretStore or ClusterSecretStore. */
  name: string;
  /** `SecretStore` or `ClusterSecretStore`. @default ClusterSecretStore */
  kind?: string;
  /** Put before the Secret's name to make the remote key: prefix `prod/` reads `prod/forge-db-app`. @default none */
  prefix?: string;
  /** How often values are read again, as a Go duration. @default 1h */
  refreshInterval?: string;
}

/** Where secrets come from. */
export interface SecretsArgs {
  /**
   * Store that all Secrets are synced from, each by an ExternalSecret of the Secret's name.
   * @default none: generated once and kept in the stack's state (object-store credentials can't be generated)
   */
  store?: SecretStoreArgs;
  /** Secrets that exist already: the platform's name → the name of the Secret in the same namespace. @default none */
  existing?: Record<string, string>;
  /** Counter of a Secret: raising it makes a new value where that is safe, and rolls the pods that read it. @default 0 */
  revisions?: Record<string, number>;
}

/** How a value of a generated Secret comes about. Kept in state; never re-rolled unless the revision changes. */
export type SecretValue =
  /** Plain text that is no secret itself, such as a user name. */
  | { readonly value: string }
  /** That many random alphanumerics: safe in URLs, shells and configuration files. */
  | { readonly password: number }
  /** That many random bytes, base64. */
  | { readonly bytes: number }
  /** Text with `${key}` for other keys of the same Secret. */
  | { readonly template: string };

/** A Secret the stack generates. */
export interface PlannedSecret {
  readonly name: string;
  readonly namespace: string;
  /** @default Opaque */
  readonly type?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, SecretValue>>;
  /** Changing it loses data (encryption keys, the password in a running database): it is protected and no revision changes it. */
  readonly neverChanges?: boolean;
  /** Raised to make new values. @default 0 */
  readonly revision: number;
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

/** Revision of the Secret `name`; pods carry it as an annotation, so that raising it rolls them. */
export function secretRevision(secrets: SecretsArgs | undefined, name: string): number {
  return secrets?.revisions?.[name] ?? 0;
}

/**
 * What has to be made for the Secrets requested: nothing for an existing one, an ExternalSecret with a store, else a generated Secret.
 * @throws Error naming every Secret that can only come from outside when neither is set
 */
export function planSecrets(
  requests: readonly SecretRequest[],
  secrets: SecretsArgs | undefined,
): { secrets: PlannedSecret[]; objects: PlannedObject[] } {
  const wanted = requests.filter((request) => secrets?.existing?.[request.name] === undefined);
  if (secrets?.store) {
    const store = secrets.store;
    return { secrets: [], objects: wanted.map((request) => ({ object: externalSecret(request, store) })) };
  }
  const homeless = wanted.filter((request) => Object.values(request.data).some((value) => "external" in value));
  if (homeless.length > 0)
    throw new Error(
      `${homeless.map((request) => `Secret ${request.namespace}/${request.name}`).join(", ")} can't be generated: ` +
        "name a store that holds it (secrets.store) or an existing Secret (secrets.existing).",
    );
  return {
    objects: [],
    secrets: wanted.map(({ data, ...request }) => ({
      ...request,
      data: data as Record<string, SecretValue>,
      revision: secretRevision(secrets, request.name),
    })),
  };
}

function externalSecret(request: SecretRequest, store: SecretStoreArgs) {
  const remote = `${store.prefix ?? ""}${request.name}`;
  return {
    apiVersion: "external-secrets.io/v1",
    kind: "ExternalSecret",
    metadata: {
      name: request.name,
      namespace: request.namespace,
      annotations: { "pulumi.com/waitFor": "condition=Ready" },
    },
    spec: {
      refreshInterval: store.refreshInterval ?? "1h",
      secretStoreRef: { name: store.name, kind: store.kind ?? "ClusterSecretStore" },
      target: {
        name: request.name,
        creationPolicy: "Owner",
        template: { type: request.type ?? "Opaque", metadata: { labels: { ...request.labels } } },
      },
      data: Object.keys(request.data).map((key) => ({ secretKey: key, remoteRef: { key: remote, property: key } })),
    },
  };
}
