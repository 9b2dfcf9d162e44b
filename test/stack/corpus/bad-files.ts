import type { CheckedConfig } from "@hearth-platform/stack/areas/suites/config-file";
import { check } from "../suite-file.ts";
import { type BadFile, type Kinds, located } from "./bad-file.ts";
import { structure } from "./structure.ts";
import { fieldValues } from "./values.ts";
import { yaml } from "./yaml.ts";

/** Every bad file by its kind. */
export const badFiles: Kinds = Object.fromEntries(
  Object.entries({ ...yaml, ...structure, ...fieldValues }).map(([kind, files]) => [kind, files.map(located)]),
);

/** All of them. */
export const allBadFiles: readonly BadFile[] = Object.values(badFiles).flat();

/** What the check makes of each; a test file that looks at all of them more than once asks once. */
export function checkedBadFiles(): { name: string; checked: CheckedConfig }[] {
  return allBadFiles.map(({ name, content, context }) => ({ name, checked: check(content, context) }));
}
