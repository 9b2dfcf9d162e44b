import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

/** The Go installation on PATH. */
export interface Go {
  /** As Go says it: `go1.26.8`. */
  readonly version: string;
  readonly os: string;
  readonly arch: string;
  /** Where modules come from, as in `GOPROXY`: those that this user has already, then the user's own proxies. */
  readonly proxy: string;
}

/** The oldest Go the modules can be built with: the `go` line of their `go.mod`. */
const oldest = [1, 26] as const;
const remedy = `Install Go ${oldest.join(".")} or newer from https://go.dev/dl/, put it on PATH and run the same command again.`;

/**
 * Variables that override the user's environment and `go env -w`, so that the same files give the same programs
 * and nothing but the Go on PATH is used. Part of the cache key.
 */
export const buildEnvironment = {
  GOFLAGS: "-mod=readonly -trimpath -buildvcs=false",
  GOTOOLCHAIN: "local",
  GOWORK: "off",
  GO111MODULE: "on",
  CGO_ENABLED: "0",
} as const;

/** Looks at the Go on PATH. Throws one sentence when there is none or it is too old. */
export async function findGo(): Promise<Go> {
  const names = ["GOVERSION", "GOHOSTOS", "GOHOSTARCH", "GOMODCACHE", "GOPROXY"];
  let answer: Record<string, string | undefined>;
  try {
    const { stdout } = await promisify(execFile)("go", ["env", "-json", ...names], { env: environment({}) });
    answer = JSON.parse(stdout);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new Error(`Go is not on PATH, and the sandbox's programs are built with it. ${remedy}`);
    throw new Error(`\`go env\` failed, so this Go can't build the sandbox's programs. ${remedy}`, { cause: error });
  }
  const { GOVERSION = "", GOHOSTOS = "", GOHOSTARCH = "", GOMODCACHE = "", GOPROXY = "" } = answer;
  const [major, minor] = (/go(\d+)\.(\d+)/.exec(GOVERSION) ?? []).slice(1).map(Number);
  if (major === undefined || minor === undefined || major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    throw new Error(
      `The Go on PATH is ${GOVERSION || "of an unknown version"}, too old for the sandbox's programs. ${remedy}`,
    );
  const proxy = `${pathToFileURL(join(GOMODCACHE, "cache", "download"))},${GOPROXY}`;
  return { version: GOVERSION, os: GOHOSTOS, arch: GOHOSTARCH, proxy };
}

/** One run of the `go` command. */
export interface GoRun {
  readonly args: readonly string[];
  /** Folder of the Go module. */
  readonly source: string;
  /** Go's scratch folder, so that nothing is left elsewhere. */
  readonly scratch: string;
  /** Folder of downloaded modules and compiled packages. They are gigabytes, so they are not put into the user's own caches. */
  readonly caches: string;
  /** File that gets standard error. */
  readonly log: string;
  readonly go: Go;
  /** Stops Go and all it started; the promise then settles when they are gone. */
  readonly signal: AbortSignal;
}

/**
 * Runs `go` and returns its standard output.
 * Throws a sentence that tells a failed download and a full disk from a failed build, with the end of the log.
 */
export async function runGo({ args, source, scratch, caches, log, go, signal }: GoRun): Promise<string> {
  signal.throwIfAborted();
  const errors = openSync(log, "w");
  // A group of its own: the compilers that Go starts can be stopped with it, at once.
  const child = spawn("go", args, {
    cwd: source,
    env: environment({
      GOTMPDIR: scratch,
      GOOS: go.os,
      GOARCH: go.arch,
      GOMODCACHE: join(caches, "modules"),
      GOCACHE: join(caches, "compiled"),
      GOPROXY: go.proxy,
      // The compiler collects its garbage less often while there is memory: an eighth less of the processor.
      GOGC: "400",
      GOMEMLIMIT: "2GiB",
      // Without it Go makes modules read-only, and they could not be deleted.
      GOFLAGS: `${buildEnvironment.GOFLAGS} -modcacherw`,
    }),
    stdio: ["ignore", "pipe", errors],
    detached: true,
  });
  closeSync(errors);
  const stop = () => stopGroup(child);
  signal.addEventListener("abort", stop);
  process.once("exit", stop);
  try {
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    const [code] = await once(child, "close");
    signal.throwIfAborted();
    if (code !== 0) throw new Error(explain(await readFile(log, "utf8"), log, caches));
    return Buffer.concat(chunks).toString();
  } finally {
    signal.removeEventListener("abort", stop);
    process.removeListener("exit", stop);
  }
}

function stopGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGINT");
  } catch (error) {
    // It has just ended by itself.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function environment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...buildEnvironment, ...more };
}

const downloadFailed = /\bGet "https?:|reading https?:|dial tcp|no such host|i\/o timeout|TLS handshake|proxyconnect/;

function explain(text: string, log: string, caches: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("go: downloading "));
  const end = lines.slice(-8).map((line) => `  ${line}`);
  const what = text.includes("no space left on device")
    ? `the disk is full: free space where ${caches} is`
    : downloadFailed.test(text)
      ? "a Go module could not be downloaded: check the network and the Go module proxy (`go env GOPROXY`)"
      : "the Go build failed: correct what it names";
  return [`${what}, then run the same command again. The whole log is ${log}; it ends with:`, ...end].join("\n");
}
