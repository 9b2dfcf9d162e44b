/** What identifies a StaticSite. */
export interface SiteName {
  readonly namespace: string;
  readonly name: string;
}

const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** A DNS label of at most 63 characters, as Kubernetes asks of a namespace. */
export function isNamespace(text: string): boolean {
  return label.test(text);
}

/** A DNS subdomain of at most 253 characters: what Kubernetes asks of an object's name, whose labels it does not count. (k8s.io/apimachinery IsDNS1123Subdomain) */
export function isSiteName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/.test(text);
}

/** The site that a path's two decoded segments name, or undefined when no such site can exist. */
export function parseSiteName(namespace: string, name: string): SiteName | undefined {
  return isNamespace(namespace) && isSiteName(name) ? { namespace, name } : undefined;
}
