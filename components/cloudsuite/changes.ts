import { names } from "../catalogue/names.ts";
import { valueBelow } from "../core/arguments.ts";
import type { Recorded } from "../core/data-safety/recorded.ts";
import { type Change, refusal, refuseChange, refuseDowngrade } from "../core/data-safety/refusals.ts";
import { dataName } from "../core/plan.ts";
import { error, onlyIfMade, type Problem } from "../core/problems.ts";
import { resolve } from "../core/resolve.ts";
import { parseVersion } from "../core/versions.ts";
import { volumeChanges } from "../limits/volume-changes.ts";
import type { DatabaseConnection } from "../stores/connections-args.ts";
import { suiteApps } from "./apps/registry.ts";
import { cloudSuiteSignOn } from "./apps/sign-on.ts";
import type { CloudSuiteArgs } from "./args.ts";
import { cloudSuiteStorage } from "./schema.ts";
import { suiteNames } from "./suite-names.ts";

/**
 * Changes of a running suite that would lose its data or end in a suite that can't start. The domain may change;
 * sizes and versions of the database and the keystore are judged by those components.
 */
export function cloudSuiteChanges(before: Recorded<CloudSuiteArgs>, now: Recorded<CloudSuiteArgs>): Problem[] {
  const allowed = now.platform.allowDataLoss;
  const web = `Deployment ${dataName(names.cloudsuite.web, before.namespace)}`;
  const change = (
    path: string,
    object: string,
    pick: (args: Recorded<CloudSuiteArgs>) => string | undefined,
  ): Change => ({
    path,
    object,
    before: pick(before),
    now: pick(now),
    // Buckets and a database that existed before have data once the suite ran.
    heldBy: [object, web],
  });
  const { data, backups } = before.s3.buckets;
  const volume = dataName(suiteNames.volume, before.namespace);
  return [
    change("namespace", before.namespace, (args) => args.namespace),
    change("s3.endpoint", data, (args) => args.s3.endpoint),
    change("s3.buckets.data", data, (args) => args.s3.buckets.data),
    change("s3.buckets.backups", backups, (args) => args.s3.buckets.backups),
    change("database", dataName(suiteNames.database, before.namespace), (args) => place(args.database)),
  ]
    .flatMap((found) => refuseChange(found, allowed))
    .concat(
      volumeChanges(
        change("storage.webSize", volume, webSize),
        change("storage.storageClass", volume, (args) => args.storage.storageClass),
        now.platform,
      ),
      refuseDowngrade(
        { ...change("versions.cloudsuite", volume, (args) => args.versions.cloudsuite), heldBy: [web] },
        allowed,
      ),
      signOnChanges(before, now),
      onlyIfMade([web], leftOn(before, now)),
      onlyIfMade([web], skippedMajor(before.versions.cloudsuite, now.versions.cloudsuite)),
    );
}

/** An existing database as a text to compare; none for the suite's own. */
function place(connection: DatabaseConnection | undefined): string | undefined {
  return connection && `${connection.host}:${connection.port}/${connection.database}`;
}

function webSize({ storage }: Recorded<CloudSuiteArgs>): string {
  return resolve(cloudSuiteStorage.shape.webSize, storage.webSize);
}

/** Accounts are named after the provider and what it calls their users. Sign-on may come and go. */
function signOnChanges(before: Recorded<CloudSuiteArgs>, now: Recorded<CloudSuiteArgs>): Problem[] {
  const volume = dataName(suiteNames.volume, before.namespace);
  const web = `Deployment ${dataName(names.cloudsuite.web, before.namespace)}`;
  const [from, to] = [before.signOn, now.signOn];
  if (!from || !to) return [];
  const named = ({ identifier, userClaim }: typeof from) => ({
    identifier: resolve(cloudSuiteSignOn.shape.identifier, identifier),
    userClaim: resolve(cloudSuiteSignOn.shape.userClaim, userClaim),
  });
  // A forge may have another domain, and knows its users as before.
  const provider = ({ application, issuer }: typeof from) =>
    application ? `the forge in ${application.namespace}` : issuer;
  return Object.entries({
    identifier: [named(from).identifier, named(to).identifier],
    userClaim: [named(from).userClaim, named(to).userClaim],
    issuer: [provider(from), provider(to)],
  } as const).flatMap(([key, [earlier, later]]) => {
    if (earlier === later) return [];
    return refusal(
      "sign-on-changes",
      { path: `signOn.${key}`, object: volume, before: earlier, now: later, heldBy: [web] },
      now.platform.allowDataLoss,
      `goes from ${earlier} to ${later}: people would get new, empty accounts, or the account of somebody else.`,
      "Keep it.",
    );
  });
}

/** The image upgrades its data by one major at most; nothing unlocks more. */
function skippedMajor(before: string, now: string): Problem[] {
  const [from] = parseVersion(before) ?? [];
  const [to] = parseVersion(now) ?? [];
  if (from === undefined || to === undefined || to <= from + 1) return [];
  return [
    error(
      "version-skips-major",
      "versions.cloudsuite",
      `goes from ${before} to ${now}, but the data can only be upgraded one major at a time.`,
      `Upgrade to the latest ${from + 1} first, and to ${to} once that runs.`,
    ),
  ];
}

/** An app that is taken out of the settings while it is on: the configuration Job turns off only what they name. */
function leftOn(before: Recorded<CloudSuiteArgs>, now: Recorded<CloudSuiteArgs>): Problem[] {
  return suiteApps.flatMap(({ key, title, switch: variable }) =>
    variable !== undefined && valueBelow(valueBelow(before, key), "enabled") === true && !valueBelow(now, key)
      ? [
          error(
            "app-left-on",
            key,
            `goes away while it is on: Nextcloud would still use ${title}, which is no more.`,
            "Write `enabled: false`, deploy, and remove it then.",
          ),
        ]
      : [],
  );
}
