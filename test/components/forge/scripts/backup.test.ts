import { existsSync } from "node:fs";
import { join } from "node:path";
import { backupEnvironment } from "@hearth-platform/hearth/forge/configuration";
import { beforeEach, describe, expect, test } from "vitest";
import { ForgeContainer } from "./container.ts";

let container: ForgeContainer;

beforeEach(() => {
  container = new ForgeContainer();
});

/** As the scripts' names of backups begin. */
const today = "1767225600_2026_01_01";
const buckets = { ARTIFACTS_BUCKET_NAME: "artifacts", LFS_BUCKET_NAME: "lfs", TMP_BUCKET_NAME: "tmp" };
let backup: Record<string, string>;
/** Of the keys in `rails-secrets.yml`, by sha256sum. */
const keys = "s3://backups/secrets/115a0eb1208af57e.yml";

/** A store with these objects; one bucket of it may not be read. A bucket with objects of the forge has 3 MiB. */
function store(objects: readonly string[], unreadable = "none"): void {
  container.fake(
    "bin/s3cmd",
    `[ "$1" = du ] && exec echo "     3145728       2 objects $2/"
    [ "$1" = --limit=1 ] && shift
    [ "$2" = --recursive ] && shift
    case $2 in s3://${unreadable}*) exit 77 ;; esac
    for object in ${objects.join(" ")}; do
      case $object in "$2"*) echo "2026-01-01 00:00 1 $object" ;; esac
    done`,
  );
}

beforeEach(() => {
  container.file("config/s3cfg", "[default]\n");
  container.file("rails/VERSION", "18.9.1-ee\n");
  container.fake(
    "bin/df",
    'printf "Filesystem 1024-blocks Used Available Capacity Mounted on\\n/dev/sda 9999 1 3072 1%% /srv\\n"',
  );
  container.fake("bin/date", `echo ${today}`);
  const secrets = container.file("rails-secrets.yml", "production: {}\n");
  backup = {
    ...buckets,
    BACKUP_BUCKET_NAME: "backups",
    [backupEnvironment.keep]: "7",
    [backupEnvironment.repositories]: "archive",
    [backupEnvironment.objects]: "true",
    [backupEnvironment.folder]: "repositories",
    RAILS_SECRETS: secrets,
  };
  container.fake("bin/backup-utility", "exit 5");
  container.fake("bin/gitlab-rails");
  store([]);
});

test("backup.sh makes an archive of all but the registry, and saves the keys", () => {
  expect(container.run("backup.sh", { ...backup, DEPENDENCY_PROXY_BUCKET_NAME: "proxy" }).status).toBe(5);
  expect(container.calls()).toEqual([
    ...["artifacts", "backups", "lfs", "proxy", "tmp"].map((bucket) => `s3cmd --limit=1 ls s3://${bucket}`),
    "df -Pk /rails/tmp",
    ...["artifacts", "lfs"].map((bucket) => `s3cmd du s3://${bucket}`),
    `s3cmd ls ${keys}`,
    `s3cmd put /rails-secrets.yml ${keys}`,
    "backup-utility --skip registry --maximum-backups 7",
  ]);
  expect(existsSync(join(container.folder, "home/.s3cfg"))).toBe(true);
});

describe("repositories that the git store puts into the bucket", () => {
  const [oldest, lost, older, now] = [
    "1766966400_2025_12_29",
    "1767052800_2025_12_30",
    "1767139200_2025_12_31",
    today,
  ].map((day) => `${day}_18.9.1-ee`) as [string, string, string, string];
  const archive = (id: string) => `s3://backups/${id}_gitlab_backup.tar`;
  const manifest = (id: string, repository = "ab/cd/abcd.git") =>
    `s3://backups/repositories/manifests/default/@hashed/${repository}/${id}.toml`;
  const inBucket = () => ({ ...backup, [backupEnvironment.repositories]: "bucket" });
  /** The tool, which makes an archive of its argument's name while the git store makes copies of the name that Rails reads. */
  const tool = () => container.fake("bin/backup-utility", 'echo "copies are named $BACKUP"');

  test("have the archive's name, and the script says how many there are", () => {
    store([archive(now), manifest(now), manifest(now, "ef/01/ef01.git"), manifest("+latest")]);
    tool();
    const { status, stdout, stderr } = container.run("backup.sh", inBucket());
    expect([status, stderr]).toEqual([0, ""]);
    expect(container.calls()).toContain(
      `backup-utility --skip registry --maximum-backups 7 -t ${now} --repositories-server-side`,
    );
    expect(stdout).toContain(`copies are named ${now}\nThe git store saved 2 repositories as ${now}.\n`);
    expect(container.calls().join()).not.toContain("s3cmd del");
  });

  test("are none in a forge without repositories", () => {
    store([archive(now)]);
    tool();
    const { status, stdout } = container.run("backup.sh", inBucket());
    expect([status, stdout.includes("saved 0 repositories")]).toEqual([0, true]);
  });

  test("are missing where there are only those of other backups: the backup fails and deletes nothing", () => {
    store([archive(now), manifest(oldest), manifest("+latest")]);
    tool();
    const { status, stderr } = container.run("backup.sh", inBucket());
    expect(status).toBe(1);
    expect(stderr).toContain(`the git store put no repository into s3://backups/repositories/ for ${now}`);
    expect(container.calls().join()).not.toContain("s3cmd del");
  });

  test.each(["bucket", "archive"])(
    "are deleted once they are older than all archives, also where new ones go to the %s",
    (repositories) => {
      const kept = [archive(older), archive(now), "s3://backups/by-hand_gitlab_backup.tar"];
      const copies = [oldest, lost, older, now, "+latest", "by-hand", "0-by-hand"].map((id) => manifest(id));
      store([...kept, ...copies, manifest(oldest, "ef/01/ef01.git")]);
      tool();
      const { status } = container.run("backup.sh", { ...backup, [backupEnvironment.repositories]: repositories });
      expect(status).toBe(0);
      expect(container.calls().filter((call) => call.includes(" del "))).toEqual(
        [oldest, lost].map(
          (id) => `s3cmd del --recursive --exclude * --rinclude /${id}(/|\\.toml$) s3://backups/repositories/`,
        ),
      );
    },
  );

  test("are all kept while an archive of a former way is older", () => {
    store([archive(oldest), archive(now), manifest(lost), manifest(now)]);
    tool();
    expect(container.run("backup.sh", inBucket()).status).toBe(0);
    expect(container.calls().join()).not.toContain("s3cmd del");
  });

  test("are all kept where no archive is listed or the store can't be asked", () => {
    store([manifest(oldest), manifest(now)]);
    tool();
    expect(container.run("backup.sh", inBucket()).status).toBe(0);
    store([manifest(oldest), manifest(now)], "backups/repositories");
    expect(container.run("backup.sh", inBucket()).status).toBe(77);
    expect(container.calls().join()).not.toContain("s3cmd del");
  });

  test("fail with the tool", () => {
    store([archive(now), manifest(oldest)]);
    expect(container.run("backup.sh", inBucket()).status).toBe(5);
    expect(container.calls().join()).not.toContain("s3cmd del");
  });

  /** What the tool says of each, and then of all. */
  const told = (what: string) =>
    `echo '{"command.name":"restore","level":"info","msg":"${what} restore"}'\necho "Restoring repositories ... done"`;
  const restored = told("completed");
  const parts: [string, string[]][] = [
    ["all", []],
    ["the repositories", ["repositories"]],
  ];

  test.each(parts)("that the tool skips in a restore of %s are told of", (_, part) => {
    store([keys, manifest(now)]);
    container.fake("bin/backup-utility", told("skipped"));
    const { status, stdout, stderr } = container.run("restore.sh", backup, now, ...part);
    expect(status).toBe(1);
    expect(stdout).toContain("Restoring repositories ... done");
    expect(stderr).toContain(`The tool restored no repository, though s3://backups/repositories/ has those of ${now}`);
    expect(container.calls().join()).not.toContain("custom-instance-setup");
  });

  test.each(parts)("fail in a restore of %s with the tool's own status", (_, part) => {
    store([keys, manifest(now)]);
    container.fake("bin/backup-utility", `${restored}\nexit 7`);
    expect(container.run("restore.sh", backup, now, ...part).status).toBe(7);
    expect(container.calls().join()).not.toContain("custom-instance-setup");
  });

  test.each(parts)("come back from there with a restore of %s, and older archives as they are", (_, part) => {
    store([keys, manifest(now), manifest("+latest")]);
    container.fake("bin/backup-utility", restored);
    for (const id of [now, oldest]) expect(container.run("restore.sh", backup, id, ...part).status).toBe(0);
    const flags = container
      .calls()
      .filter((call) => call.startsWith("backup-utility"))
      .map((call) => [call.split(" ")[3], call.includes(" --repositories-server-side")]);
    expect(flags).toEqual([
      [now, true],
      [oldest, false],
    ]);
  });
});

test("backup.sh leaves objects out of the archive where they have a second copy, and asks for none of their buckets", () => {
  store([], "lfs");
  container.run("backup.sh", { ...backup, [backupEnvironment.objects]: "false" });
  expect(container.calls()).toContain("backup-utility --skip registry --skip artifacts --skip lfs --maximum-backups 7");
});

test("backup.sh says that a bucket is larger than the scratch volume before the tool copies any of it", () => {
  container.fake("bin/df", 'printf "Filesystem\\n/dev/sda 9999 1 3071 1%% /srv\\n"');
  const { status, stderr } = container.run("backup.sh", backup);
  expect(status).toBe(1);
  expect(stderr).toContain("Bucket artifacts has 3 MiB, and the scratch volume has room for 2 MiB");
  expect(stderr).toContain("hearth:forge.backup.scratchSize");
  expect(container.calls().join()).not.toContain("backup-utility");
  expect(container.run("backup.sh", { ...backup, [backupEnvironment.objects]: "false" }).status).toBe(5);
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
    "s3cmd ls --recursive s3://backups/repositories/manifests/",
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
    "s3cmd ls --recursive s3://backups/repositories/manifests/",
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
