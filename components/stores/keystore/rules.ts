import { limits } from "../../catalogue/limits.ts";
import { error, type Fault, shown } from "../../core/faults.ts";
import { dataName } from "../../core/plan.ts";
import { refuseChange, refuseDowngrade, refuseShrink } from "../../core/refusals.ts";
import { bytes, imageTag, namespaceName } from "../../core/value-rules.ts";
import { parseVersion } from "../../core/versions.ts";
import { resourceFaults } from "../../kubernetes/resource-rules.ts";
import type { KeystoreArgs } from "./args.ts";
import { keystoreClaim } from "./plan.ts";

/** Everything wrong with a keystore's arguments. */
export function keystoreFaults(args: KeystoreArgs): Fault[] {
  return [
    ...namespaceName("namespace", args.namespace),
    ...version(args.version),
    ...bytes("storageSize", args.storageSize),
    ...(args.resources ? resourceFaults("resources", args.resources, limits.keystoreResources) : []),
    ...replicas(args.replicas),
  ];
}

/** Changes of a running keystore that would lose its data. */
export function keystoreChanges(before: KeystoreArgs, now: KeystoreArgs): Fault[] {
  const allowed = now.platform.allowDataLoss;
  const change = (path: string, pick: (args: KeystoreArgs) => string | undefined) => ({
    path,
    object: dataName(keystoreClaim, before.namespace),
    before: pick(before),
    now: pick(now),
  });
  return [
    ...refuseChange(
      change("namespace", (args) => args.namespace),
      allowed,
    ),
    ...refuseShrink(
      change("storageSize", (args) => args.storageSize ?? limits.keystoreSize),
      allowed,
    ),
    ...refuseDowngrade(
      change("version", (args) => args.version),
      allowed,
    ),
  ];
}

function version(tag: string): Fault[] {
  const faults = imageTag("version", tag);
  if (faults.length > 0 || parseVersion(tag)) return faults;
  return [
    error(
      "version-number",
      "version",
      `${shown(tag)} does not start with a version number, so a downgrade could not be refused.`,
      "Write it like 8.1.4-alpine.",
    ),
  ];
}

function replicas(count: number | undefined): Fault[] {
  if (count === undefined || count === limits.keystoreReplicas) return [];
  return [
    error(
      "replicas",
      "replicas",
      `${shown(count)} is not a number of keystore pods.`,
      `Write ${limits.keystoreReplicas}.`,
    ),
  ];
}
