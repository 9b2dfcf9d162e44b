import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The database's own record of its version against the image's, under the real PHP. The database is a stand-in that answers the one query. */

const script = join(import.meta.dirname, "../../../components/cloudsuite/scripts/check-database.php");
const folder = mkdtempSync(join(tmpdir(), "hearth-suite-"));

beforeAll(() => {
  mkdirSync(join(folder, "core/Migrations"), { recursive: true });
  for (const name of ["13000Date20170705121758", "31000Date20240814184402", "31000Date20250213102442"])
    writeFileSync(join(folder, `core/Migrations/Version${name}.php`), "<?php");
  writeFileSync(
    join(folder, "database.php"),
    `<?php
if (!class_exists('PDO')) { class PDO { const FETCH_COLUMN = 7; } class PDOException extends Exception {} }
class Failure extends PDOException { public function __construct(string $code) { parent::__construct('it is away'); $this->code = $code; } }
function connectDatabase(): object {
    return new class {
        public function query(string $query): object {
            if ($query !== "SELECT version FROM oc_migrations WHERE app = 'core'") throw new Failure('42601');
            $answer = getenv('ANSWER');
            if (preg_match('/^[0-9A-Z]{5}$/', $answer)) throw new Failure($answer);
            return new class($answer) {
                public function __construct(private string $answer) {}
                public function fetchAll(int $mode): array { return $this->answer === '' ? [] : explode(' ', $this->answer); }
            };
        }
    };
}
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function check(answer: string) {
  const { status, stderr } = spawnSync(
    "php",
    ["-d", `auto_prepend_file=${join(folder, "database.php")}`, script, folder],
    {
      encoding: "utf8",
      env: { PATH: process.env.PATH, ANSWER: answer },
    },
  );
  return { status, stderr };
}

test.each([
  ["a database that is as new as the image", "13000Date20170705121758 31000Date20250213102442"],
  ["an older database, which is upgraded", "13000Date20170705121758 30000Date20240906095113"],
  ["one with a migration that later images have no more", "9000Date20160101000000 31000Date20240814184402"],
  ["a database without migrations", ""],
  ["an empty database", "42P01"],
])("a suite with %s starts", (_, answer) => {
  expect(check(answer)).toEqual({ status: 0, stderr: "" });
});

test.each([
  ["a later major's", "31000Date20250213102442 32000Date20250731062008", "32 or newer"],
  ["a later release's of the same major", "31000Date20250213102442 31000Date20250601000000", "31 or newer"],
])("%s database does not start, and it is said what to do", (_, answer, remedy) => {
  const { status, stderr } = check(answer);
  expect(status).toBe(1);
  expect(stderr).toContain(remedy);
});

test("a database that does not answer holds nothing up, and is told", () => {
  const { status, stderr } = check("08006");
  expect(status).toBe(0);
  expect(stderr).toContain("its version is not compared: it is away");
});
