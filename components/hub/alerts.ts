// Written by `npm run generate` from the files in alerts/: add one there.
import { hubCoreDown } from "./alerts/hub-core-down.ts";
import { hubErrors } from "./alerts/hub-errors.ts";
import { hubJobserviceDown } from "./alerts/hub-jobservice-down.ts";
import { hubKeyBackupOld } from "./alerts/hub-key-backup-old.ts";
import { hubKeyBackupUnknown } from "./alerts/hub-key-backup-unknown.ts";
import { hubPortalDown } from "./alerts/hub-portal-down.ts";
import { hubRegistryDown } from "./alerts/hub-registry-down.ts";
import { hubRegistryErrors } from "./alerts/hub-registry-errors.ts";
import { hubSignInDown } from "./alerts/hub-sign-in-down.ts";
import { hubSignInFails } from "./alerts/hub-sign-in-fails.ts";
import { hubTasksFail } from "./alerts/hub-tasks-fail.ts";

/** What users of the component are told. */
export const alerts = [
  hubCoreDown,
  hubErrors,
  hubJobserviceDown,
  hubKeyBackupOld,
  hubKeyBackupUnknown,
  hubPortalDown,
  hubRegistryDown,
  hubRegistryErrors,
  hubSignInDown,
  hubSignInFails,
  hubTasksFail,
];
