// Written by `npm run generate` from the files in alerts/: add one there.
import { officeDown } from "./alerts/office-down.ts";
import { previewsDown } from "./alerts/previews-down.ts";
import { pushDown } from "./alerts/push-down.ts";
import { suiteBlockedUsersOld } from "./alerts/suite-blocked-users-old.ts";
import { suiteConfigBackupOld } from "./alerts/suite-config-backup-old.ts";
import { suiteCronOld } from "./alerts/suite-cron-old.ts";
import { suiteDown } from "./alerts/suite-down.ts";
import { suiteUnknown } from "./alerts/suite-unknown.ts";
import { whiteboardDown } from "./alerts/whiteboard-down.ts";

/** What users of the component are told. */
export const alerts = [
  officeDown,
  previewsDown,
  pushDown,
  suiteBlockedUsersOld,
  suiteConfigBackupOld,
  suiteCronOld,
  suiteDown,
  suiteUnknown,
  whiteboardDown,
];
