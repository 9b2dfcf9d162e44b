import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limitOf } from "@hearth-platform/cli/sandbox/kubectl";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { hearth } from "../../support/caller.ts";

let state: string;
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "hearth-cli-"));
  vi.stubEnv("XDG_STATE_HOME", state);
  vi.stubEnv("HEARTH_SANDBOX", "unit");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(state, { recursive: true });
});

/** A sandbox that never ran; nothing here builds or starts anything. */
const sandbox = (...args: string[]) => hearth(state, "sandbox", ...args);

describe("a command of kubectl that a simulated pod can't answer", () => {
  it.each([
    [["-n", "platform", "exec", "keystore-0", "--", "valkey-cli", "dbsize"], /no program to reach/],
    [["top", "pods"], /no metrics-server/],
    [["logs", "forge-gitstore-0", "--previous"], /no earlier run/],
  ])("%s is told why", (args, why) => {
    expect(limitOf(args)).toMatch(why);
  });

  it.each([[["logs", "forge-gitstore-0"]], [["get", "pods"]], [["drain", "worker-1"]]])("%s could", (args) => {
    expect(limitOf(args)).toBeUndefined();
  });
});

describe("hearth sandbox", () => {
  it.each([
    { args: ["logs", "bogus"], says: /The parts are: etcd, kube-apiserver/ },
    { args: ["logs", "--follow"], says: /needs the name of a part/ },
    { args: ["kubectl"], says: /Missing required argument 'ARGUMENT'/ },
    { args: ["pulumi"], says: /Missing required argument 'ARGUMENT'/ },
    { args: ["build", "bogus"], says: /Allowed choices are operators/ },
    { args: ["reset"], says: /not a terminal: add --yes/ },
  ])("refuses $args with status 2 and nothing on standard output", async ({ args, says }) => {
    expect(await sandbox(...args)).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(says) });
  });

  it.each([
    ["env"],
    ["kubectl", "get", "pods"],
    ["kubectl", "--namespace", "team", "get", "pods", "--help"],
    ["pulumi", "preview", "--json"],
  ])("says how to start a sandbox that does not run: %s", async (...args) => {
    const result = await sandbox(...args);
    expect(result).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(/is not running: start it/) });
  });

  it("prints JSON alone for status --json, and fails while something is stopped", async () => {
    const result = await sandbox("status", "--json");
    expect(result).toMatchObject({ status: 1, stderr: "" });
    const { parts } = JSON.parse(result.stdout);
    expect(parts.map((part: { state: string }) => part.state)).toEqual(Array(9).fill("stopped"));
  });

  it("names the parts and their logs, and says which has written nothing", async () => {
    expect((await sandbox("logs")).stdout).toMatch(/^etcd +\/.*\n(?:.*\n)*operators +\/.*\n$/);
    expect(await sandbox("logs", "etcd")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("has no log yet"),
    });
  });

  it("has nothing to stop where nothing ran", async () => {
    expect(await sandbox("stop")).toMatchObject({ status: 0, stdout: "" });
  });
});
