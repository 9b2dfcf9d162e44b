import { dataName } from "../core/plan.ts";
import { error, type Problem } from "../core/problems.ts";
import { type Change, type ChangeGuard, refusal, refuseChange, refuseDowngrade } from "../core/refusals.ts";
import type { HubArgs } from "./args.ts";
import { hubNames } from "./hub-names.ts";
import { hubVersion, recordedVersion, upgradePath } from "./versions.ts";

/** What is refused of a hub's changes. */
export const hubGuard: ChangeGuard<HubArgs> = {
  recorded: (args) => ({ ...args, version: hubVersion(args) }),
  changes: hubChanges,
};

/** Changes of a running hub that would lose its data or end in a hub that can't start. The domain may change. */
export function hubChanges(before: HubArgs, now: HubArgs): Problem[] {
  const allowed = now.platform.allowDataLoss;
  const change = (path: string, object: string, pick: (args: HubArgs) => string | undefined): Change => ({
    path,
    object,
    before: pick(before),
    now: pick(now),
  });
  const { encryptionKey } = hubNames;
  const core = dataName(hubNames.core, before.namespace);
  return [
    change("namespace", core, (args) => args.namespace),
    change("database", core, ({ database: { host, database } }) => `${host}/${database}`),
    change("objectStore.endpoint", before.bucket, (args) => args.objectStore.endpoint),
    change("bucket", before.bucket, (args) => args.bucket),
    // Another Secret has another key: the credentials it encrypts in the database could not be read again.
    change(
      `platform.secrets.existing.${encryptionKey}`,
      dataName(encryptionKey, before.namespace),
      (args) => args.platform.secrets?.existing?.[encryptionKey],
    ),
  ]
    .flatMap((found) => refuseChange(found, allowed))
    .concat(
      signOnProblems(
        change("signOn.issuer", core, ({ signOn }) => signOn?.issuer),
        allowed,
      ),
      refuseDowngrade({ ...change("version", core, hubVersion), before: recordedVersion(before) }, allowed),
      upgradeProblems(recordedVersion(before), hubVersion(now)),
      proxyCacheProblems(before, now),
    );
}

/** Users are known by their issuer, and core ends at its start when it finds users of another way of sign-on. */
function signOnProblems(change: Change, allowed: readonly string[] | undefined): Problem[] {
  if (change.before === change.now) return [];
  const name = (issuer: string | undefined) => issuer ?? "accounts of its own";
  return refusal(
    "sign-on-changes",
    change,
    allowed,
    `goes from ${name(change.before)} to ${name(change.now)}: while there are users, core can't start with other accounts, or knows none of them.`,
    "Keep it, or delete all users but the administrator in the web UI first.",
  );
}

/** An upgrade step by step: a release migrates from the two minors before it. Nothing unlocks more. */
function upgradeProblems(from: string, to: string): Problem[] {
  const path = upgradePath(from, to);
  if (path.length < 2) return [];
  return [
    error(
      "upgrade-path",
      "version",
      `goes from ${from} to ${to} at once, but a release migrates from the two minors before it.`,
      `Take ${[from, ...path].join(" → ")}, an \`up\` for each, with the last patch of every minor between.`,
    ),
  ];
}

/**
 * A project is a cache from its first day or never, and its registry keeps its kind; URL and user may change. (goharbor/harbor
 * src/server/v2.0/handler, project.go UpdateProject and registry.go UpdateRegistry)
 */
function proxyCacheProblems(before: HubArgs, now: HubArgs): Problem[] {
  return (now.projects ?? []).flatMap(({ name, proxyCache }, index) => {
    const earlier = before.projects?.find((project) => project.name === name);
    if (!earlier || earlier.proxyCache?.kind === proxyCache?.kind) return [];
    const what = (cache: typeof proxyCache) =>
      cache ? `a cache of the kind ${cache.kind}` : "a project of its own images";
    return [
      error(
        "proxy-cache-changes",
        `projects[${index}].proxyCache`,
        `makes ${name} ${what(proxyCache)} instead of ${what(earlier.proxyCache)}, which no project can become.`,
        "Take a project of another name; the old one stays until it is deleted in the web UI.",
      ),
    ];
  });
}
