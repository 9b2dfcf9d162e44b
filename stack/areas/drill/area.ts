import { names } from "@hearth-platform/hearth/catalogue/names";
import { suiteObjectStoreConnection } from "@hearth-platform/hearth/cloudsuite/stores";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { block, optional, without } from "@hearth-platform/hearth/core/schema";
import { DrillApplication, type DrillArgs, type DrillCheckArgs } from "@hearth-platform/hearth/drill/args";
import { drillComponent } from "@hearth-platform/hearth/drill/component";
import { drillNames, drillSuffix } from "@hearth-platform/hearth/drill/drill-names";
import { drill as drillArgs } from "@hearth-platform/hearth/drill/schema";
import { hubBucket } from "@hearth-platform/hearth/hub/buckets";
import { databasesIn } from "@hearth-platform/hearth/stores/database/component";
import { sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import type { Stack } from "../../stack-settings.ts";
import { type Area, type AreaPart, ofSettings } from "../area.ts";
import type { Shared } from "../shared.ts";
import { storesArea } from "../stores/area.ts";
import { suitesArea } from "../suites/area.ts";

const settings = {
  drill: optional(
    block(
      "Drill",
      "A regular proof that each database comes back from its backups: it is recovered beside the running one, checked and removed.",
      without(drillArgs, "namespace", "database", "objectStore", "checks", "networkPolicies", "platform"),
    ),
    "none: nothing shows that the backups can be used",
  ),
};

/** The drills: one a database that hearth makes, so that forge and hub have one together. */
export const drillArea: Area<typeof settings, "Drill"> = {
  settings,
  component: drillComponent,
  after: ["stores", "forge", "hub", "suites"],
  parts: (stack, shared) =>
    stack.settings.drill ? [...sharedDrill(stack, shared), ...suiteDrills(stack, shared)] : [],
  rules: [
    ofSettings(["drill", "forge", "hub", "cloudsuites"], ({ drill, forge, hub, cloudsuites = [] }) =>
      !drill || forge || hub || cloudsuites.some(({ database }) => !database) ? [] : [nothingToRecover],
    ),
    ofSettings(["drill", "database", "cloudsuites"], ({ drill, database, cloudsuites = [] }) =>
      drill
        ? [
            ...suffixProblems("database.recover", database?.recover),
            ...cloudsuites.flatMap(({ recover }, index) => suffixProblems(`cloudsuites[${index}].recover`, recover)),
          ]
        : [],
    ),
  ],
  workloads: () => [drillNames(sharedNames.database).drill, drillNames(names.cloudsuite.database).drill],
};

const nothingToRecover = error(
  "nothing-to-recover",
  "drill",
  "The stack has no database that hearth makes and backs up.",
  "Remove it, or add a forge, a hub or a suite with a database of its own.",
);

/** A recovered database that is called as the drill's would be. */
function suffixProblems(path: string, recover: { readonly suffix?: string } | undefined): Problem[] {
  if (recover?.suffix !== drillSuffix) return [];
  return [
    error(
      "drill-name",
      `${path}.suffix`,
      `The recovered database would have the name that a drill gives to its own, and removes.`,
      "Remove `hearth:drill`, or recover the database once more under another suffix.",
    ),
  ];
}

function sharedDrill({ settings }: Stack, shared: Shared): AreaPart<DrillArgs>[] {
  const { stores, platform } = shared;
  const { bucketSuffix = "" } = settings.objectStorage ?? {};
  if (!stores) return [];
  const { namespace } = stores.args;
  const checks: DrillCheckArgs[] = [
    ...(settings.forge ? [{ application: DrillApplication.forge }] : []),
    ...(settings.hub ? [{ application: DrillApplication.hub, bucket: hubBucket(bucketSuffix, namespace) }] : []),
  ];
  return databasesIn(storesArea.component, stores.args).map((database) => ({
    name: "platform-drill",
    args: {
      ...settings.drill,
      namespace,
      database,
      objectStore: stores.connections.objectStore,
      checks,
      networkPolicies: settings.forge?.networkPolicies ?? settings.hub?.networkPolicies,
      platform,
    },
  }));
}

function suiteDrills(stack: Stack, shared: Shared): AreaPart<DrillArgs>[] {
  return suitesArea.parts(stack, shared).flatMap(({ name, args }) =>
    databasesIn(suitesArea.component, args).map((database) => ({
      name: `${name}-drill`,
      args: {
        ...stack.settings.drill,
        namespace: args.namespace,
        database,
        objectStore: suiteObjectStoreConnection(args),
        checks: [{ application: DrillApplication.cloudsuite, bucket: args.s3.buckets.data }],
        platform: shared.platform,
      },
    })),
  );
}
