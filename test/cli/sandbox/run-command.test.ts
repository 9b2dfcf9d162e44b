import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@hearth-platform/cli/sandbox/run-command";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

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

interface Result {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line on a sandbox that never ran; nothing here builds or starts anything. */
async function sandbox(...args: string[]): Promise<Result> {
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      written[stream] += text;
      return true;
    }),
  );
  try {
    return { exitCode: await runCommand(args), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const commands = ["start", "status", "stop", "reset", "logs", "kubectl", "pulumi", "env", "build"];

describe("the command line", () => {
  it("lists every command when asked for nothing or for help", async () => {
    const nothing = await sandbox();
    const help = await sandbox("help");
    expect(nothing).toMatchObject({ exitCode: 0, stderr: "" });
    expect(help.stdout).toBe(nothing.stdout);
    for (const command of commands) expect(help.stdout).toMatch(new RegExp(`^ {2}${command} `, "m"));
  });

  it.each(commands)("has help for %s, two ways", async (command) => {
    const option = await sandbox(command, "--help");
    const word = await sandbox("help", command);
    expect(option).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringContaining(command) });
    expect(word.stdout).toBe(option.stdout);
  });

  it.each([
    { args: ["bogus"], says: /no command "bogus"/ },
    { args: ["help", "bogus"], says: /no command "bogus"/ },
    { args: ["constructor"], says: /no command/ },
    { args: ["status", "--jsn"], says: /Unknown option '--jsn'\./ },
    { args: ["stop", "now"], says: /"now" is one word too many/ },
    { args: ["logs", "bogus"], says: /take one of etcd, kube-apiserver/ },
    { args: ["logs", "-f"], says: /needs the name of a part/ },
    { args: ["kubectl"], says: /what kubectl should do/ },
    { args: ["pulumi"], says: /what pulumi should do/ },
    { args: ["build", "bogus"], says: /no "bogus" to build: write "operators"/ },
    { args: ["build", "operators", "now"], says: /"now" is one word too many/ },
    { args: ["reset"], says: /not a terminal: add --yes/ },
  ])("refuses $args with status 2 and nothing on standard output", async ({ args, says }) => {
    expect(await sandbox(...args)).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringMatching(says) });
  });

  it.each([["env"], ["kubectl", "get", "pods"], ["pulumi", "preview"]])(
    "says how to start a sandbox that does not run: %s",
    async (...args) => {
      const result = await sandbox(...args);
      expect(result).toMatchObject({
        exitCode: 1,
        stdout: "",
        stderr: expect.stringMatching(/is not running: start it/),
      });
    },
  );

  it("prints JSON alone for status --json, and fails while something is stopped", async () => {
    const result = await sandbox("status", "--json");
    expect(result).toMatchObject({ exitCode: 1, stderr: "" });
    const { parts } = JSON.parse(result.stdout);
    expect(parts.map((part: { state: string }) => part.state)).toEqual(Array(8).fill("stopped"));
  });

  it("has nothing to stop where nothing ran", async () => {
    expect(await sandbox("stop")).toMatchObject({ exitCode: 0, stdout: "" });
  });
});
