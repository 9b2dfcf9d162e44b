// Written by `npm run generate` from the files in alerts/: add one there.
import { drillOld } from "./alerts/drill-old.ts";

/** What users of the component are told. */
export const alerts = [
  drillOld,
];
