import { suiteNames } from "@hearth-platform/hearth/cloudsuite/suite-names";
import type { Known } from "@hearth-platform/hearth/core/known";
import { dataName } from "@hearth-platform/hearth/core/plan";
import { error, oneOf, type Problem, shown } from "@hearth-platform/hearth/core/problems";
import { forgeNames } from "@hearth-platform/hearth/forge/forge-names";
import { hubNames } from "@hearth-platform/hearth/hub/hub-names";
import { keystoreClaim } from "@hearth-platform/hearth/stores/keystore/plan";
import { defaultNamespace } from "./forge-settings.ts";
import type { StackSettings } from "./stack-schema.ts";

const suiteData = [suiteNames.volume, suiteNames.database, suiteNames.administrator, keystoreClaim] as const;
const sharedData = [
  keystoreClaim,
  forgeNames.database,
  forgeNames.repositories,
  forgeNames.railsSecrets,
  forgeNames.administrator,
  hubNames.encryptionKey,
  hubNames.administrator,
] as const;

/**
 * Names in `allowDataLoss` that lack their namespace. They would unlock nothing, since several suites have objects of the same names.
 * @param suites the namespaces of the stack's suites
 */
export function dataLossProblems(settings: Known<StackSettings>, suites: readonly (string | undefined)[]): Problem[] {
  const { forge, hub, namespace = defaultNamespace } = settings;
  const holders = [
    ...(forge || hub ? sharedData.map((name) => ({ name, namespace })) : []),
    ...suites.flatMap((suite) =>
      suite === undefined ? [] : suiteData.map((name) => ({ name: name as string, namespace: suite })),
    ),
  ];
  return (settings.allowDataLoss ?? []).flatMap((entry, index) => {
    if (entry === undefined || entry === namespace || suites.includes(entry)) return [];
    const names = holders.filter(({ name }) => name === entry).map((holder) => dataName(entry, holder.namespace));
    if (names.length === 0) return [];
    return [
      error(
        "data-loss-name",
        `allowDataLoss[${index}]`,
        `${shown(entry)} does not say whose: objects in a namespace are named with it.`,
        `Write ${oneOf(names)}.`,
      ),
    ];
  });
}
