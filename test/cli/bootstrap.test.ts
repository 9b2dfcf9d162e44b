import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";

/** Installs as npm does, as far as the bootstrap can see: `node_modules` is deleted first and made at the end. */
const npm = `#!/bin/sh
here=$(dirname "$0")
echo "$@" >> "$here/calls"
rm -rf node_modules
[ -f "$here/slow" ] && sleep 0.1
if [ -f "$here/failure" ]; then cat "$here/failure" >&2; exit 1; fi
mkdir -p node_modules/.bin
cp package-lock.json node_modules/.package-lock.json
[ -f "$here/no-node" ] || ln -s "${process.execPath}" node_modules/.bin/node
echo "added 1 package"
`;

const cli = `
const [what, value] = process.argv.slice(2);
if (what === "exit") process.exitCode = Number(value);
if (what === "wait") {
  process.on("SIGINT", () => process.exit(7));
  setInterval(() => {}, 1_000);
}
// Whoever reads this may send a signal.
console.log(JSON.stringify({ args: process.argv.slice(2), node: process.execPath, path: process.env.PATH }));
`;

function lockFile(packages: Record<string, string>, optional: Record<string, string> = {}): string {
  const entries = [
    ...Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }]),
    ...Object.entries(optional).map(([name, version]) => [`node_modules/${name}`, { version, optional: true }]),
  ];
  return JSON.stringify({ packages: Object.fromEntries([["", {}], ...entries]) });
}

/** A checkout of its own with a fake npm, and a cache of its own. */
class Checkout {
  readonly folder: string;

  static async create(): Promise<Checkout> {
    const checkout = new Checkout(await mkdtemp(join(tmpdir(), "bootstrap-")));
    for (const folder of ["bin", "cli"]) await mkdir(checkout.path(folder), { recursive: true });
    await writeFile(checkout.path("bin/npm"), npm, { mode: 0o755 });
    await cp(join(import.meta.dirname, "../../cli/bootstrap.mjs"), checkout.path("cli/bootstrap.mjs"));
    await checkout.write("cli/main.mjs", cli);
    await cp(join(import.meta.dirname, "../../hearth"), checkout.path("hearth"));
    await checkout.write("package.json", '{ "type": "module" }');
    await checkout.write("package-lock.json", "{}");
    return checkout;
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Leaves what npm leaves after an installation of these packages. */
  async installed(packages: Record<string, string>): Promise<void> {
    await mkdir(this.path("node_modules/.bin"), { recursive: true });
    await this.write("node_modules/.package-lock.json", lockFile(packages));
    await symlink(process.execPath, this.path("node_modules/.bin/node"));
  }

  write(name: string, text = ""): Promise<void> {
    return writeFile(this.path(name), text);
  }

  async installations(): Promise<number> {
    const calls = await readFile(this.path("bin/calls"), "utf8").catch(() => "");
    return calls.split("\n").length - 1;
  }

  /** @param nodeVersion what the machine's Node says it is */
  start(args: string[], { nodeVersion = process.versions.node, PATH = "/usr/bin:/bin" } = {}) {
    const versions = JSON.stringify({ ...process.versions, node: nodeVersion });
    const disguise = `data:text/javascript,Object.defineProperty(process,"versions",{value:${versions}})`;
    const env = { PATH: `${this.path("bin")}:${PATH}`, HOME: this.folder, XDG_CACHE_HOME: this.path("cache") };
    const child = spawn(process.execPath, ["--import", disguise, this.path("cli/bootstrap.mjs"), ...args], { env });
    return { child, ended: outcome(child) };
  }

  run(args: string[], options?: Parameters<Checkout["start"]>[1]) {
    return this.start(args, options).ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}

async function outcome(child: ChildProcess) {
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name]?.on("data", (chunk) => (text[name] += chunk));
  const [status] = await once(child, "close");
  return { status, ...text };
}

vi.setConfig({ testTimeout: 90_000 });

describe("npm packages", () => {
  test("are installed, without lifecycle scripts, only when the lock file has changed", async () => {
    await using checkout = await Checkout.create();
    expect((await checkout.run(["status"])).stderr).toMatch(/^Installing the npm packages …\n.*: done \(0 s\)\n$/);
    expect(await readFile(checkout.path("bin/calls"), "utf8")).toMatch(/^ci --ignore-scripts /);
    expect((await checkout.run(["status"])).stderr).toBe("");
    expect(await checkout.installations()).toBe(1);

    await checkout.write("package-lock.json", lockFile({ x: "1.0.0" }));
    expect(await checkout.run(["status"])).toMatchObject({ status: 0 });
    expect(await checkout.installations()).toBe(2);
  });

  test.each([
    ["a package of another version", { x: "1.0.1" }, {}],
    ["a package that is missing", { x: "1.0.0", y: "1.0.0" }, {}],
    ["a package that is no longer wanted", {}, {}],
    ["no Node for this platform", { x: "1.0.0" }, { [`node-${process.platform}-${process.arch}`]: "24.0.0" }],
  ])("are installed again over %s", async (_, packages, optional) => {
    await using checkout = await Checkout.create();
    await checkout.installed({ x: "1.0.0" });
    await checkout.write("package-lock.json", lockFile(packages, optional));
    await checkout.run(["status"]);
    expect(await checkout.installations()).toBe(1);
  });

  test("are left alone where only optional packages of other platforms are missing", async () => {
    await using checkout = await Checkout.create();
    await checkout.installed({ x: "1.0.0" });
    await checkout.write("package-lock.json", lockFile({ x: "1.0.0" }, { "x-plan9": "1.0.0" }));
    expect(await checkout.run(["status"])).toMatchObject({ status: 0, stderr: "" });
    expect(await checkout.installations()).toBe(0);
  });

  test("are installed once by two runs at once", async () => {
    await using checkout = await Checkout.create();
    await checkout.write("bin/slow");
    const runs = await Promise.all([checkout.run(["status"]), checkout.run(["status"])]);
    expect(runs.map(({ status }) => status)).toEqual([0, 0]);
    expect(await checkout.installations()).toBe(1);
  });

  test.each([
    [
      "no network",
      "npm error code ENOTFOUND\nnpm error network request failed",
      "could not be downloaded: check the network",
    ],
    ["no space", "npm error nospc ENOSPC: no space left on device, write", "the disk is full"],
    [
      "a broken lock file",
      "npm error Missing: x@1 from lock file",
      "The npm packages could not be installed, then run",
    ],
  ])(
    "that can't be installed end it with a sentence and the log, and are tried again: %s",
    async (_, failure, sentence) => {
      await using checkout = await Checkout.create();
      await checkout.write("bin/failure", failure);
      const { status, stdout, stderr } = await checkout.run(["status"]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain(sentence);
      expect(stderr).toContain(failure.split("\n").at(-1));
      const log = /log is (\S+):/.exec(stderr)?.[1] ?? "";
      expect(await readFile(log, "utf8")).toBe(failure);

      await rm(checkout.path("bin/failure"));
      expect(await checkout.run(["status"])).toMatchObject({ status: 0 });
      expect(await checkout.installations()).toBe(2);
    },
  );

  test("are installed although a killed run left its lock", async () => {
    await using checkout = await Checkout.create();
    const id = createHash("sha256").update(checkout.folder).digest("hex").slice(0, 8);
    const lock = checkout.path(`cache/hearth/npm-${id}.lock`);
    await mkdir(lock, { recursive: true });
    await utimes(lock, new Date(0), new Date(0));
    expect(await checkout.run(["status"])).toMatchObject({ status: 0 });
  });

  test("need npm, which is said", async () => {
    await using checkout = await Checkout.create();
    await rm(checkout.path("bin/npm"));
    const { status, stderr } = await checkout.run(["status"], { PATH: "/nonexistent" });
    expect(status).toBe(1);
    expect(stderr).toContain("npm can't be started");
  });
});

describe("the command line", () => {
  test("runs under the packaged Node, with the packages' commands first on PATH and nothing else on standard output", async () => {
    await using checkout = await Checkout.create();
    await checkout.installed({});
    const { stdout } = await checkout.run(["kubectl", "get", "--output=json"], { nodeVersion: "20.11.0" });
    const told = JSON.parse(stdout);
    expect(told.args).toEqual(["kubectl", "get", "--output=json"]);
    expect(told.path.split(":")[0]).toBe(checkout.path("node_modules/.bin"));
  });

  test("gives its exit status on", async () => {
    await using checkout = await Checkout.create();
    await checkout.installed({});
    expect(await checkout.run(["exit", "3"])).toMatchObject({ status: 3 });
  });

  test.each([
    ["SIGINT", 7],
    ["SIGTERM", 143],
  ] as const)("gets %s and decides how to end", async (signal, status) => {
    await using checkout = await Checkout.create();
    await checkout.installed({});
    const { child, ended } = checkout.start(["wait"]);
    const printed = vi.fn();
    child.stdout?.once("data", printed);
    await vi.waitFor(() => expect(printed).toHaveBeenCalled(), { timeout: 20_000, interval: 20 });
    child.kill(signal);
    expect(await ended).toMatchObject({ status });
  });
});

describe("./hearth", () => {
  /** Runs it as a person does, with a machine's Node that counts its starts, through a link from elsewhere. */
  async function start(checkout: Checkout, ...args: string[]) {
    const link = checkout.path("bin/hearth");
    await symlink("../hearth", link).catch(() => {});
    await writeFile(
      checkout.path("bin/node"),
      `#!/bin/sh\necho x >> ${checkout.path("starts")}\nexec ${process.execPath} "$@"\n`,
      { mode: 0o755 },
    );
    const env = { PATH: `${checkout.path("bin")}:/usr/bin:/bin`, HOME: checkout.folder };
    return outcome(spawn(link, args, { env, cwd: tmpdir() }));
  }

  test("installs what is missing, and afterwards goes to the packaged Node at once", async () => {
    await using checkout = await Checkout.create();
    expect(await start(checkout, "exit", "3")).toMatchObject({ status: 3 });
    expect(await checkout.installations()).toBe(1);
    await utimes(checkout.path("package-lock.json"), new Date(0), new Date(0));

    const { status, stdout, stderr } = await start(checkout, "a b", "--json", "");
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({
      args: ["a b", "--json", ""],
      path: expect.stringMatching(`^${checkout.path("node_modules/.bin")}:`),
    });
    expect(await readFile(checkout.path("starts"), "utf8")).toBe("x\n");
  });

  test("looks closer where the lock file is newer than the packages", async () => {
    await using checkout = await Checkout.create();
    await checkout.installed({});
    const later = new Date(Date.now() + 1_000);
    await checkout.write("package-lock.json", lockFile({ x: "1.0.0" }));
    await utimes(checkout.path("package-lock.json"), later, later);
    await start(checkout, "exit", "0");
    expect(await checkout.installations()).toBe(1);
  });
});

describe("the machine's Node", () => {
  test("that is older than 20 is refused, and nothing is installed", async () => {
    await using checkout = await Checkout.create();
    const { status, stdout, stderr } = await checkout.run(["status"], { nodeVersion: "18.20.8" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe("This is Node 18.20.8, too old: install Node 20 or newer and run the same command again.\n");
    expect(await checkout.installations()).toBe(0);
  });

  test("runs the command line where there is no packaged one, if it is new enough", async () => {
    await using checkout = await Checkout.create();
    await checkout.write("bin/no-node");
    const { stdout } = await checkout.run(["status"], { nodeVersion: "24.0.0" });
    expect(JSON.parse(stdout).node).toBe(process.execPath);
  });

  test("is said to be too old where there is no packaged one", async () => {
    await using checkout = await Checkout.create();
    await checkout.write("bin/no-node");
    const { status, stderr } = await checkout.run(["status"], { nodeVersion: "22.1.0" });
    expect(status).toBe(1);
    expect(stderr).toContain("no packaged Node for");
    expect(stderr).toContain("the machine's is 22.1.0: install Node 24 or newer");
  });
});
