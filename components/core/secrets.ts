import type { PlannedSecret, SecretValue } from "./plan.ts";
import type { SecretsArgs } from "./platform-args.ts";

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

/** Requests of Secrets in a namespace, by their name and data. */
export function requestsIn(namespace: string) {
  return (name: string, data: SecretRequest["data"]): SecretRequest => ({ name, namespace, data });
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

/** The command that makes a Secret or ConfigMap of others, its keys from files. */
export function createCommand(of: {
  readonly kind: "Secret" | "ConfigMap";
  readonly namespace: string;
  readonly name: string;
  readonly keys: readonly string[];
}): string {
  const object = `${of.kind === "Secret" ? "secret generic" : "configmap"} ${of.name}`;
  return ["kubectl", "-n", of.namespace, "create", object, ...of.keys.map((key) => `--from-file=${key}`)].join(" ");
}

/** Revision that a Secret's values were made with. */
export function madeRevision({ neverChanges, revision }: PlannedSecret): number {
  return neverChanges ? 0 : revision;
}

/** Name in Pulumi's state of what makes the value under a key. @param logical the Secret's own name there */
export function generatedName(logical: string, key: string, secret: PlannedSecret): string {
  const name = `${logical}.${key}`;
  const revision = madeRevision(secret);
  // Private keys have no keepers: the revision stands in the name.
  return "privateKey" in (secret.data[key] ?? {}) && revision !== 0 ? `${name}-${revision}` : name;
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
