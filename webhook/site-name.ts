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

/** A DNS subdomain of at most 253 characters, each label at most 63: what a name in Kubernetes and in DNS may be. */
export function isSiteName(text: string): boolean {
  return text.length <= 253 && text.split(".").every((part) => label.test(part));
}

/** The site that a path's two decoded segments name, or undefined when no such site can exist. */
export function parseSiteName(namespace: string, name: string): SiteName | undefined {
  return isNamespace(namespace) && isSiteName(name) ? { namespace, name } : undefined;
}
