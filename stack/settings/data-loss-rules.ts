import { type Rule, rulesOn } from "@hearth-platform/hearth/core/arguments";
import { dataName } from "@hearth-platform/hearth/core/plan";
import { alternatives, error, type Problem, shown } from "@hearth-platform/hearth/core/problems";
import { suggest } from "@hearth-platform/hearth/core/suggest";
import { sharedNamespace } from "@hearth-platform/hearth/stores/shared/names";
import type { Area } from "../areas/area.ts";
import { areas } from "../areas/index.ts";
import { StackSettings } from "./stack-schema.ts";

const { suites: ofSuites, ...others } = areas;
const suiteData = ofSuites.data ?? [];
const sharedData = Object.values(others as Readonly<Record<string, Area>>).flatMap(({ data = [] }) => data);

/**
 * Names in `allowDataLoss` that lack their namespace. They would unlock nothing, since several suites have objects of the same names.
 * @param suites the namespaces of the stack's suites
 */
export function dataLossRule(suites: readonly (string | undefined)[]): Rule {
  return rulesOn(StackSettings)(["forge", "hub", "namespace", "allowDataLoss"], (settings) =>
    dataLossProblems(settings, suites),
  );
}

function dataLossProblems(
  settings: Pick<StackSettings, "forge" | "hub" | "namespace" | "allowDataLoss">,
  suites: readonly (string | undefined)[],
): Problem[] {
  const { forge, hub, namespace = sharedNamespace } = settings;
  const holders = [
    ...(forge || hub ? sharedData.map((name) => ({ name, namespace })) : []),
    ...suites.flatMap((suite) => (suite === undefined ? [] : suiteData.map((name) => ({ name, namespace: suite })))),
  ];
  return (settings.allowDataLoss ?? []).flatMap((entry, index) => {
    if (entry === namespace || suites.includes(entry)) return [];
    const { namespace: place, name } = parted(entry);
    if (place !== undefined)
      return unknownName(
        index,
        entry,
        name,
        holders.filter((holder) => holder.namespace === place),
      );
    const names = holders.filter(({ name }) => name === entry).map((holder) => dataName(entry, holder.namespace));
    if (names.length === 0) return [];
    return [
      error(
        "data-loss-name",
        `allowDataLoss[${index}]`,
        `${shown(entry)} has no namespace: objects in a namespace are named with it.`,
        `Write ${alternatives(names)}.`,
      ),
    ];
  });
}

function parted(entry: string): { readonly namespace?: string; readonly name: string } {
  const [name = "", namespace] = entry.split("/").reverse();
  return { namespace, name };
}

/** A name that is none of the namespace's data; after a recovery clusters have a suffix. Namespaces that are gone can't be judged. */
function unknownName(
  index: number,
  entry: string,
  name: string,
  holders: readonly { readonly name: string }[],
): Problem[] {
  const known = holders.some((holder) => name === holder.name || name.startsWith(`${holder.name}-`));
  if (holders.length === 0 || known) return [];
  const all = [...new Set(holders.map((holder) => holder.name))];
  const likely = suggest(name, all);
  return [
    error(
      "data-loss-name",
      `allowDataLoss[${index}]`,
      `No object that holds data is called ${shown(entry)}.`,
      likely ? `Did you mean ${entry.slice(0, -name.length)}${likely}?` : `The namespace has ${alternatives(all)}.`,
    ),
  ];
}
