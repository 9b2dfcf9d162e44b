import { limits } from "../../catalogue/limits.ts";
import { dataName } from "../../core/plan.ts";
import { error, type Problem, shown } from "../../core/problems.ts";
import { refuseChange, refuseDowngrade, refuseShrink } from "../../core/refusals.ts";
import { bytes, imageTag, namespaceName } from "../../core/value-rules.ts";
import { parseVersion } from "../../core/versions.ts";
import { resourceProblems } from "../../kubernetes/resource-rules.ts";
import type { KeystoreArgs } from "./args.ts";
import { keystoreClaim } from "./plan.ts";

/** Everything wrong with a keystore's arguments. */
export function keystoreProblems(args: KeystoreArgs): Problem[] {
  return [
    ...namespaceName("namespace", args.namespace),
    ...version(args.version),
    ...bytes("storageSize", args.storageSize),
    ...(args.resources ? resourceProblems("resources", args.resources, limits.keystoreResources) : []),
    ...replicas(args.replicas),
  ];
}

/** Changes of a running keystore that would lose its data. */
export function keystoreChanges(before: KeystoreArgs, now: KeystoreArgs): Problem[] {
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

function version(tag: string): Problem[] {
  const problems = imageTag("version", tag);
  if (problems.length > 0 || parseVersion(tag)) return problems;
  return [
    error(
      "version-number",
      "version",
      `${shown(tag)} does not start with a version number, so a downgrade could not be refused.`,
      "Write it like 8.1.4-alpine.",
    ),
  ];
}

function replicas(count: number | undefined): Problem[] {
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
