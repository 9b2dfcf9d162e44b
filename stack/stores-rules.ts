import { limits } from "@hearth-platform/hearth/catalogue/limits";
import type { Known } from "@hearth-platform/hearth/core/known";
import type { Problem } from "@hearth-platform/hearth/core/problems";
import { resourceProblems } from "@hearth-platform/hearth/kubernetes/resource-rules";
import { recoveryProblems } from "@hearth-platform/hearth/stores/database/recovery";
import { inPlaceProblems, instanceProblems } from "@hearth-platform/hearth/stores/database/rules";
import { providerProblems, regionProblems } from "@hearth-platform/hearth/stores/object-storage/rules";
import { sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import type { StackSettings } from "./stack-schema.ts";

/** What does not fit together in the settings of the database, the keystore and the buckets that forge and hub share. */
export function storesSettingsProblems({
  database,
  keystore,
  objectStorage,
  profile,
}: Known<StackSettings>): Problem[] {
  const { endpoint, region } = objectStorage ?? {};
  return [
    ...instanceProblems("database.instances", database?.instances, profile),
    ...(database?.resources
      ? resourceProblems("database.resources", database.resources, limits.databaseResources)
      : []),
    ...recoveryProblems("database.recover", database?.recover),
    ...inPlaceProblems("database.recover", sharedNames.database, database?.recover),
    ...(keystore?.resources
      ? resourceProblems("keystore.resources", keystore.resources, limits.keystoreResources)
      : []),
    ...providerProblems("objectStorage.endpoint", objectStorage ?? {}),
    ...regionProblems("objectStorage.region", endpoint, region),
  ];
}
