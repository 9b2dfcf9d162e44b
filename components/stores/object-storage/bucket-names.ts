/** Name of a bucket of the forge or the hub, which ends with the namespace's tag: `<use>-<suffix>-<namespace>`. */
export function forgeBucket(use: string, suffix: string, namespace: string): string {
  return `${use}-${suffix}-${namespace}`;
}
