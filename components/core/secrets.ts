import type { SecretValue } from "./plan.ts";

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

/** A template with each `{key}` or `{key|indent N}` replaced by what `fill` gives for the key. */
export function fillTemplate(template: string, fill: (key: string, indent: number) => string): string {
  return template.replace(/\{([\w.-]+)(?:\|indent (\d+))?\}/g, (_, key: string, indent = "0") =>
    fill(key, Number(indent)),
  );
}

/** A text with every line moved to the right by that many blanks. */
export function indented(text: string, indent: number): string {
  return text.replace(/^/gm, " ".repeat(indent));
}
