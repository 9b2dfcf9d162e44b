// Written by `npm run generate` from the files in alerts/: add one there.
import { backupOld } from "./alerts/backup-old.ts";

/** What users of the component are told. */
export const alerts = [
  backupOld,
];
