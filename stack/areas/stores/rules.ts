import { rulesOn, valueProblems } from "@hearth-platform/hearth/core/arguments";
import type { Problem } from "@hearth-platform/hearth/core/problems";
import { dnsLabel, ownNamespaceName } from "@hearth-platform/hearth/core/value-rules";
import { forgeBucketArgs } from "@hearth-platform/hearth/forge/store-needs";
import { inPlaceProblems, instanceProblems } from "@hearth-platform/hearth/stores/database/rules";
import { providerProblems, regionProblems } from "@hearth-platform/hearth/stores/object-storage/rules";
import { bucket } from "@hearth-platform/hearth/stores/object-storage/schema";
import { defaultNamespace, sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import { StackSettings } from "../../settings/stack-schema.ts";

const rule = rulesOn(StackSettings);

/** What does not fit together in the settings of the database and the buckets that forge and hub share. */
export const storesSettingsRules = [
  rule(["database", "profile"], ({ database, profile }) =>
    instanceProblems("database.instances", database?.instances, profile),
  ),
  rule(["database"], ({ database }) => inPlaceProblems("database.recover", sharedNames.database, database?.recover)),
  rule(["objectStorage"], ({ objectStorage = {} }) => [
    ...providerProblems("objectStorage.endpoint", objectStorage),
    ...regionProblems("objectStorage.region", objectStorage.endpoint, objectStorage.region),
  ]),
  rule(["forge", "namespace", "objectStorage"], forgeBucketNames),
];

/** Names of buckets are made of suffix and namespace, which may be right by themselves and too long together. */
function forgeBucketNames({
  forge,
  namespace = defaultNamespace,
  objectStorage,
}: Pick<StackSettings, "forge" | "namespace" | "objectStorage">): Problem[] {
  const suffix = objectStorage?.bucketSuffix;
  const wrong = [...dnsLabel("", suffix), ...ownNamespaceName("", namespace)];
  if (!forge || suffix === undefined || wrong.length > 0) return [];
  const path = ["objectStorage", "bucketSuffix"];
  return forgeBucketArgs(suffix, namespace)
    .flatMap(({ name }) => valueProblems(bucket.shape.name, name, undefined, path))
    .slice(0, 1);
}
