import { type Rule, valueProblems, withFit } from "@hearth-platform/hearth/core/arguments";
import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import type { Problem } from "@hearth-platform/hearth/core/problems";
import type { z } from "zod";

/** An area of a stack and the component that it becomes. */
export interface Area {
  /** Its key in the settings, used as the place of arguments that have no other. */
  readonly key: string;
  readonly schema: z.ZodObject;
  /** Rules between several of the component's arguments. */
  readonly rules: readonly Rule[];
  /** Starts of the paths of arguments that stand elsewhere in a stack, and what takes their place. */
  readonly places: readonly (readonly [argument: string, place: string])[];
}

/**
 * What is wrong with a component's arguments that is not wrong with a setting by itself, at its place in the stack.
 * @param args as far as the settings say them
 * @param limits what the stack allows beside the specification
 * @param made those that stand in no setting but are made of some
 */
export function argumentProblems(
  { key, schema, rules, places }: Area,
  args: object,
  limits: LimitsArgs | undefined,
  made: object = {},
): Problem[] {
  const placed = (path: string) => {
    const found = places.find(([argument]) => path.startsWith(argument));
    return found ? `${found[1]}${path.slice(found[0].length)}` : `${key}.${path}`;
  };
  return withFit(valueProblems(schema, made, limits), rules, args, limits).map((problem) => ({
    ...problem,
    path: placed(problem.path),
  }));
}
