// Written by `npm run generate` from the files in alerts/: add one there.
import { copyOld } from "./alerts/copy-old.ts";
import { copyUnknown } from "./alerts/copy-unknown.ts";

/** What users of the component are told. */
export const alerts = [
  copyOld,
  copyUnknown,
];
