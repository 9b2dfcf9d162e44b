import { suiteNames } from "../components/cloudsuite/suite-names.ts";
import { error, type Fault, oneOf, shown } from "../components/faults.ts";
import { forgeNames } from "../components/forge/forge-names.ts";
import { hubNames } from "../components/hub/hub-names.ts";
import { keystoreClaim } from "../components/keystore/plan.ts";
import type { Known } from "../components/known.ts";
import { dataName } from "../components/plan.ts";
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
export function dataLossFaults(settings: Known<StackSettings>, suites: readonly (string | undefined)[]): Fault[] {
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
