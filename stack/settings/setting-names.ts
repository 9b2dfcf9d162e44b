import type { Problem } from "@hearth-platform/hearth/core/problems";

/** Pulumi's prefix of the program's own settings: its name in Pulumi.yaml. */
export const settingsPrefix = "hearth:";

/** A component's message with the names of settings: what all components share stands in a stack under the same name. */
export function inSettings(message: string): string {
  return message.replaceAll("`platform.", `\`${settingsPrefix}`);
}

/** A component's problem with the names of settings. */
export function problemInSettings<Found extends Problem>(problem: Found): Found {
  return { ...problem, message: inSettings(problem.message), remedy: inSettings(problem.remedy) };
}
