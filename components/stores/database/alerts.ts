// Written by `npm run generate` from the files in alerts/: add one there.
import { databaseArchivingFails } from "./alerts/database-archiving-fails.ts";
import { databaseBackupFailed } from "./alerts/database-backup-failed.ts";
import { databaseBackupOld } from "./alerts/database-backup-old.ts";
import { databaseBackupUnknown } from "./alerts/database-backup-unknown.ts";
import { databaseConnectionsNearLimit } from "./alerts/database-connections-near-limit.ts";
import { databaseDeadlocks } from "./alerts/database-deadlocks.ts";
import { databaseDown } from "./alerts/database-down.ts";
import { databaseExporterFails } from "./alerts/database-exporter-fails.ts";
import { databaseFenced } from "./alerts/database-fenced.ts";
import { databaseIdleTransaction } from "./alerts/database-idle-transaction.ts";
import { databaseInstanceGone } from "./alerts/database-instance-gone.ts";
import { databaseNeverBackedUp } from "./alerts/database-never-backed-up.ts";
import { databaseNoPrimary } from "./alerts/database-no-primary.ts";
import { databaseNotStreaming } from "./alerts/database-not-streaming.ts";
import { databaseReplicaBehind } from "./alerts/database-replica-behind.ts";
import { databaseSlotHoldsWal } from "./alerts/database-slot-holds-wal.ts";
import { databaseUnsynchronised } from "./alerts/database-unsynchronised.ts";
import { databaseWalPilesUp } from "./alerts/database-wal-piles-up.ts";
import { databaseWraparoundNear } from "./alerts/database-wraparound-near.ts";
import { poolerClientsWait } from "./alerts/pooler-clients-wait.ts";
import { poolerDown } from "./alerts/pooler-down.ts";

/** What users of the component are told. */
export const alerts = [
  databaseArchivingFails,
  databaseBackupFailed,
  databaseBackupOld,
  databaseBackupUnknown,
  databaseConnectionsNearLimit,
  databaseDeadlocks,
  databaseDown,
  databaseExporterFails,
  databaseFenced,
  databaseIdleTransaction,
  databaseInstanceGone,
  databaseNeverBackedUp,
  databaseNoPrimary,
  databaseNotStreaming,
  databaseReplicaBehind,
  databaseSlotHoldsWal,
  databaseUnsynchronised,
  databaseWalPilesUp,
  databaseWraparoundNear,
  poolerClientsWait,
  poolerDown,
];
