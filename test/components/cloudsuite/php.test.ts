import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configurationFiles, phpFiles } from "@hearth-platform/hearth/cloudsuite/configuration";
import { beforeAll, describe, expect, test } from "vitest";
import { resolvedSuite } from "../../support/plans.ts";
import { completeSuite } from "./suite.ts";

/** What the real PHP makes of the suite's configuration files and scripts. */

const scripts = join(import.meta.dirname, "../../../components/cloudsuite/scripts");
const secrets = { KEYSTORE_PASSWORD: "k3y", AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: 'it\'s "secret"' };

let folder: string;

beforeAll(() => {
  if (spawnSync("php", ["--version"]).error)
    throw new Error("php is missing, which checks the suite's configuration: apt-get install php-cli");
  folder = mkdtempSync(join(tmpdir(), "hearth-suite-"));
});

/** Runs PHP; what it says is an error where it fails. */
function php(args: readonly string[], environment: Record<string, string> = {}, input?: string) {
  const { status, stdout, stderr } = spawnSync("php", args, {
    encoding: "utf8",
    env: { PATH: process.env.PATH, ...environment },
    input,
  });
  return { status, stdout, stderr };
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("configuration files", () => {
  /** As Nextcloud reads its directory: files in their natural order, each merged over what was before. */
  const load = `class OC { public static $SERVERROOT = '/var/www/html'; }
    $cache = [];
    $files = glob($argv[1] . '/*.config.php');
    natsort($files);
    foreach ($files as $file) { unset($CONFIG); include $file; $cache = array_merge($cache, $CONFIG); }
    echo json_encode($cache);`;

  test("are PHP", () => {
    for (const [name, content] of Object.entries(configurationFiles(resolvedSuite(completeSuite))))
      if (name.endsWith(".php")) expect(php(["-l", file(name, content)]), name).toMatchObject({ status: 0 });
  });

  test("give Nextcloud these values, the secrets among them from the environment", () => {
    const directory = join(folder, "config");
    mkdirSync(directory);
    for (const [name, content] of Object.entries(configurationFiles(resolvedSuite(completeSuite))))
      writeFileSync(join(directory, name), content);
    const { stdout, stderr } = php(["-r", load, directory], secrets);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      apps_paths: [
        { path: "/var/www/html/apps", url: "/apps", writable: false },
        { path: "/var/www/html/custom_apps", url: "/custom_apps", writable: true },
      ],
      "memcache.local": "\\OC\\Memcache\\APCu",
      "memcache.distributed": "\\OC\\Memcache\\Redis",
      "memcache.locking": "\\OC\\Memcache\\Redis",
      redis: { host: "keystore.team.svc", port: 6379, dbindex: 1, password: "k3y" },
      trusted_domains: ["cloud.example.org"],
      "overwrite.cli.url": "https://cloud.example.org",
      trusted_proxies: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fd00::/8"],
      objectstore: {
        class: "\\OC\\Files\\ObjectStore\\S3",
        arguments: {
          bucket: "data-team-a1b2",
          region: "fsn1",
          hostname: "fsn1.your-objectstorage.com",
          port: 443,
          use_ssl: true,
          use_path_style: true,
          autocreate: false,
          key: "id",
          secret: 'it\'s "secret"',
        },
      },
      "htaccess.RewriteBase": "/",
      "upgrade.disable-web": true,
      updatechecker: false,
      lookup_server: "",
      maintenance_window_start: 1,
      serverid: expect.toSatisfy((id) => Number.isInteger(id) && id >= 0 && id < 512, "a whole number from 0 to 511"),
    });
  });

  test("give Nextcloud the names of the programs that make previews, as its classes are called", () => {
    const previews = { ...completeSuite, previews: { enabled: true } };
    const directory = join(folder, "with-previews");
    mkdirSync(directory);
    for (const [name, content] of Object.entries(configurationFiles(resolvedSuite(previews))))
      writeFileSync(join(directory, name), content);
    const { stdout } = php(["-r", load, directory], secrets);
    expect(JSON.parse(stdout).enabledPreviewProviders.slice(0, 2)).toEqual([
      "OC\\Preview\\Imaginary",
      "OC\\Preview\\ImaginaryPDF",
    ]);
  });

  test("have PHP keep its sessions in the keystore", () => {
    const ini = file("sessions.ini", phpFiles(resolvedSuite(completeSuite))["sessions.ini"] ?? "");
    // Without its redis extension PHP knows no such handler; the path is what it makes of the file.
    const { stdout } = php(
      ["-n", "-c", ini, "-d", "session.save_handler=files", "-r", "echo ini_get('session.save_path');"],
      secrets,
    );
    expect(stdout).toBe("tcp://keystore.team.svc:6379?database=2&auth=k3y");
  });
});

test("every script is PHP", () => {
  const names = readdirSync(scripts).filter((name) => name.endsWith(".php"));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(php(["-l", join(scripts, name)]), name).toMatchObject({ status: 0 });
});

describe("check-version.php", () => {
  const versionFile = (name: string, version: readonly number[]) =>
    file(name, `<?php\n$OC_Version = [${version.join(", ")}];\n`);
  const check = (volume: readonly number[], image: readonly number[]) =>
    php([join(scripts, "check-version.php"), versionFile("volume.php", volume), versionFile("image.php", image)]);

  test.each([
    [
      [31, 0, 8, 1],
      [31, 0, 8, 1],
    ],
    [
      [31, 0, 8, 1],
      [31, 0, 10, 0],
    ],
    [
      [31, 0, 8, 1],
      [32, 0, 0, 13],
    ],
  ])("lets an image start on data of its version or the one before: %j → %j", (volume, image) => {
    expect(check(volume, image)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("refuses a downgrade and says which version it takes", () => {
    const { status, stderr } = check([31, 0, 10, 0], [31, 0, 9, 2]);
    expect(status).toBe(1);
    expect(stderr).toContain("Set versions.cloudsuite to 31.0.10.0 or newer.");
  });

  test("refuses to leave a major out and says which comes first", () => {
    const { status, stderr } = check([30, 0, 1, 0], [32, 0, 0, 0]);
    expect(status).toBe(1);
    expect(stderr).toContain("Set versions.cloudsuite to the latest 31 first.");
  });

  test.each([
    ["of the same version", "'version' => '32.0.1.2'", 0],
    ["of a version that it leaves a major out from", "'version' => '30.0.1.2'", 1],
    ["of a newer one", "'version' => '33.0.0.1'", 1],
    ["that names no version", "", 0],
  ])("takes a restored config.php for the volume's version: one %s", (_, line, status) => {
    const config = file("config.php", `<?php\n$CONFIG = array (\n  ${line}\n);\n`);
    const image = versionFile("image.php", [32, 0, 1, 2]);
    expect(php([join(scripts, "check-version.php"), config, image]).status).toBe(status);
  });
});

describe("database-state.php", () => {
  /** A database that answers its two questions with these counts; none: there are no tables. It prints what is executed. */
  const state = (counts: { users: number; logins: number } | undefined, ...args: string[]) => {
    const fake = file(
      "connection.php",
      `<?php
      function connectDatabase(): object {
          return new class {
              public function query(string $sql): object {
                  ${counts ? "" : "throw new class extends PDOException { protected $code = '42P01'; };"}
                  if (str_contains($sql, "configkey = 'enabled'")) {
                      if (!str_contains($sql, "oc_appconfig") || !str_contains($sql, "configvalue <> 'no'")) throw new Exception($sql);
                      return new class { public function fetchAll(int $mode): array { return ['calendar', 'dav']; } };
                  }
                  return new class (str_contains($sql, 'oc_users') ? ${counts?.users ?? 0} : ${counts?.logins ?? 0}) {
                      public function __construct(private int $count) {}
                      public function fetchColumn(): int { return $this->count; }
                  };
              }
              public function exec(string $sql): void { echo $sql; }
          };
      }`,
    );
    return php(["-d", `auto_prepend_file=${fake}`, join(scripts, "database-state.php"), ...args]);
  };

  test.each([
    ["empty", undefined],
    ["empty", { users: 0, logins: 0 }],
    ["unfinished", { users: 1, logins: 0 }],
    ["used", { users: 1, logins: 1 }],
    ["used", { users: 2, logins: 0 }],
  ])("says %s of a database with %j", (expected, counts) => {
    expect(state(counts)).toEqual({ status: 0, stdout: `${expected}\n`, stderr: "" });
  });

  test("forgets the administrator of an unfinished installation, and of no other", () => {
    expect(state({ users: 1, logins: 0 }, "forget-administrator")).toMatchObject({
      status: 0,
      stdout: "DELETE FROM oc_users",
    });
    for (const counts of [undefined, { users: 0, logins: 0 }, { users: 1, logins: 3 }, { users: 2, logins: 0 }])
      expect(state(counts, "forget-administrator")).toMatchObject({ status: 1, stdout: "" });
  });

  test("says which apps are on, one a line", () => {
    expect(state({ users: 2, logins: 1 }, "enabled-apps")).toEqual({
      status: 0,
      stdout: "calendar\ndav\n",
      stderr: "",
    });
  });

  test("fails without a trace, which could show the password, where the database does not answer", () => {
    const { status, stderr } = php([join(scripts, "database-state.php")], {
      NC_dbhost: "127.0.0.1:1",
      NC_dbname: "cloudsuite",
      NC_dbuser: "app",
      NC_dbpassword: "s3cret",
    });
    expect(status).toBe(1);
    expect(stderr).toContain("The database does not answer");
    expect(stderr).not.toMatch(/s3cret|Stack trace/);
  });
});

describe("fill-in.php", () => {
  const fillIn = (json: string, environment: Record<string, string>) =>
    php([join(scripts, "fill-in.php"), file("settings.json", json)], environment);

  test("puts variables in as JSON text", () => {
    const { stdout } = fillIn('{"a": "x-$' + '{SECRET}", "b": 1}', { SECRET: 'say "ü/\\' });
    expect(JSON.parse(stdout)).toEqual({ a: 'x-say "ü/\\', b: 1 });
  });

  test("names a variable that is missing, and prints nothing", () => {
    expect(fillIn('{"a": "$' + '{SECRET}"}', {})).toEqual({
      status: 1,
      stdout: "",
      stderr: "The environment variable SECRET is not set.\n",
    });
  });
});

describe("ready.php", () => {
  /** The exit status of the probe against a server that answers this. */
  async function probe(body: string, statusCode = 200): Promise<number | null> {
    const server = createServer((_, response) => response.writeHead(statusCode).end(body)).listen(0, "127.0.0.1");
    try {
      await new Promise((done) => server.once("listening", done));
      const { port } = server.address() as AddressInfo;
      const child = spawn("php", [join(scripts, "ready.php"), `http://127.0.0.1:${port}/status.php`]);
      return await new Promise((done) => child.once("exit", done));
    } finally {
      server.close();
    }
  }

  test.each([
    [0, '{"installed":true,"maintenance":false,"needsDbUpgrade":false}'],
    [0, '{"installed":true,"maintenance":true,"needsDbUpgrade":false}'],
    [1, '{"installed":false,"maintenance":false,"needsDbUpgrade":false}'],
    [1, '{"installed":true,"maintenance":true,"needsDbUpgrade":true}'],
    [1, "<html>a page</html>"],
    [1, ""],
  ])("ends with %i where status.php says %s", async (expected, body) => {
    expect(await probe(body)).toBe(expected);
  });

  test("is not ready where nothing answers", () => {
    expect(php([join(scripts, "ready.php"), "http://127.0.0.1:1/status.php"]).status).toBe(1);
  });
});
