import type { Limit } from "@hearth-platform/hearth/limits/limit";
import { limits } from "@hearth-platform/hearth/limits/table";
import { EnforcementLevel, type Pack, type ResourcePolicy } from "../core/policy.ts";
import { officeDomain, s3Location, versionOrder } from "./config-rules.ts";
import { majorPolicy } from "./databases.ts";
import { countPolicy } from "./replicas.ts";
import { requestsAndLimits, resourcesPolicy } from "./resources.ts";
import { intervalPolicy } from "./static-sites.ts";
import { keystoreDatabase, poolerOnly } from "./stores.ts";
import { sizePolicy, storageMode, volumeClass, volumeWriters } from "./volumes.ts";
import { noWidening } from "./widening.ts";

/** A row as a policy; of a set of names the policies are written out, since more than the name is judged. */
function policiesOf(limit: Limit): ResourcePolicy[] {
  switch (limit.measure) {
    case "pods":
      // In development the number is another one, and that is held to.
      return [{ ...countPolicy(limit), level: EnforcementLevel.mandatory }];
    case "instances":
      return [countPolicy(limit)];
    case "major":
      return [majorPolicy(limit)];
    case "size":
      return [sizePolicy(limit)];
    case "resources":
      return [resourcesPolicy(limit)];
    case "interval":
      return [intervalPolicy(limit)];
    default:
      return [];
  }
}

/** Rows of the table "Limits", in its order, and the rules of config.yaml that a resource can break. */
export const limitsPack: Pack = {
  name: "platform-limits",
  description: "The limits of the platform, in component arguments and in the objects made from them.",
  policies: [
    ...Object.values<Limit>(limits).flatMap(policiesOf),
    volumeClass,
    storageMode,
    volumeWriters,
    requestsAndLimits,
    s3Location,
    officeDomain,
    versionOrder,
    poolerOnly,
    keystoreDatabase,
    noWidening,
  ],
};
