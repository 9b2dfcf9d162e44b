import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { podConfiguration } from "../../../../components/forge/configuration/pod-configuration.ts";
import { completeConfiguration } from "../forge.ts";

const scripts = join(import.meta.dirname, "../../../../components/forge/scripts");

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-forge-"));
  file("calls", "");
  mkdirSync(join(folder, "home"));
});

function file(path: string, content: string): string {
  const absolute = join(folder, path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, content);
  return absolute;
}

/** A program that notes how it was called, then does `body`. */
function fake(path: string, body = ""): void {
  const name = path.split("/").at(-1);
  chmodSync(file(path, `#!/bin/sh\necho "${name} $*" >>"$CALLS"\n${body}\n`), 0o755);
}

function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    CALLS: join(folder, "calls"),
    HOME: join(folder, "home"),
    IMAGE_SCRIPTS: join(folder, "image"),
    RAILS: join(folder, "rails"),
    CONFIG_DIRECTORY: join(folder, "config"),
    ...more,
  };
}

/** Programs the script called, in order, with their arguments. */
const calls = () =>
  readFileSync(join(folder, "calls"), "utf8").replaceAll(folder, "").replaceAll(" \n", "\n").trim().split("\n");

/** Runs a script with the real sh. */
function run(script: string, more: Record<string, string> = {}, ...args: string[]) {
  const options = { encoding: "utf8", env: environment(more) } as const;
  return spawnSync("sh", [join(scripts, script), ...args], options);
}

describe("migrate.sh", () => {
  beforeEach(() => {
    fake("image/wait-for-deps");
    fake("image/db-migrate");
  });

  test("waits for the stores, then migrates", () => {
    expect(run("migrate.sh").status).toBe(0);
    expect(calls()).toEqual(["wait-for-deps", "db-migrate"]);
  });

  test("fails where the stores do not answer, or a migration fails", () => {
    fake("image/db-migrate", "exit 3");
    expect(run("migrate.sh").status).toBe(3);
    fake("image/wait-for-deps", "exit 1");
    expect(run("migrate.sh").status).toBe(1);
    expect(calls()).toEqual(["wait-for-deps", "db-migrate", "wait-for-deps"]);
  });
});

describe("wait-for-schema.sh", () => {
  const report = 'echo "$SCHEMA_VERSION $DATABASE_FILE $WAIT_FOR_TIMEOUT $SLEEP_DURATION"; pwd';

  test("waits for the newest regular migration", () => {
    for (const name of ["20260101120000_a.rb", "20260215080000_b.rb", "20251231235959_c.rb"])
      file(`rails/db/migrate/${name}`, "");
    file("rails/db/post_migrate/20260301000000_d.rb", "");
    fake("image/rails-dependencies", report);
    const { stdout, status } = run("wait-for-schema.sh", { WAIT_FOR_TIMEOUT: "3600" });
    expect(status).toBe(0);
    expect(stdout).toContain(`20260215080000 database.yml 3600 1\n${join(folder, "rails")}`);
  });

  test("fails as the image's check does", () => {
    file("rails/db/migrate/20260101120000_a.rb", "");
    fake("image/rails-dependencies", "exit 1");
    expect(run("wait-for-schema.sh").status).toBe(1);
  });

  test("waits for the stores alone where the image is built otherwise", () => {
    fake("image/wait-for-deps", 'echo "bypass $BYPASS_SCHEMA_VERSION"');
    expect(run("wait-for-schema.sh").stdout).toContain("bypass true");
  });
});

describe("start-toolbox.sh", () => {
  test("gives the backup tool its settings and ends at once when it has to", async () => {
    file("config/s3cfg", "[default]\n");
    const child = spawn("sh", [join(scripts, "start-toolbox.sh")], { env: environment() });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const settings = join(folder, "home/.s3cfg");
    await vi.waitUntil(() => existsSync(settings), { timeout: 5000 });
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    child.kill("SIGTERM");
    // A signal before the script waits for one ends it, too, only not with 0.
    expect([0, null]).toContain(await ended);
  });
});

describe("backups", () => {
  const buckets = { ARTIFACTS_BUCKET_NAME: "artifacts", LFS_BUCKET_NAME: "lfs", TMP_BUCKET_NAME: "tmp" };
  let backup: Record<string, string>;
  /** Of the keys in `rails-secrets.yml`, by sha256sum. */
  const keys = "s3://backups/secrets/115a0eb1208af57e.yml";

  /** A store with these objects; one bucket of it may not be read. */
  function store(objects: readonly string[], unreadable = "none"): void {
    fake(
      "bin/s3cmd",
      `[ "$1" = --limit=1 ] && shift
      case $2 in s3://${unreadable}*) exit 77 ;; esac
      for object in ${objects.join(" ")}; do
        case $object in "$2"*) echo "2026-01-01 00:00 1 $object" ;; esac
      done`,
    );
  }

  beforeEach(() => {
    file("config/s3cfg", "[default]\n");
    file("rails/VERSION", "18.9.1-ee\n");
    const secrets = file("rails-secrets.yml", "production: {}\n");
    backup = { ...buckets, BACKUP_BUCKET_NAME: "backups", BACKUP_KEEP: "7", RAILS_SECRETS: secrets };
    fake("bin/backup-utility", "exit 5");
    fake("bin/gitlab-rails");
    store([]);
  });

  test("backup.sh makes an archive of all but the registry, and saves the keys", () => {
    expect(run("backup.sh", backup).status).toBe(5);
    expect(calls()).toEqual([
      ...["artifacts", "backups", "lfs", "tmp"].map((bucket) => `s3cmd --limit=1 ls s3://${bucket}`),
      `s3cmd ls ${keys}`,
      `s3cmd put /rails-secrets.yml ${keys}`,
      "backup-utility --skip registry --maximum-backups 7",
    ]);
    expect(existsSync(join(folder, "home/.s3cfg"))).toBe(true);
  });

  test("backup.sh never overwrites keys", () => {
    store([keys]);
    run("backup.sh", backup);
    expect(calls().filter((call) => call.includes(" put "))).toEqual([]);
  });

  test("backup.sh refuses a backup that would lack a bucket", () => {
    store([], "lfs");
    const { status, stderr } = run("backup.sh", backup);
    expect(status).toBe(1);
    expect(stderr).toContain("Bucket lfs can't be read");
    expect(calls().join()).not.toContain("backup-utility");
  });

  test("restore.sh restores unasked, then sets up the instance", () => {
    store([keys]);
    fake("bin/backup-utility", 'echo "assume $GITLAB_ASSUME_YES"');
    const { status, stdout } = run("restore.sh", backup, "1767225600_2026_01_01_18.9.1-ee");
    expect(status).toBe(0);
    expect(stdout).toContain("assume 1");
    expect(calls()).toEqual([
      "s3cmd ls s3://backups/secrets/",
      "backup-utility --restore -t 1767225600_2026_01_01_18.9.1-ee --skip registry",
      "gitlab-rails runner -e production /image/custom-instance-setup",
    ]);
  });

  test.each([
    [
      "another version's backup",
      "1767225600_2026_01_01_18.8.1-ee",
      "another version than this forge, which is 18.9.1-ee",
    ],
    ["a version that only ends alike", "1767225600_2026_01_01_118.9.1-ee", "another version"],
  ])("restore.sh refuses %s", (_, id, message) => {
    const { status, stderr } = run("restore.sh", backup, id);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(calls()).toEqual([""]);
  });

  test("restore.sh refuses a forge with other keys than the backups'", () => {
    store(["s3://backups/secrets/0000000000000000.yml"]);
    const { status, stderr } = run("restore.sh", backup, "1767225600_2026_01_01_18.9.1-ee");
    expect(status).toBe(1);
    expect(stderr).toContain("No backup was made with this forge's keys");
    expect(calls().join()).not.toContain("backup-utility");
  });

  test("restore.sh restores a backup that no keys were saved with, but not from a bucket that it can't read", () => {
    fake("bin/backup-utility");
    expect(run("restore.sh", backup, "1767225600_2026_01_01_18.9.1-ee").status).toBe(0);
    store([], "backups");
    expect(run("restore.sh", backup, "1767225600_2026_01_01_18.9.1-ee").status).toBe(77);
  });

  test("restore.sh asks for the backup's name", () => {
    const { status, stderr } = run("restore.sh", backup);
    expect(status).not.toBe(0);
    expect(stderr).toContain("Name the backup");
  });
});

describe("start-runner.sh", () => {
  /** A runner that can be told to end gracefully: it says that it was, and ends with 3. */
  const runner = `exec ruby -e 'trap("QUIT") { File.write(ENV["CALLS"], "quit\\n", mode: "a"); exit 3 }; File.write(ENV["CALLS"], "up\\n", mode: "a"); sleep'`;
  const awkward = 'a"b\\c/&$(x)|`';

  function start() {
    const env = environment({
      TEMPLATE: file(
        "config.toml",
        (podConfiguration("runner", completeConfiguration)["config.toml"] ?? "").replaceAll(
          "@file:/secrets/",
          `@file:${join(folder, "secrets")}/`,
        ),
      ),
      TOKEN: join(folder, "secrets/runner/token"),
      REFRESH_SECONDS: "0.05",
    });
    const child = spawn("sh", [join(scripts, "start-runner.sh")], { env, stdio: ["ignore", "pipe", "inherit"] });
    return { child, ended: new Promise<number | null>((resolve) => child.once("exit", resolve)) };
  }

  /** As a mounted Secret changes: in one step. */
  function secret(path: string, content: string): void {
    renameSync(file(`${path}.new`, content), join(folder, path));
  }

  const token = () => {
    const config = parse(readFileSync(join(folder, "home/config.toml"), "utf8")) as { runners: { token: string }[] };
    return config.runners[0]?.token;
  };

  test("waits for its token, follows a new one, and ends gracefully with the runner's own code", async () => {
    fake("bin/gitlab-runner", runner);
    file("secrets/objectstorage/access-key-id", "id");
    file("secrets/objectstorage/secret-access-key", awkward);
    mkdirSync(join(folder, "secrets/runner"));
    const { child, ended } = start();
    try {
      const [output] = await new Promise<Buffer[]>((resolve) => child.stdout.once("data", (data) => resolve([data])));
      expect(String(output)).toContain("Waiting for the token");
      expect(calls()).toEqual([""]);

      secret("secrets/runner/token", "glrt-t1_first\n");
      await vi.waitUntil(() => calls().includes("up"), { timeout: 5000 });
      expect(calls()[0]).toBe("gitlab-runner run --config /home/config.toml --working-directory /home");
      const written = parse(readFileSync(join(folder, "home/config.toml"), "utf8"));
      expect(written).toMatchObject({
        runners: [{ token: "glrt-t1_first", cache: { s3: { AccessKey: "id", SecretKey: awkward } } }],
      });
      expect(statSync(join(folder, "home/config.toml")).mode & 0o777).toBe(0o600);

      secret("secrets/runner/token", "glrt-t1_second");
      await vi.waitUntil(() => token() === "glrt-t1_second", { timeout: 5000 });

      child.kill("SIGTERM");
      expect(await ended).toBe(3);
      expect(calls().at(-1)).toBe("quit");
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("ends with the runner", async () => {
    fake("bin/gitlab-runner", "exit 4");
    file("secrets/objectstorage/access-key-id", "id");
    file("secrets/objectstorage/secret-access-key", "key");
    file("secrets/runner/token", "glrt-t1_first");
    expect(await start().ended).toBe(4);
  });
});
