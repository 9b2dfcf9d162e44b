import { suiteNames } from "../../cloudsuite/suite-names.ts";
import { forgeNames } from "../../forge/forge-names.ts";
import { hubNames } from "../../hub/hub-names.ts";
import { chosen, type Dashboard } from "../dashboard.ts";

const nightly = [forgeNames.backup, hubNames.keyBackup, suiteNames.configurationBackup].join("|");

export const backups: Dashboard = {
  name: "backups",
  title: "backups",
  description: "How old each backup is, and whether the databases' log reaches the archive.",
  chooses: { label: "Namespace", metric: "cnpg_collector_up" },
  panels: [
    [
      "Age of the last base backup",
      "s",
      "Of each database. HearthDatabaseBackupOld fires after 36 hours.",
      `time() - max by (job) (barman_cloud_cloudnative_pg_io_last_available_backup_timestamp{${chosen}} > 0)`,
      "{{job}}",
    ],
    [
      "Time that can be gone back",
      "s",
      "Since the oldest moment to which a database can be restored.",
      `time() - max by (job) (barman_cloud_cloudnative_pg_io_first_recoverability_point{${chosen}} > 0)`,
      "{{job}}",
    ],
    [
      "Log that waits for the archive",
      "short",
      "Files of 16 MiB. HearthDatabaseWalPilesUp fires above 30.",
      `max by (job) (cnpg_collector_pg_wal_archive_status{${chosen},value="ready"})`,
      "{{job}}",
    ],
    [
      "Failed tries to archive",
      "short",
      "Within an hour.",
      `sum by (job) (increase(cnpg_pg_stat_archiver_failed_count{${chosen}}[1h]))`,
      "{{job}}",
    ],
    [
      "Age of the nightly archives",
      "s",
      "Of the forge, of the hub's key and of each suite's configuration.",
      `time() - kube_cronjob_status_last_successful_time{${chosen},cronjob=~"${nightly}"}`,
      "{{namespace}} {{cronjob}}",
    ],
  ],
};
