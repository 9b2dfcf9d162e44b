import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";

/** What the configuration Job does beside configure.sh, with the real sh, and stand-ins for it and for occ. */

const script = join(import.meta.dirname, "../../../components/cloudsuite/scripts/configure-further.sh");

let folder: string;
const file = (name: string) => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-configure-"));
  mkdirSync(file("html"));
  copyFileSync(join(import.meta.dirname, "occ.php"), file("html/occ"));
  configureEnds(0);
});
afterEach(() => rmSync(folder, { recursive: true }));

function configureEnds(status: number): void {
  writeFileSync(file("configure.sh"), `echo configure.sh >>"$CALLS"; exit ${status}\n`);
}

async function run(env: Readonly<Record<string, string>>, state: object = {}) {
  writeFileSync(file("state.json"), JSON.stringify(state));
  writeFileSync(file("calls"), "");
  const { exitCode, stdout, stderr } = await execa("sh", [script], {
    env: { SCRIPTS: folder, HTML: file("html"), STATE: file("state.json"), CALLS: file("calls"), ...env },
    reject: false,
  });
  const calls = readFileSync(file("calls"), "utf8").trim().split("\n");
  return { exitCode, stdout, stderr, calls, state: JSON.parse(readFileSync(file("state.json"), "utf8")) };
}

test.each(["on", "off"])("with previews %s, a list from before is taken out of config.php", async (PREVIEWS) => {
  const system = { enabledPreviewProviders: ["OC\\Preview\\PNG"], version: "34.0.4.1" };
  const { exitCode, calls, state } = await run({ PREVIEWS }, { system });
  expect(exitCode).toBe(0);
  expect(calls).toEqual(["configure.sh", "config:system:delete enabledPreviewProviders"]);
  expect(state.system).toEqual({ version: "34.0.4.1" });
  // And once more, as after every change.
  expect((await run({ PREVIEWS }, state)).exitCode).toBe(0);
});

test("what the settings do not name stays as it is", async () => {
  expect((await run({})).calls).toEqual(["configure.sh"]);
});

test("fails where configure.sh does, and does the rest all the same", async () => {
  configureEnds(1);
  const { exitCode, calls } = await run({ PREVIEWS: "on" });
  expect(exitCode).toBe(1);
  expect(calls.at(-1)).toBe("config:system:delete enabledPreviewProviders");
});

test("fails where a list from before can't be taken away, and says so", async () => {
  const { exitCode, stderr } = await run({ PREVIEWS: "off" }, { failing: ["config:system:delete"] });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("The former list of what makes previews was not removed.");
});

test("with push on, the server is asked how it is", async () => {
  const { exitCode, calls, stderr } = await run({ PUSH: "on" });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(calls).toEqual(["configure.sh", "notify_push:self-test"]);
});

test("goes on where the server can't be asked by the public host yet, and says how to ask later", async () => {
  const { exitCode, stdout } = await run({ PUSH: "on" }, { selfTest: 1 });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("occ notify_push:self-test");
});

test("fails where Nextcloud does not trust the server, with the setting that mends it", async () => {
  const { exitCode, stderr } = await run({ PUSH: "on" }, { selfTest: 2 });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("clusterNetworks");
});

test("with push off, clients are sent nowhere and no pod is a proxy, however often that is said", async () => {
  const before = {
    apps: { notify_push: { base_endpoint: "https://cloud.example.org/push", cookie: "1" } },
    system: { trusted_proxies: ["192.0.2.0/24", "10.42.0.0/16"], version: "34.0.4.1" },
  };
  const { exitCode, calls, state } = await run({ PUSH: "off" }, before);
  expect(exitCode).toBe(0);
  expect(calls).not.toContain("notify_push:self-test");
  expect(state).toMatchObject({ apps: { notify_push: { cookie: "1" } }, system: { version: "34.0.4.1" } });
  expect([state.apps.notify_push.base_endpoint, state.system.trusted_proxies]).toEqual([undefined, undefined]);
  expect((await run({ PUSH: "off" }, state)).exitCode).toBe(0);
});

test.each(["config:app:delete", "config:system:delete"])("with push off, fails where %s does", async (command) => {
  expect((await run({ PUSH: "off" }, { failing: [command] })).exitCode).toBe(1);
});
