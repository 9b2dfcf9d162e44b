import { limits, storageClasses } from "../catalogue/limits.ts";
import { highestMajor, mostInstances, mostWebPods } from "../catalogue/widening.ts";
import { Profile } from "../core/platform-args.ts";
import { canonicalQuantity } from "../core/quantities.ts";
import type { AdmissionArgs } from "./args.ts";

/** Keys of the limits that are the same in every namespace. */
export const sharedLimits = {
  databaseMajorMin: "databaseMajorMin",
  databaseMajorMax: "databaseMajorMax",
  databaseInstancesMin: "databaseInstancesMin",
  databaseInstancesMax: "databaseInstancesMax",
  keystoreReplicas: "keystoreReplicas",
  keystoreSize: "keystoreSize",
  forgeWebReplicas: "forgeWebReplicas",
} as const;

/** Starts of the keys of the limits that a namespace has for itself: `<start>.<namespace>`. */
export const namespaceLimits = {
  cloudsuiteReplicas: "cloudsuiteReplicas",
  databaseSize: "databaseSize",
} as const;

/** The parameter object of all policies: the limits as the data of one ConfigMap, whose values are texts. */
export function parameters({ namespaces, platform }: AdmissionArgs): Record<string, string> {
  const production = platform.profile === Profile.production;
  const shared: Record<keyof typeof sharedLimits, string | number> = {
    databaseMajorMin: limits.databaseMajor.min,
    databaseMajorMax: highestMajor(platform.limits),
    databaseInstancesMin: limits.databaseReplicas[platform.profile],
    databaseInstancesMax: mostInstances(platform.limits),
    keystoreReplicas: limits.keystoreReplicas,
    keystoreSize: canonicalQuantity(limits.keystoreSize),
    forgeWebReplicas: production ? limits.forgeWebReplicas : 1,
  };
  const own = namespaces.flatMap(({ name, storageClass, files }) => [
    [`${namespaceLimits.cloudsuiteReplicas}.${name}`, mostWebPods(storageClass ?? storageClasses.smb, platform.limits)],
    [`${namespaceLimits.databaseSize}.${name}`, canonicalQuantity(databaseSize(files))],
  ]);
  return Object.fromEntries([...Object.entries(shared), ...own].map(([key, value]) => [key, String(value)]));
}

function databaseSize(files = 0): string {
  return (limits.databaseSize.find(({ upToFiles }) => files <= upToFiles) ?? limits.databaseSize[0]).size;
}
