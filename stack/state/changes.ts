import { recordedBy, refusalText } from "@hearth-platform/hearth/core/data-safety/refusals";
import { errorsOf, type Problem, problemsOfMade } from "@hearth-platform/hearth/core/problems";
import type { StackPart } from "../parts.ts";
import { problemInSettings, settingsPrefix } from "../settings/setting-names.ts";

/** Recorded arguments of components by their names in Pulumi's state. */
export type RecordedComponents = ReadonlyMap<string, object>;

/** What the engine records of the components of a stack. */
export function recordedComponents(parts: readonly StackPart[]): RecordedComponents {
  const all = parts.flatMap((part) => part.all());
  return new Map(all.map(({ name, component, args }) => [name, recordedBy(component, args)]));
}

/** What the change checks of all components say, warnings too; each path begins with the component's name. Components that were not recorded are new. */
export function componentProblems(before: RecordedComponents, parts: readonly StackPart[]): Problem[] {
  return parts
    .flatMap((part) => part.all())
    .flatMap(({ name, component, args }) => {
      const old = before.get(name);
      // Pulumi can be told to record none: the component's hook refuses then, and says what to do.
      if (old && Object.keys(old).length === 0) return [];
      const now = recordedBy(component, args);
      const problems = (old ? component.changes?.(old, now) : component.creation?.(now)) ?? [];
      return problems.map((problem) => ({
        ...inItsBlock(component.name, problemInSettings(problem)),
        path: [name, problem.path].filter(Boolean).join("."),
      }));
    });
}

/** Settings of the components whose remedies name a version to write. */
const blocks: Readonly<Record<string, string>> = { Forge: "forge", Database: "database" };

function inItsBlock(component: string, problem: Problem): Problem {
  const block = blocks[component];
  return block === undefined
    ? problem
    : { ...problem, remedy: problem.remedy.replace("`version: ", `\`${settingsPrefix}${block}.version: `) };
}

/**
 * The refusal of all components in one message, or undefined where none refuses.
 * @param made see `madeNames`; without it everything counts as made
 */
export function changesRefusal(
  before: RecordedComponents,
  parts: readonly StackPart[],
  made?: ReadonlySet<string>,
): string | undefined {
  const problems = componentProblems(before, parts);
  const errors = errorsOf(made ? problemsOfMade(problems, made) : problems);
  if (errors.length === 0) return undefined;
  return refusalText("Nothing was changed. These changes are refused:", errors);
}
