import { refusal } from "@hearth-platform/hearth/core/data-safety/refusals";
import type { PlannedObject } from "@hearth-platform/hearth/core/plan";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import type { StackPart } from "../../parts.ts";
import { problemInSettings } from "../../settings/setting-names.ts";
import { componentProblems, recordedComponents } from "../../state/changes.ts";
import { dataNameOf } from "./manifests.ts";

/** The record in a rendered folder. Later changes are compared with it, as the engine compares with its state. It has no secrets. */
export interface GitopsRecord {
  readonly stack: string;
  /** Arguments of each component by its name, as the engine records them. */
  readonly arguments: Readonly<Record<string, object>>;
  /** Objects that hold data: their names in `allowDataLoss`, and their kinds. */
  readonly data: Readonly<Record<string, string>>;
}

/** The record of the present stack, for comparison with the next one. */
export function deliveryRecord(
  stack: string,
  parts: readonly StackPart[],
  planned: readonly PlannedObject[],
): GitopsRecord {
  const data = planned.filter(({ holdsData }) => holdsData).map((each) => [dataNameOf(each), each.object.kind]);
  return { stack, arguments: Object.fromEntries(recordedComponents(parts)), data: Object.fromEntries(data) };
}

/**
 * What a change from the recorded stack to this one would lose, as a preview refuses it; each path begins with the component's name.
 * @param before absent where nothing was rendered so far
 */
export function changeProblems(
  before: GitopsRecord | undefined,
  now: GitopsRecord,
  parts: readonly StackPart[],
  allowDataLoss: readonly string[] | undefined,
): Problem[] {
  if (before && before.stack !== now.stack) {
    const message = `The folder holds stack ${before.stack}, and would hold ${now.stack}.`;
    return [error("gitops-folder", "", message, "Name a folder for each stack.")];
  }
  const lost = Object.entries(before?.data ?? {}).filter(([name]) => !Object.hasOwn(now.data, name));
  return [
    ...componentProblems(new Map(Object.entries(before?.arguments ?? {})), parts),
    ...lost.flatMap(([object, kind]) =>
      refusal(
        "data-removed",
        { path: "", object, before: object, now: undefined },
        allowDataLoss,
        `The ${kind} ${object} holds data, and is no longer in the stack.`,
        "Keep the part of the stack that it belongs to.",
      ).map(problemInSettings),
    ),
  ];
}
