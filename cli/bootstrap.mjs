#!/usr/bin/env node
// `./hearth` runs this with whatever Node the machine has where the packages may be missing. It installs the npm packages
// when that is due and then runs the command line under the packaged Node 24. Plain JavaScript without a dependency,
// since there may be no packages yet. Standard output belongs to the command: everything here goes to standard error.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  utimesSync,
} from "node:fs";
import { constants, homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const checkout = dirname(dirname(fileURLToPath(import.meta.url)));
const binaries = join(checkout, "node_modules", ".bin");
const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hearth");
const checkoutId = createHash("sha256").update(checkout).digest("hex").slice(0, 8);

const oldestStarter = 20;
const oldestRunner = 24;
const major = Number(process.versions.node.split(".")[0]);

/**
 * Installs the npm packages when those that are installed are not those of `package-lock.json`. Ends the
 * process with one sentence and status 1 when this Node is too old or the installation fails.
 */
export async function ensurePackages() {
  if (major < oldestStarter)
    fail(
      `This is Node ${process.versions.node}, too old: install Node ${oldestStarter} or newer and run the same command again.`,
    );
  if (isInstalled()) return;
  await withLock(async () => {
    // Another run may have installed them while this one waited.
    if (!isInstalled()) await install();
  });
}

/**
 * The Node that runs the project's TypeScript: the packaged one, else this one where it is new enough. Call it after
 * `ensurePackages`; ends the process with one sentence and status 1 when there is none.
 */
export function nodePath() {
  const packaged = join(binaries, "node");
  if (existsSync(packaged)) return packaged;
  if (major >= oldestRunner) return process.execPath;
  return fail(
    `There is no packaged Node for ${process.platform}-${process.arch}, and the machine's is ${process.versions.node}: ` +
      `install Node ${oldestRunner} or newer and run the same command again.`,
  );
}

/** Whether what npm recorded in `node_modules` is what the lock file asks for; `npm install` by hand counts as well. */
function isInstalled() {
  const wanted = packagesOf(join(checkout, "package-lock.json"));
  const found = packagesOf(join(checkout, "node_modules", ".package-lock.json"));
  if (!found) return false;
  // Optional packages are mostly for other platforms; of these only our Node is a must.
  const ownNode = `node_modules/node-${process.platform}-${process.arch}`;
  const isDue = ([path, { version, optional }]) =>
    path in found ? found[path].version !== version : path === ownNode || !optional;
  return !Object.entries(wanted).some(isDue) && Object.keys(found).every((path) => path in wanted);
}

/** The packages of a lock file by their folder, the project itself left out; undefined where there is no such file. */
function packagesOf(lockFile) {
  if (!existsSync(lockFile)) return undefined;
  const { "": _project, ...packages } = JSON.parse(readFileSync(lockFile, "utf8")).packages ?? {};
  return packages;
}

async function install() {
  const log = join(cacheFolder, `npm-${checkoutId}.log`);
  const output = openSync(log, "w");
  const started = Date.now();
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  say("Installing the npm packages …");
  const signOfLife = setInterval(() => say(`Installing the npm packages … ${elapsed()} so far`), 30_000);
  // Under NODE_ENV=production npm would leave out the packages that the sandbox and the tests are made of.
  const options = ["--ignore-scripts", "--include=dev", "--include=optional", "--loglevel=error"];
  // npm ci begins by deleting node_modules, and with it npm's record: a failed installation leaves none.
  const ended = await run("npm", ["ci", ...options], { cwd: checkout, stdio: ["ignore", output, output] });
  clearInterval(signOfLife);
  closeSync(output);
  if (ended.error)
    fail(
      `npm can't be started (${ended.error.message}): it comes with Node; put it on PATH and run the same command again.`,
    );
  if (ended.signal) endAs(ended);
  if (ended.code !== 0) fail(whyNpmFailed(log));
  say(`Installing the npm packages: done (${elapsed()})`);
}

function whyNpmFailed(log) {
  const text = readFileSync(log, "utf8");
  const what = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|network/.test(text)
    ? "The npm packages could not be downloaded: check the network and npm's registry (`npm config get registry`)"
    : /ENOSPC/.test(text)
      ? `The npm packages could not be installed, since the disk is full: make room in ${checkout}`
      : "The npm packages could not be installed";
  // npm tells the cause first and, at times, all its options after it.
  const lines = text.split("\n").filter((line) => /\w.*\w/.test(line.replace("npm error", "")));
  return [`${what}, then run the same command again. The log is ${log}:`, ...lines.slice(0, 6)].join("\n  ");
}

/**
 * Runs `work` while no other process installs into this checkout. The lock is a folder whose time stamp its holder
 * renews: the lock of a process that died counts no more after 20 seconds.
 */
async function withLock(work) {
  mkdirSync(cacheFolder, { recursive: true });
  const lock = join(cacheFolder, `npm-${checkoutId}.lock`);
  for (let waiting = false; !tryLock(lock); waiting = true) {
    if (!waiting) say("Waiting for another run that installs the npm packages …");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const unlock = () => rmdirSync(lock);
  const renewal = setInterval(() => utimesSync(lock, new Date(), new Date()), 2_000);
  process.once("exit", unlock);
  try {
    await work();
  } finally {
    clearInterval(renewal);
    process.removeListener("exit", unlock);
    unlock();
  }
}

function tryLock(lock) {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  try {
    if (statSync(lock).mtimeMs < Date.now() - 20_000) rmdirSync(lock);
  } catch (error) {
    // Another run has just removed it.
    if (error.code !== "ENOENT") throw error;
  }
  return false;
}

/** Runs a command, passing signals on, and tells how it ended. */
function run(command, args, options) {
  const child = spawn(command, args, options);
  // In a terminal Ctrl-C reaches the child by itself; a second one would mean "at once" to Pulumi.
  const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const forward = (signal) => {
    if (signal !== "SIGINT" || !terminal) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve) => {
    const end = (result) => {
      for (const signal of signals) process.removeListener(signal, forward);
      resolve(result);
    };
    child.once("error", (error) => end({ error }));
    child.once("close", (code, signal) => end({ code, signal }));
  });
}

/** Ends this process with the child's status: as in a shell, 128 and the signal's number when a signal ended it. */
function endAs({ code, signal }) {
  process.exit(signal ? 128 + constants.signals[signal] : code);
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(message) {
  say(message);
  process.exit(1);
}

if (process.argv[1] && fileURLToPath(import.meta.url) === realpathSync(process.argv[1])) {
  await ensurePackages();
  const env = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ""}` };
  const args = [join(checkout, "cli", "main.mjs"), ...process.argv.slice(2)];
  endAs(await run(nodePath(), args, { stdio: "inherit", env }));
}
