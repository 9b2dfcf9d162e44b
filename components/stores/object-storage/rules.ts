import { judged, rulesOn } from "../../core/arguments.ts";
import type { Recorded } from "../../core/data-safety/recorded.ts";
import { refuseChange } from "../../core/data-safety/refusals.ts";
import { error, type Problem, shown } from "../../core/problems.ts";
import { type BucketArgs, BucketProvisioner, type ObjectStorageArgs, type ObjectStoreProvider } from "./args.ts";
import { abilitiesOf, endpointOf, providerOf } from "./profiles.ts";
import { objectStorage } from "./schema.ts";

const rule = rulesOn(objectStorage);

/** Everything wrong with an object storage's arguments. */
export const objectStorageProblems = judged(objectStorage, [
  rule(["endpoint", "region", "settings"], ({ endpoint, region, settings }) =>
    providerProblems("endpoint", { endpoint, region, provider: settings?.provider }),
  ),
  rule(["endpoint", "region", "settings"], (args) => abilities(args, args.settings ?? {}, "settings")),
  rule(["endpoint", "region", "settings", "buckets"], (args) =>
    args.buckets.flatMap((bucket, index) => abilities(args, bucket, `buckets[${index}]`)),
  ),
]);

/** Changes that would leave objects behind: another endpoint, or a bucket that is gone. */
export function objectStorageChanges(before: Recorded<ObjectStorageArgs>, now: Recorded<ObjectStorageArgs>): Problem[] {
  const allowed = now.platform.allowDataLoss;
  const object = before.buckets.map(({ name }) => name);
  const kept = new Set(now.buckets.map(({ name }) => name));
  return [
    ...refuseChange({ path: "endpoint", object, before: before.endpoint, now: now.endpoint }, allowed),
    ...refuseChange({ path: "region", object, before: before.region, now: now.region }, allowed),
    ...before.buckets.flatMap(({ name }, index) =>
      refuseChange(
        { path: `buckets[${index}].name`, object: name, before: name, now: kept.has(name) ? name : undefined },
        allowed,
      ),
    ),
  ];
}

/** An endpoint that names its region names the one the store signs with. */
export function regionProblems(path: string, endpoint: string | undefined, region: string | undefined): Problem[] {
  const host = URL.parse(endpoint ?? "")?.hostname;
  const named = host && /^([a-z]{3}\d)\.your-objectstorage\.com$/.exec(host)?.[1];
  if (!named || region === undefined || named === region) return [];
  return [
    error(
      "region-location",
      path,
      `The region is ${region}, but the buckets' endpoint ${shown(host)} is in ${named}.`,
      `Write region ${named}, or the endpoint of ${region}.`,
    ),
  ];
}

/** A provider that has an endpoint of its own for each region is at no other one. */
export function providerProblems(
  path: string,
  { endpoint, region, provider }: { endpoint?: string; region?: string; provider?: ObjectStoreProvider },
): Problem[] {
  if (endpoint === undefined || region === undefined || provider === undefined) return [];
  const expected = endpointOf(provider, region);
  if (expected === undefined || expected === endpoint) return [];
  return [
    error(
      "region-location",
      path,
      `${shown(endpoint)} is not the endpoint of ${provider} in region ${region}.`,
      `Write ${expected}, or provider generic.`,
    ),
  ];
}

/** What the provider can't do, asked for by a bucket or by the settings of all. */
function abilities(
  { endpoint, region, settings = {} }: Pick<ObjectStorageArgs, "endpoint" | "region" | "settings">,
  { versioning, expireVersionsAfterDays }: Pick<BucketArgs, "versioning" | "expireVersionsAfterDays">,
  path: string,
): Problem[] {
  const byCluster = settings.provisioner === BucketProvisioner.cluster;
  const maker = byCluster ? "provisioner cluster" : `provider ${providerOf(endpoint, region, settings)}`;
  const unable = (key: string, what: string) =>
    error("bucket-ability", `${path}.${key}`, `${what} can't be set with ${maker}.`, "Leave it out.");
  const able = abilitiesOf(endpoint, region, settings);
  const kept = versioning ?? settings.versioning ?? able.lifecycle;
  return [
    ...(versioning && !able.versioning ? [unable("versioning", "Versioning")] : []),
    ...(expireVersionsAfterDays !== undefined && !able.lifecycle
      ? [unable("expireVersionsAfterDays", "The expiry of versions")]
      : []),
    ...(expireVersionsAfterDays !== undefined && able.lifecycle && !kept
      ? [
          error(
            "bucket-expiry",
            `${path}.expireVersionsAfterDays`,
            "A bucket without versioning has no former versions.",
            "Set versioning: true.",
          ),
        ]
      : []),
  ];
}
