import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { withLock } from "@hearth-platform/sandbox/lock";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { execa } from "execa";
import { type Project, projectOf } from "./support/projects.ts";
import { aptLine, filesWithout, missingPrograms } from "./support/system-programs.ts";
import { reapSandboxes } from "./support/test-sandboxes.ts";

/** What one part of `npm test` came to. */
interface Outcome {
  readonly passed: number;
  readonly skipped: number;
  /** What failed, to be named at the end: parts run beside each other, and a log may keep its last lines alone. */
  readonly failures: readonly string[];
}

/** What vitest's reporter `json` writes, in part. */
interface Report {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const root = join(import.meta.dirname, "..");
const bin = join(root, "node_modules", ".bin");
const environment = { PATH: `${bin}${delimiter}${process.env.PATH}` };

/** Aborted by Ctrl-C and the like: what runs is ended, and nothing else begun. */
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => interrupted.abort());

const failing = (what: string): Outcome => ({ passed: 0, skipped: 0, failures: [what] });

/** The first lines of what a test says, where a list of failures has room for them. */
const indented = (message: string) =>
  stripVTControlCharacters(message)
    .split("\n")
    .filter((line) => !line.includes("/node_modules/"))
    .slice(0, 12)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join("\n");

/** Runs `command` with its output shown; passes when it exits 0. */
async function check(title: string, command: string, ...args: string[]): Promise<Outcome> {
  if (interrupted.signal.aborted) return failing(title);
  console.log(`\n== ${title}`);
  const { exitCode } = await execa(join(bin, command), args, {
    cwd: root,
    env: environment,
    stdio: "inherit",
    reject: false,
    cancelSignal: interrupted.signal,
  });
  return exitCode === 0 ? { passed: 1, skipped: 0, failures: [] } : failing(title);
}

/**
 * Runs a vitest project and counts its tests; a file that can't be loaded or a stray error counts as a failure.
 * @param beside another one: its output is shown when it has ended
 */
async function tests(title: string, project: Project, { beside = false } = {}): Promise<Outcome> {
  if (interrupted.signal.aborted) return failing(title);
  if (!beside) console.log(`\n== ${title}`);
  const folder = mkdtempSync(join(tmpdir(), "hearth-test-"));
  const report = join(folder, "report.json");
  const args = ["run", "--project", project, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  // The configuration of vitest leaves them out.
  const skippedFiles = [...without].filter(([file]) => projectOf(file) === project);
  for (const [file, programs] of skippedFiles) console.log(`skipped: ${file} (needs ${programs.join(", ")})`);
  const { exitCode, all } = await execa(join(bin, "vitest"), args, {
    cwd: root,
    // What unit tests write goes with the run. End-to-end tests delete their sandboxes themselves, which have processes there.
    env: { ...environment, ...(project === "unit" && { TMPDIR: folder }) },
    ...(beside ? { stdin: "ignore", all: true } : { stdio: "inherit" }),
    reject: false,
    cancelSignal: interrupted.signal,
  });
  if (beside) console.log(`\n== ${title}\n${all}`);
  try {
    const counts: Report = JSON.parse(readFileSync(report, "utf8"));
    const failures = counts.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const file = relative(root, name);
      const failed = assertionResults.filter((test) => test.status === "failed");
      // A file that can't be loaded, or whose preparation fails, fails without a test.
      if (status === "failed" && failed.length === 0)
        return [`${file}: outside of its tests\n${indented(message)}`.trimEnd()];
      return failed.map((test) => `${file}: ${test.fullName}\n${indented(test.failureMessages.join("\n"))}`);
    });
    if (failures.length === 0 && exitCode !== 0) failures.push(`${title}: no test, but vitest ended with ${exitCode}`);
    return {
      passed: counts.numPassedTests,
      skipped: counts.numPendingTests + counts.numTodoTests + skippedFiles.length,
      failures,
    };
  } catch {
    return failing(title);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Installs the programs that the machine lacks, where this process may: as root on a Debian. Says what to do otherwise. */
async function ensurePrograms(): Promise<void> {
  const missing = missingPrograms();
  if (missing.length === 0) return;
  const line = aptLine(missing);
  console.log(`The tests need programs that this machine lacks: ${missing.map(({ program }) => program).join(", ")}.`);
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) {
    console.log(`Tests that need them are skipped. Install them with: ${line}`);
    return;
  }
  console.log(`Installing them: ${line}`);
  // A server's package would start it; the tests run their own.
  const keepsServersDown = existsSync(startPolicy);
  if (!keepsServersDown) writeFileSync(startPolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    const { exitCode, all } = await execa("sh", ["-c", line], { env, all: true, reject: false, stdin: "ignore" });
    if (exitCode !== 0) console.log(`They could not be installed, and tests that need them are skipped:\n${all}`);
  } finally {
    if (!keepsServersDown) rmSync(startPolicy);
  }
}

/** Whom Debian's packages ask before they start a server: invoke-rc.d(8). */
const startPolicy = "/usr/sbin/policy-rc.d";

await ensurePrograms();
const without = filesWithout(missingPrograms());

/** All of them, in their order. */
const parts = async (): Promise<Outcome[]> => [
  await check("Types", "tsc", "--noEmit"),
  await check("Types of the site", "tsc", "-p", "docs/.vitepress"),
  await check("Lint and format", "biome", "check", "--error-on-warnings"),
  await check("Unused code and dependencies", "knip"),
  await tests("Unit and graph tests", "unit"),
  // All at once: they share code, and no test's time limit has a build in it.
  await check("Programs that the end-to-end tests run", "hearth", "sandbox", "build", "operators"),
  // Half of their time is waiting, too: for plugins to start, pods to be ready, parts to heal.
  ...(await Promise.all([
    tests("End-to-end tests that share a sandbox", "e2e"),
    tests("End-to-end tests in an empty sandbox, and in sandboxes of their own", "e2e-empty", { beside: true }),
  ])),
];

// Two runs of one checkout would end each other's sandboxes.
const leave = () => process.exit(130);
const outcomes = await withLock(
  join(root, "node_modules", ".tests"),
  {
    stale: 60_000,
    waiting() {
      interrupted.signal.addEventListener("abort", leave);
      return createProgress().step("Waiting for another run of the tests in this checkout");
    },
  },
  () => {
    interrupted.signal.removeEventListener("abort", leave);
    return parts();
  },
);
if (interrupted.signal.aborted) {
  console.log(`\nInterrupted. Deleted the tests' sandboxes: ${(await reapSandboxes()).join(", ") || "none was left"}.`);
  process.exit(130);
}
const sum = (count: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + count(outcome), 0);
const skipped = sum((outcome) => outcome.skipped);
if (skipped > 0) console.log(`\n${skipped} skipped: their programs are missing, or their file failed before them.`);
const failures = outcomes.flatMap((outcome) => outcome.failures);
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `- ${failure}`).join("\n")}`);
console.log(`\n${sum((outcome) => outcome.passed)} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
