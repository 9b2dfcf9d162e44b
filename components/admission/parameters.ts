import { cloudsuiteResources, databaseSize, limits, storageClasses } from "../catalogue/limits.ts";
import { highestMajor, mostInstances, mostWebPods } from "../catalogue/widening.ts";
import { Profile } from "../core/platform-args.ts";
import { canonicalQuantity } from "../core/quantities.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";
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
  syncInterval: "syncInterval",
  databaseResources: "databaseResources",
  keystoreResources: "keystoreResources",
  officeResources: "officeResources",
  whiteboardResources: "whiteboardResources",
} as const;

/** Starts of the keys of the limits that a namespace has for itself: `<start>.<namespace>`. */
export const namespaceLimits = {
  cloudsuiteReplicas: "cloudsuiteReplicas",
  databaseSize: "databaseSize",
  cloudsuiteResources: "cloudsuiteResources",
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
    syncInterval: `${limits.syncIntervalLeastSeconds}s`,
    databaseResources: amounts(limits.databaseResources),
    keystoreResources: amounts(limits.keystoreResources),
    officeResources: amounts(limits.officeResources),
    whiteboardResources: amounts(limits.whiteboardResources),
  };
  const own = namespaces.flatMap(({ name, storageClass, files = 0, users = 0 }) => [
    [`${namespaceLimits.cloudsuiteReplicas}.${name}`, mostWebPods(storageClass ?? storageClasses.smb, platform.limits)],
    [`${namespaceLimits.databaseSize}.${name}`, canonicalQuantity(databaseSize(files))],
    [`${namespaceLimits.cloudsuiteResources}.${name}`, amounts(cloudsuiteResources(users))],
  ]);
  return Object.fromEntries([...Object.entries(shared), ...own].map(([key, value]) => [key, String(value)]));
}

/** Requests, then limits: CPU and memory of each, with spaces between them. */
function amounts({ requests, limits: most }: ResourceSpecArgs): string {
  return [requests.cpu, requests.memory, most.cpu, most.memory].map(canonicalQuantity).join(" ");
}
