import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import type { ObjectMeta } from "kubernetes-types/meta/v1.d.ts";

/**
 * What the cluster is told of the newest kit, so that doctor knows of it: a ConfigMap. It says nothing of any value: of each
 * Secret that never changes it has the UID, and when the Secret was last written.
 */

/** Name of the ConfigMap, in the first namespace that has a Secret which never changes. */
export const noteName = "hearth-kit";

/** A Secret as it was when the kit was made. */
export interface NotedSecret {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** When its data was last written, as RFC 3339. */
  readonly written: string;
}

export interface KitNote {
  /** When, as RFC 3339. */
  readonly made: string;
  /** Of the kit's file. */
  readonly sha256: string;
  /** Public keys that it is encrypted for. */
  readonly recipients: readonly string[];
  readonly secrets: readonly NotedSecret[];
}

/** The ConfigMap of a note. */
export function noteObject(namespace: string, { made, sha256, recipients, secrets }: KitNote): KubernetesObject {
  const data = { made, sha256, recipients: recipients.join("\n"), secrets: JSON.stringify(secrets) };
  const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: noteName, namespace }, data };
  return object as KubernetesObject;
}

/** The note in a ConfigMap; undefined where it has none that can be read. */
export function noteIn({ data = {} }: ConfigMap): KitNote | undefined {
  const { made = "", sha256 = "", recipients = "", secrets = "" } = data;
  if (Number.isNaN(Date.parse(made))) return undefined;
  try {
    return { made, sha256, recipients: recipients.split("\n"), secrets: JSON.parse(secrets) };
  } catch {
    return undefined;
  }
}

/** A Secret as a note has it, of its metadata alone. */
export function notedSecret(metadata: ObjectMeta): NotedSecret {
  const { name = "", namespace = "", uid = "", creationTimestamp = "", managedFields = [] } = metadata;
  // Who wrote data, and when, stands here without any value.
  const times = managedFields.flatMap(({ fieldsV1, time }) =>
    time !== undefined && Object.hasOwn(fieldsV1 ?? {}, "f:data") ? [String(time)] : [],
  );
  return { namespace, name, uid, written: times.sort().at(-1) ?? String(creationTimestamp) };
}
