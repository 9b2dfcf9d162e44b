import type { NamedText } from "../../core/field.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { looksRandom } from "./named-values.ts";

/** Texts that are no secrets in the clear wherever they look like one. The one list of such places. */
const places: readonly {
  /** Group and kind, as far as they matter. */
  readonly kinds: RegExp;
  /** The place, its keys joined by dots, lists' indices left out. */
  readonly path: RegExp;
  readonly reason: string;
}[] = [
  { kinds: /^Secret$/, path: /^(?:data|stringData)\./, reason: "This is where a secret belongs." },
  { kinds: /^bitnami\.com\/SealedSecret$/, path: /^spec\.encryptedData\./, reason: "It is encrypted." },
  {
    kinds: /^apiextensions\.k8s\.io\/CustomResourceDefinition$/,
    path: /^spec\./,
    reason: "It describes values, and holds none.",
  },
  {
    kinds: /^cert-manager\.io\/(?:Cluster)?Issuer$|^acme\.cert-manager\.io\//,
    path: /\.(?:accessKeyID|keyID|clientID)$/,
    reason: "It names a key; the key itself is in a Secret.",
  },
  {
    kinds: /^acme\.cert-manager\.io\//,
    path: /^spec\.(?:key|token|authorizations\.challenges\.token)$/,
    reason: "Whoever proves a host shows it to everybody.",
  },
  {
    kinds: /^(?:generators\.)?external-secrets\.io\//,
    path: /\.(?:secretKey|key|property|remoteKey|encryptionKey)$/,
    reason: "It says where the secret is.",
  },
  {
    kinds: /^monitoring\.coreos\.com\/PrometheusRule$/,
    path: /^spec\.groups\.rules\.expr$/,
    reason: "Its labels name objects: kube_secret_info{secret=…}.",
  },
  { kinds: /./, path: /\.match(?:Expressions|Fields)\.key$/, reason: "It is the name of a label or a field." },
  {
    kinds: /./,
    path: /^metadata\.(?:name|generateName|namespace|uid)$|^(?:kind|apiVersion)$/,
    reason: "It is a name.",
  },
];

/** Whether a text is at a place where it is no secret in the clear. */
export function isPublicPlace({ groupKind }: PolicyResource, { keys }: NamedText): boolean {
  const own = places.filter(({ kinds }) => kinds.test(groupKind));
  const path = keys.filter((key) => typeof key === "string").join(".");
  return own.some((place) => place.path.test(path));
}

/** Names whose value is a secret itself, whatever it looks like; other names that end in `secret` are of a Secret. */
const ownSecret = /(?:client|shared|app|jwt|hmac|webhook|token|cookie|session|consumer|oauth)[_-]?secret$/i;

/** Whether a field names a Secret, or a key in one, in the way of Kubernetes: `secret: name`, `existingSecret: ns/name`, `secretKey: password`, `key: tls.key`. */
export function namesSecret(name: string, value: string): boolean {
  if (name === "key") return /^[\w.-]+$/.test(value);
  if (!/secret(?:[_-]?key)?$/i.test(name) || ownSecret.test(name)) return false;
  return /^[a-z0-9][a-z0-9.-]*(?:\/[a-z0-9][a-z0-9.-]*)?$|^[a-z][\w.-]*$/i.test(value) && !looksRandom(value);
}
