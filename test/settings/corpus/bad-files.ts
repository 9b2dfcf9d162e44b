import type { BadFile, Kinds } from "./bad-file.ts";
import { structure } from "./structure.ts";
import { fieldValues } from "./values.ts";
import { yaml } from "./yaml.ts";

/** Every bad file by its kind. */
export const badFiles: Kinds = { ...yaml, ...structure, ...fieldValues };

/** All of them. */
export const allBadFiles: readonly BadFile[] = Object.values(badFiles).flat();
