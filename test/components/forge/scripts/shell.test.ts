import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { scriptNames } from "@hearth-platform/hearth/forge/configuration";
import { podConfiguration } from "@hearth-platform/hearth/forge/configuration/pod-configuration";
import { parse } from "smol-toml";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { completeConfiguration } from "../forge.ts";
import { ForgeContainer, scriptPath } from "./container.ts";

let container: ForgeContainer;

beforeEach(() => {
  container = new ForgeContainer();
});

test("every script has a name by which pods run it", () => {
  expect(Object.values(scriptNames).sort()).toEqual(readdirSync(dirname(scriptPath("any"))).sort());
});

describe("migrate.sh", () => {
  beforeEach(() => {
    container.fake("image/wait-for-deps");
    container.fake("image/db-migrate");
  });

  test("waits for the stores, then migrates", () => {
    expect(container.run("migrate.sh").status).toBe(0);
    expect(container.calls()).toEqual(["wait-for-deps", "db-migrate"]);
  });

  test("fails where the stores do not answer, or a migration fails", () => {
    container.fake("image/db-migrate", "exit 3");
    expect(container.run("migrate.sh").status).toBe(3);
    container.fake("image/wait-for-deps", "exit 1");
    expect(container.run("migrate.sh").status).toBe(1);
    expect(container.calls()).toEqual(["wait-for-deps", "db-migrate", "wait-for-deps"]);
  });
});

describe("start-toolbox.sh", () => {
  test("gives the backup tool its settings and ends at once when it has to", async () => {
    container.file("config/s3cfg", "[default]\n");
    const child = spawn("sh", [scriptPath("start-toolbox.sh")], { env: container.environment() });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const settings = join(container.folder, "home/.s3cfg");
    await vi.waitUntil(() => existsSync(settings), { timeout: 60_000 });
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    child.kill("SIGTERM");
    // A signal before the script waits for one ends it, too, only not with 0.
    expect([0, null]).toContain(await ended);
  });
});

describe("start-runner.sh", () => {
  /** A runner that can be told to end gracefully: it says that it was, and ends with 3. */
  const runner = `exec ruby --disable-gems -e 'trap("QUIT") { File.write(ENV["CALLS"], "quit\\n", mode: "a"); exit 3 }; File.write(ENV["CALLS"], "up\\n", mode: "a"); sleep'`;
  const awkward = 'a"b\\c/&$(x)|`';

  function start() {
    const env = container.environment({
      TEMPLATE: container.file(
        "config.toml",
        (podConfiguration("runner", completeConfiguration)["config.toml"] ?? "").replaceAll(
          "@file:/secrets/",
          `@file:${join(container.folder, "secrets")}/`,
        ),
      ),
      TOKEN: join(container.folder, "secrets/runner/token"),
      REFRESH_SECONDS: "0.05",
    });
    const child = spawn("sh", [scriptPath("start-runner.sh")], { env, stdio: ["ignore", "pipe", "inherit"] });
    return { child, ended: new Promise<number | null>((resolve) => child.once("exit", resolve)) };
  }

  /** As a mounted Secret changes: in one step. */
  function secret(path: string, content: string): void {
    renameSync(container.file(`${path}.new`, content), join(container.folder, path));
  }

  const token = () => {
    const config = parse(readFileSync(join(container.folder, "home/config.toml"), "utf8")) as {
      runners: { token: string }[];
    };
    return config.runners[0]?.token;
  };

  test("waits for its token, follows a new one, and ends gracefully with the runner's own code", async () => {
    container.fake("bin/gitlab-runner", runner);
    container.file("secrets/objectstorage/access-key-id", "id");
    container.file("secrets/objectstorage/secret-access-key", awkward);
    mkdirSync(join(container.folder, "secrets/runner"));
    const { child, ended } = start();
    try {
      const [output] = await new Promise<Buffer[]>((resolve) => child.stdout.once("data", (data) => resolve([data])));
      expect(String(output)).toContain("Waiting for the token");
      expect(container.calls()).toEqual([""]);

      secret("secrets/runner/token", "glrt-t1_first\n");
      await vi.waitUntil(() => container.calls().includes("up"), { timeout: 60_000 });
      expect(container.calls()[0]).toBe("gitlab-runner run --config /home/config.toml --working-directory /home");
      const written = parse(readFileSync(join(container.folder, "home/config.toml"), "utf8"));
      expect(written).toMatchObject({
        runners: [{ token: "glrt-t1_first", cache: { s3: { AccessKey: "id", SecretKey: awkward } } }],
      });
      expect(statSync(join(container.folder, "home/config.toml")).mode & 0o777).toBe(0o600);

      secret("secrets/runner/token", "glrt-t1_second");
      await vi.waitUntil(() => token() === "glrt-t1_second", { timeout: 60_000 });

      child.kill("SIGTERM");
      expect(await ended).toBe(3);
      expect(container.calls().at(-1)).toBe("quit");
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("ends with the runner", async () => {
    container.fake("bin/gitlab-runner", "exit 4");
    container.file("secrets/objectstorage/access-key-id", "id");
    container.file("secrets/objectstorage/secret-access-key", "key");
    container.file("secrets/runner/token", "glrt-t1_first");
    expect(await start().ended).toBe(4);
  });
});
