import { judged, type Rule, rulesOn, valueBelow, wholeParts, within } from "../core/arguments.ts";
import type { LimitsArgs } from "../core/limits-args.ts";
import { error, type Problem, shown } from "../core/problems.ts";
import { exceeds } from "../core/quantities.ts";
import { endpointUrl } from "../core/value-rules.ts";
import type { SuiteLoad } from "../limits/limit.ts";
import { hasManyWriters, isEndpointOf, locations, storageClasses } from "../limits/sets.ts";
import { limits } from "../limits/table.ts";
import { leastSize, profileProblems, webSizing } from "../limits/value-rules.ts";
import { lackingVersion } from "./apps/app-rules.ts";
import { managedApps } from "./apps/other-apps.ts";
import { pushProxyProblems } from "./apps/push.ts";
import { servedApps, suiteApps } from "./apps/registry.ts";
import type { CloudSuiteArgs, CloudSuiteS3Args } from "./args.ts";
import { cloudSuite, cloudSuiteReplicas, cloudSuiteResources, cloudSuiteS3, cloudSuiteStorage } from "./schema.ts";

type Suite<K extends keyof CloudSuiteArgs> = Pick<CloudSuiteArgs, K>;

const rule = rulesOn(cloudSuite);

/** Rules between several values of a suite. They work on its arguments and on its config.yaml, whose paths are the same. */
export function suiteRules(load: SuiteLoad): Rule[] {
  return [
    within("s3", rulesOn(cloudSuiteS3)(["endpoint", "region"], location)),
    within("s3", rulesOn(cloudSuiteS3)(["buckets"], ownBuckets)),
    rule(["replicas", "storage"], singleWriter),
    rule(["php", "resources"], requestMemory),
    within(
      "replicas",
      rulesOn(cloudSuiteReplicas)(["db"], ({ db }, widening) =>
        profileProblems(limits.databaseInstances, "db", db, { profile: load.profile, limits: widening }),
      ),
    ),
    ...suiteApps.flatMap(({ rules = [] }) => rules),
    within(
      "resources",
      rulesOn(cloudSuiteResources)(["cloudsuite"], ({ cloudsuite }) => webSizing(cloudsuite, load)),
    ),
    within(
      "storage",
      rulesOn(cloudSuiteStorage)(["dbSize"], ({ dbSize }) => leastSize(limits.databaseSize, load)("dbSize", dbSize)),
    ),
  ];
}

/** Everything wrong with the arguments of a suite. */
export function cloudSuiteProblems(values: unknown, widening?: LimitsArgs): Problem[] {
  const profile = wholeParts(cloudSuite, values, ["platform"])?.platform.profile;
  return judged(cloudSuite, [
    ...suiteRules({ profile }),
    // A stack says these of its settings, in which they stand.
    rule(["apps", "signOn", "push"], managedApps),
    rule(["push", "platform"], ({ push, platform }) => pushProxyProblems("push", push, platform)),
    (suite) =>
      servedApps.flatMap((app) => (valueBelow(suite, app.key) === undefined ? [] : lackingVersion(app, suite))),
  ])(values, widening);
}

function location(
  { endpoint, region }: Pick<CloudSuiteS3Args, "endpoint" | "region">,
  widening: LimitsArgs | undefined,
): Problem[] {
  const host = URL.parse(endpoint)?.hostname ?? "";
  if (endpointUrl("", endpoint).length > 0) return [];
  const isAdded = isEndpointOf(region, host, widening);
  if (isAdded === false) return [elsewhere(region, widening)];
  if (isAdded || host.split(".").includes(region)) return [];
  const other = locations.find((code) => host.split(".").includes(code));
  return [
    error(
      "region-location",
      "region",
      `The region is ${region}, but the endpoint ${shown(host)} ${other ? `is in ${other}` : `does not name that location`}.`,
      other
        ? `Write region ${other}, or the endpoint of ${region}.`
        : `Use the endpoint of ${region}, for example https://${region}.your-objectstorage.com.`,
    ),
  ];
}

function elsewhere(region: string, widening: LimitsArgs | undefined): Problem {
  const { endpoint = "" } = widening?.regions?.find(({ name }) => name === region) ?? {};
  return error(
    "region-location",
    "region",
    `The endpoint does not belong to region ${region}.`,
    `Use https://${endpoint}, the endpoint in \`platform.limits\`.`,
  );
}

function ownBuckets({ buckets: { data, backups } }: Pick<CloudSuiteS3Args, "buckets">): Problem[] {
  if (data !== backups) return [];
  return [
    error(
      "bucket-shared",
      "buckets.backups",
      `${shown(backups)} is also the data bucket.`,
      "Backups need a separate bucket, so that emptying one bucket does not empty the other.",
    ),
  ];
}

function requestMemory({ php, resources }: Suite<"php" | "resources">): Problem[] {
  const { memory } = resources.cloudsuite.limits;
  if (php?.memory === undefined || !exceeds(php.memory, memory)) return [];
  return [
    error(
      "php-memory",
      "resources.cloudsuite.limits.memory",
      `The limit of a web pod is ${memory}, but one request may take ${php.memory} (php.memory): the pod would be killed.`,
      "Raise it, or lower `php.memory`.",
    ),
  ];
}

function singleWriter(
  { replicas, storage: { storageClass } }: Suite<"replicas" | "storage">,
  widening: LimitsArgs | undefined,
): Problem[] {
  const found = replicas.cloudsuite;
  if (found === 1 || hasManyWriters(storageClass, widening) !== false) return [];
  return [
    error(
      "replicas-storage",
      "replicas.cloudsuite",
      `${found} web pods can't share a ${storageClass} volume, which allows only one writer.`,
      `Write 1, or set storage.storageClass to ${storageClasses.smb} before the first deployment.`,
    ),
  ];
}
