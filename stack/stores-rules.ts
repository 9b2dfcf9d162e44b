import { rulesOn } from "@hearth-platform/hearth/core/arguments";
import { inPlaceProblems, instanceProblems } from "@hearth-platform/hearth/stores/database/rules";
import { providerProblems, regionProblems } from "@hearth-platform/hearth/stores/object-storage/rules";
import { sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import { StackSettings } from "./stack-schema.ts";

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
];
