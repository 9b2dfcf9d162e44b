import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";

const scripts = join(import.meta.dirname, "../../../components/cloudsuite/scripts");

let folder: string;
let html: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-suite-"));
  html = join(folder, "html");
  mkdirSync(html);
  fake("php", 'echo "php $*" >>"$CALLS"');
});

/** A program on PATH, before the machine's own. */
function fake(name: string, body: string): void {
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, "bin", name), 0o755);
}

/** Runs a script with the real sh; returns what it said and which fakes it called. */
function run(script: string, environment: Record<string, string> = {}) {
  const calls = join(folder, "calls");
  writeFileSync(calls, "");
  const { status, stdout, stderr } = spawnSync("sh", [join(scripts, script)], {
    encoding: "utf8",
    env: {
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      CALLS: calls,
      SCRIPTS: "/hearth",
      HTML: html,
      VOLUME: folder,
      ...environment,
    },
  });
  return {
    status,
    stdout,
    stderr,
    calls: readFileSync(calls, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.replaceAll(html, "HTML")),
  };
}

describe("prepare.sh", () => {
  const database = (state: string) =>
    fake("php", `echo "php $*" >>"$CALLS"; case $1 in *database-state.php) echo ${state} ;; esac`);

  test("makes the directories and lets Nextcloud write its configuration on an empty volume", () => {
    database("empty");
    expect(run("prepare.sh").status).toBe(0);
    expect(existsSync(join(html, "config/CAN_INSTALL"))).toBe(true);
    expect(statSync(join(html, "data")).mode & 0o777).toBe(0o770);
  });

  test("leaves an installed suite alone", () => {
    mkdirSync(join(html, "config"));
    writeFileSync(join(html, "config/config.php"), "<?php $CONFIG = [];");
    const { status, calls } = run("prepare.sh");
    expect(status).toBe(0);
    expect(calls).toEqual(["php /hearth/check-database.php /usr/src/nextcloud"]);
    expect(existsSync(join(html, "config/CAN_INSTALL"))).toBe(false);
  });

  test("compares the versions of volume and image, and stops where they do not fit", () => {
    writeFileSync(join(html, "version.php"), "");
    fake("php", 'echo "php $*" >>"$CALLS"; case $1 in *check-version.php) exit 1 ;; esac');
    const { status, calls } = run("prepare.sh");
    expect(status).toBe(1);
    expect(calls).toEqual(["php /hearth/check-version.php HTML/version.php /usr/src/nextcloud/version.php"]);
    expect(existsSync(join(html, "config"))).toBe(false);
  });

  test("stops where the database is newer than the image, also on a new volume", () => {
    fake("php", "case $1 in *check-database.php) exit 1 ;; esac");
    expect(run("prepare.sh").status).toBe(1);
    expect(existsSync(join(html, "config"))).toBe(false);
  });

  test("refuses to install over a database in use, and says what to restore", () => {
    database("used");
    const { status, stderr } = run("prepare.sh");
    expect(status).toBe(1);
    expect(stderr).toContain("Restore config/config.php from the bucket of the backups");
    expect(existsSync(join(html, "config/CAN_INSTALL"))).toBe(false);
  });

  test("stops where the database does not answer", () => {
    fake("php", "exit 1");
    expect(run("prepare.sh").status).toBe(1);
    expect(existsSync(join(html, "config/CAN_INSTALL"))).toBe(false);
  });
});

describe("finish-start.sh", () => {
  const environment = {
    POSTGRES_HOST: "pooler:5432",
    POSTGRES_DB: "cloudsuite",
    POSTGRES_USER: "app",
    POSTGRES_PASSWORD: "secret",
    NEXTCLOUD_ADMIN_USER: "admin",
    NEXTCLOUD_ADMIN_PASSWORD: "secret",
  };

  /** `occ status` says what the file `status` holds; `occ <command>` puts the content of `after-<command>` there. */
  function suite(status: object, after: Record<string, object> = {}, database = "empty"): void {
    writeFileSync(join(folder, "status"), JSON.stringify(status));
    for (const [command, next] of Object.entries(after))
      writeFileSync(join(folder, `after-${command}`), JSON.stringify(next));
    fake(
      "php",
      `case "$*" in
        *database-state.php) echo ${database}; exit ;;
        *"occ --no-interaction status "*) cat ${folder}/status; exit ;;
      esac
      echo "php $*" >>"$CALLS"
      if [ -f "${folder}/after-$3" ]; then cp "${folder}/after-$3" ${folder}/status; fi`,
    );
  }

  const healthy = { installed: true, maintenance: false, needsDbUpgrade: false };

  test("does nothing to a healthy suite", () => {
    suite(healthy);
    expect(run("finish-start.sh")).toMatchObject({ status: 0, calls: [] });
  });

  test("finishes an installation that was cut off", () => {
    suite({ ...healthy, installed: false }, { "maintenance:install": healthy });
    const { status, calls } = run("finish-start.sh", environment);
    expect(status).toBe(0);
    expect(calls).toEqual([
      "php HTML/occ --no-interaction maintenance:install --database pgsql --database-host pooler:5432 " +
        "--database-name cloudsuite --database-user app --database-pass secret --admin-user admin --admin-pass secret",
    ]);
  });

  test("removes the account that an unfinished installation left before it installs again", () => {
    suite({ ...healthy, installed: false }, { "maintenance:install": healthy }, "unfinished");
    const { calls } = run("finish-start.sh", environment);
    expect(calls[0]).toBe("php /hearth/database-state.php forget-administrator");
    expect(calls[1]).toContain("maintenance:install");
  });

  test("never installs over a database in use", () => {
    suite({ ...healthy, installed: false }, {}, "used");
    const { status, calls, stderr } = run("finish-start.sh", environment);
    expect({ status, calls }).toEqual({ status: 1, calls: [] });
    expect(stderr).toContain("Restore config/config.php");
  });

  test("finishes an upgrade that was cut off, and takes the maintenance page away", () => {
    suite(
      { installed: true, maintenance: true, needsDbUpgrade: true },
      { upgrade: { ...healthy, maintenance: true }, "maintenance:mode": healthy },
    );
    const { calls } = run("finish-start.sh");
    expect(calls).toEqual([
      "php HTML/occ --no-interaction upgrade",
      "php HTML/occ --no-interaction maintenance:mode --off",
    ]);
  });

  test("keeps the maintenance page where the setting asks for it", () => {
    suite({ ...healthy, maintenance: true });
    expect(run("finish-start.sh", { NC_maintenance: "1" }).calls).toEqual([]);
  });

  test("fails where the suite can't say how it is, so that Apache does not start", () => {
    fake("php", "exit 1");
    expect(run("finish-start.sh").status).toBe(1);
  });
});

describe("configure.sh", () => {
  const occ = (body: string) =>
    fake(
      "php",
      `case "$1" in /hearth/fill-in.php) echo '{"apps":{"whiteboard":{"jwt_secret_key":"s3cret"}}}'; exit ;; esac
      echo "php $*" >>"$CALLS"
      ${body}`,
    );

  test("turns apps on and off, imports their settings and asks the office server", () => {
    occ(`case "$*" in *"get onlyoffice enabled") echo yes ;; *config:import) cat >${folder}/imported ;; esac`);
    const { status, calls } = run("configure.sh", { APPS_ON: "richdocuments whiteboard", APPS_OFF: "onlyoffice" });
    expect(status).toBe(0);
    expect(calls.map((call) => call.replace("php HTML/occ --no-interaction ", ""))).toEqual([
      "app:enable richdocuments",
      "app:enable whiteboard",
      "config:app:get onlyoffice enabled",
      "app:disable onlyoffice",
      "config:import",
      "db:add-missing-columns",
      "db:add-missing-indices",
      "db:add-missing-primary-keys",
      "richdocuments:activate-config",
    ]);
    expect(readFileSync(join(folder, "imported"), "utf8")).toBe('{"apps":{"whiteboard":{"jwt_secret_key":"s3cret"}}}');
  });

  test("gives no secret as an argument", () => {
    occ("");
    expect(run("configure.sh", { APPS_ON: "whiteboard" }).calls.join("\n")).not.toContain("s3cret");
  });

  test("does not turn off what is off", () => {
    occ('case "$*" in *"get whiteboard enabled") exit 1 ;; esac');
    expect(run("configure.sh", { APPS_OFF: "whiteboard" }).calls.join("\n")).not.toContain("app:disable");
  });

  test("imports the private certificate authority", () => {
    occ("");
    const { calls } = run("configure.sh", { PRIVATE_CA: "/private-ca/ca.crt" });
    expect(calls[0]).toBe("php HTML/occ --no-interaction security:certificates:import /private-ca/ca.crt");
  });

  test("fails where a setting can't be filled in", () => {
    fake("php", 'echo "php $*" >>"$CALLS"; case "$1" in /hearth/fill-in.php) exit 1 ;; esac');
    const { status, calls } = run("configure.sh");
    expect(status).toBe(1);
    expect(calls.join("\n")).not.toContain("config:import");
  });

  test("goes on where the office server can't be reached yet", () => {
    occ('case "$*" in *activate-config) exit 1 ;; esac');
    const { status, stdout } = run("configure.sh", { APPS_ON: "richdocuments" });
    expect(status).toBe(0);
    expect(stdout).toContain("could not be checked yet");
  });
});

test("trust.sh joins the public authorities and the private one", () => {
  const [publicFile, privateFile] = [join(folder, "public"), join(folder, "private")];
  writeFileSync(publicFile, "public\n");
  writeFileSync(privateFile, "private\n");
  const { status } = run("trust.sh", { PUBLIC_CA: publicFile, PRIVATE_CA: privateFile, TRUST: folder });
  expect(status).toBe(0);
  expect(readFileSync(join(folder, "ca-certificates.crt"), "utf8")).toBe("public\nprivate\n");
});

test("copy-configuration.sh copies config.php to a place of its weekday", () => {
  fake("rclone", 'echo "rclone $*" >>"$CALLS"');
  fake("date", "echo Mon");
  expect(run("copy-configuration.sh", { BUCKET: "backups-team" }).calls).toEqual([
    "rclone copyto --s3-no-check-bucket /config/config.php store:backups-team/configuration/Mon/config.php",
  ]);
});
