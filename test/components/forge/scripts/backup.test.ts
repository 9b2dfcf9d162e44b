import { existsSync } from "node:fs";
import { join } from "node:path";
import { backupEnvironment } from "@hearth-platform/hearth/forge/configuration";
import { beforeEach, expect, test } from "vitest";
import { ForgeContainer } from "./container.ts";

let container: ForgeContainer;

beforeEach(() => {
  container = new ForgeContainer();
});

const buckets = { ARTIFACTS_BUCKET_NAME: "artifacts", LFS_BUCKET_NAME: "lfs", TMP_BUCKET_NAME: "tmp" };
let backup: Record<string, string>;
/** Of the keys in `rails-secrets.yml`, by sha256sum. */
const keys = "s3://backups/secrets/115a0eb1208af57e.yml";

/** A store with these objects; one bucket of it may not be read. */
function store(objects: readonly string[], unreadable = "none"): void {
  container.fake(
    "bin/s3cmd",
    `[ "$1" = --limit=1 ] && shift
    case $2 in s3://${unreadable}*) exit 77 ;; esac
    for object in ${objects.join(" ")}; do
      case $object in "$2"*) echo "2026-01-01 00:00 1 $object" ;; esac
    done`,
  );
}

beforeEach(() => {
  container.file("config/s3cfg", "[default]\n");
  container.file("rails/VERSION", "18.9.1-ee\n");
  const secrets = container.file("rails-secrets.yml", "production: {}\n");
  backup = { ...buckets, BACKUP_BUCKET_NAME: "backups", [backupEnvironment.keep]: "7", RAILS_SECRETS: secrets };
  container.fake("bin/backup-utility", "exit 5");
  container.fake("bin/gitlab-rails");
  store([]);
});

test("backup.sh makes an archive of all but the registry, and saves the keys", () => {
  expect(container.run("backup.sh", backup).status).toBe(5);
  expect(container.calls()).toEqual([
    ...["artifacts", "backups", "lfs", "tmp"].map((bucket) => `s3cmd --limit=1 ls s3://${bucket}`),
    `s3cmd ls ${keys}`,
    `s3cmd put /rails-secrets.yml ${keys}`,
    "backup-utility --skip registry --maximum-backups 7",
  ]);
  expect(existsSync(join(container.folder, "home/.s3cfg"))).toBe(true);
});

test("backup.sh never overwrites keys", () => {
  store([keys]);
  container.run("backup.sh", backup);
  expect(container.calls().filter((call) => call.includes(" put "))).toEqual([]);
});

test("backup.sh refuses a backup that would lack a bucket", () => {
  store([], "lfs");
  const { status, stderr } = container.run("backup.sh", backup);
  expect(status).toBe(1);
  expect(stderr).toContain("Bucket lfs can't be read");
  expect(container.calls().join()).not.toContain("backup-utility");
});

test("restore.sh restores unasked, then sets up the instance", () => {
  store([keys]);
  container.fake("bin/backup-utility", 'echo "assume $GITLAB_ASSUME_YES"');
  const { status, stdout } = container.run("restore.sh", backup, "1767225600_2026_01_01_18.9.1-ee");
  expect(status).toBe(0);
  expect(stdout).toContain("assume 1");
  expect(stdout).toContain("delete the Job of the settings");
  expect(container.calls()).toEqual([
    "s3cmd ls s3://backups/secrets/",
    "backup-utility --restore -t 1767225600_2026_01_01_18.9.1-ee --skip registry",
    "gitlab-rails runner -e production /image/custom-instance-setup",
  ]);
});

test("restore.sh restores the repositories alone: neither the database nor a bucket is touched", () => {
  store([keys]);
  container.fake("bin/backup-utility");
  const { status, stdout } = container.run("restore.sh", backup, "1767225600_2026_01_01_18.9.1-ee", "repositories");
  expect(status).toBe(0);
  expect(stdout).toContain("Restored the repositories of 1767225600_2026_01_01_18.9.1-ee");
  expect(container.calls()).toEqual([
    "s3cmd ls s3://backups/secrets/",
    "backup-utility --restore -t 1767225600_2026_01_01_18.9.1-ee --skip db --skip registry --skip artifacts --skip lfs",
  ]);
});

test("restore.sh refuses a part that it does not know, before it restores anything", () => {
  const { status, stderr } = container.run("restore.sh", backup, "1767225600_2026_01_01_18.9.1-ee", "repos");
  expect(status).toBe(1);
  expect(stderr).toContain("A part to restore is repositories, not repos.");
  expect(container.calls().join()).not.toContain("backup-utility");
});

test.each([
  ["as an argument in the form of the tool's variable", "BACKUP=1767225600_2026_01_01_18.9.1-ee_gitlab_backup.tar", {}],
  ["by its archive's whole name", "1767225600_2026_01_01_18.9.1-ee_gitlab_backup.tar", {}],
  ["in the variable", undefined, { BACKUP: "1767225600_2026_01_01_18.9.1-ee_gitlab_backup.tar" }],
  ["in the variable, without the end", undefined, { BACKUP: "1767225600_2026_01_01_18.9.1-ee" }],
])("restore.sh takes the backup %s", (_, argument, environment) => {
  store([keys]);
  container.fake("bin/backup-utility");
  const { status } = container.run("restore.sh", { ...backup, ...environment }, ...(argument ? [argument] : []));
  expect(status).toBe(0);
  expect(container.calls()).toContain("backup-utility --restore -t 1767225600_2026_01_01_18.9.1-ee --skip registry");
});

test.each([
  [
    "another version's backup",
    "1767225600_2026_01_01_18.8.1-ee",
    "another version than this forge, which is 18.9.1-ee",
  ],
  ["a version that only ends alike", "1767225600_2026_01_01_118.9.1-ee", "another version"],
])("restore.sh refuses %s", (_, id, message) => {
  const { status, stderr } = container.run("restore.sh", backup, id);
  expect(status).toBe(1);
  expect(stderr).toContain(message);
  expect(container.calls()).toEqual([""]);
});

test("restore.sh refuses a forge with other keys than the backups'", () => {
  store(["s3://backups/secrets/0000000000000000.yml"]);
  const { status, stderr } = container.run("restore.sh", backup, "1767225600_2026_01_01_18.9.1-ee");
  expect(status).toBe(1);
  expect(stderr).toContain("No backup was made with this forge's keys");
  expect(container.calls().join()).not.toContain("backup-utility");
});

test("restore.sh restores a backup that no keys were saved with, but not from a bucket that it can't read", () => {
  container.fake("bin/backup-utility");
  expect(container.run("restore.sh", backup, "1767225600_2026_01_01_18.9.1-ee").status).toBe(0);
  store([], "backups");
  expect(container.run("restore.sh", backup, "1767225600_2026_01_01_18.9.1-ee").status).toBe(77);
});

test("restore.sh asks for the backup's name", () => {
  const { status, stderr } = container.run("restore.sh", backup);
  expect(status).not.toBe(0);
  expect(stderr).toContain("Name the backup");
});
