// Written by `npm run generate` from the files in alerts/: add one there.
import { forgeBackupOld } from "./alerts/forge-backup-old.ts";
import { forgeBackupUnknown } from "./alerts/forge-backup-unknown.ts";
import { forgeJobsDown } from "./alerts/forge-jobs-down.ts";
import { forgeJobsFail } from "./alerts/forge-jobs-fail.ts";
import { forgeJobsStuck } from "./alerts/forge-jobs-stuck.ts";
import { forgePagesDown } from "./alerts/forge-pages-down.ts";
import { forgeRunnerDown } from "./alerts/forge-runner-down.ts";
import { forgeShellDown } from "./alerts/forge-shell-down.ts";
import { forgeWebDown } from "./alerts/forge-web-down.ts";
import { forgeWebErrors } from "./alerts/forge-web-errors.ts";
import { forgeWebQueue } from "./alerts/forge-web-queue.ts";
import { gitstoreDown } from "./alerts/gitstore-down.ts";
import { gitstoreErrors } from "./alerts/gitstore-errors.ts";
import { gitstoreSpawnTimeouts } from "./alerts/gitstore-spawn-timeouts.ts";

/** What users of the component are told. */
export const alerts = [
  forgeBackupOld,
  forgeBackupUnknown,
  forgeJobsDown,
  forgeJobsFail,
  forgeJobsStuck,
  forgePagesDown,
  forgeRunnerDown,
  forgeShellDown,
  forgeWebDown,
  forgeWebErrors,
  forgeWebQueue,
  gitstoreDown,
  gitstoreErrors,
  gitstoreSpawnTimeouts,
];
