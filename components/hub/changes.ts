import { type Recorded, recorded } from "../core/data-safety/recorded.ts";
import {
  type Change,
  type ChangeChecks,
  refusal,
  refuseChange,
  refuseDowngrade,
} from "../core/data-safety/refusals.ts";
import { dataName } from "../core/plan.ts";
import { error, onlyIfMade, type Problem } from "../core/problems.ts";
import type { HubArgs } from "./args.ts";
import { hubNames } from "./hub-names.ts";
import { hubVersion, recordedVersion, upgradePath } from "./versions.ts";

/** Refusals of a hub's changes. */
export const hubChangeChecks: ChangeChecks<HubArgs> = {
  recorded: (args) => ({ ...recorded(args), version: hubVersion(args) }),
  changes: hubChanges,
};

/** Changes of a running hub that would lose its data or end in a hub that can't start. The domain may change. */
export function hubChanges(before: Recorded<HubArgs>, now: Recorded<HubArgs>): Problem[] {
  const allowed = now.platform.allowDataLoss;
  const core = dataName(hubNames.core, before.namespace);
  const change = (path: string, object: string, pick: (args: Recorded<HubArgs>) => string | undefined): Change => ({
    path,
    object,
    before: pick(before),
    now: pick(now),
    heldBy: [object, core],
  });
  const { encryptionKey } = hubNames;
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
      onlyIfMade([core], upgradeProblems(recordedVersion(before), hubVersion(now))),
      onlyIfMade([core], proxyCacheProblems(before, now)),
    );
}

/** Users are known by their issuer, and core ends at its start when it finds users of another way of sign-on. */
function signOnProblems(change: Change, allowed: readonly string[] | undefined): Problem[] {
  if (change.before === change.now) return [];
  const name = (issuer: string | undefined) => issuer ?? "its own accounts";
  return refusal(
    "sign-on-changes",
    change,
    allowed,
    `goes from ${name(change.before)} to ${name(change.now)}. While the hub has users, core would not start with another sign-on, or would not know the users.`,
    "Keep it: the hub can only change it while it has no user except the administrator.",
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
      `Go ${[from, ...path].join(" → ")}, with an \`up\` for each, and use the last patch of every minor in between.`,
    ),
  ];
}

/**
 * A project is a cache from its first day or never, and its registry keeps its kind; URL and user may change. (goharbor/harbor
 * src/server/v2.0/handler, project.go UpdateProject and registry.go UpdateRegistry)
 */
function proxyCacheProblems(before: Recorded<HubArgs>, now: Recorded<HubArgs>): Problem[] {
  return (now.projects ?? []).flatMap(({ name, proxyCache }, index) => {
    const earlier = before.projects?.find((project) => project.name === name);
    if (!earlier || earlier.proxyCache?.kind === proxyCache?.kind) return [];
    const what = (cache: typeof proxyCache) =>
      cache ? `a cache of the kind ${cache.kind}` : "a project of its own images";
    return [
      error(
        "proxy-cache-changes",
        `projects[${index}].proxyCache`,
        `makes ${name} ${what(proxyCache)} instead of ${what(earlier.proxyCache)}. An existing project can't change this.`,
        "Use a project with another name. The old one stays until you delete it in the web UI.",
      ),
    ];
  });
}
