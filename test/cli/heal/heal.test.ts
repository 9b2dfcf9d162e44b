import { healCommand } from "@hearth-platform/cli/heal/command";
import type { HealMeans } from "@hearth-platform/cli/heal/stack-state";
import { lostState } from "@hearth-platform/stack/live/preflight/lost-state";
import { describe, expect, it, vi } from "vitest";
import { call } from "../../support/caller.ts";
import { backend, heal, inBackend, killed, password } from "./world.ts";

inBackend();

describe("hearth heal", () => {
  it("does nothing to a stack that is well, or has had no update", async () => {
    for (const state of [killed(), { version: 3, deployment: null }]) {
      const { status, stderr, imported } = await heal(state);
      expect([status, imported]).toEqual([0, undefined]);
      expect(stderr).toContain("Nothing to heal");
    }
  });

  it("of a stack whose state is lost says so, and lists nothing", async () => {
    const refusal = `Nothing was created. ${lostState}\n- namespace team\nLeave every object in place.\n`;
    const empty = { version: 3, deployment: { resources: [] } };
    const { status, stderr, stdout, imported } = await heal(empty, { proposed: undefined, refusal }, "--json");
    expect([status, imported]).toEqual([1, undefined]);
    expect(stderr).toBe(`${lostState}\n- namespace team\nLeave every object in place.\n`);
    expect(JSON.parse(stdout)).toMatchObject({ healed: false, adopted: [], foreign: [] });
  });

  it("asks first, and without a terminal wants --yes", async () => {
    const means: HealMeans = {
      pulumi: async ([word, second]) => ({
        stdout: JSON.stringify(
          word === "whoami" ? { url: "https://api.pulumi.com" } : second === "history" ? [] : killed(password),
        ),
        stderr: "",
        succeeded: true,
      }),
      places: async () => ({ cluster: vi.fn(), bucket: vi.fn(), digest: vi.fn(), close: async () => {} }),
    };
    const { status, stderr } = await call((session) => healCommand(session, means), backend, ["--stack", "dev"]);
    expect(status).toBe(2);
    expect(stderr).toContain("forget  RandomPassword team/admin.password");
    expect(stderr).toContain("--yes");
  });

  it("changes nothing after a no, which is no success", async () => {
    const { status, stdout, stderr, imported } = await heal(killed(password), { agrees: false }, "--json");
    expect([status, stdout, imported]).toEqual([1, "", undefined]);
    expect(stderr).toMatch(/\nNothing was changed\.\n$/);
  });

  it("says what Pulumi says where Pulumi fails", async () => {
    const means: HealMeans = {
      pulumi: async () => ({ stdout: "", stderr: "error: no stack named 'dev' found", succeeded: false }),
      places: async () => ({ cluster: vi.fn(), bucket: vi.fn(), digest: vi.fn(), close: async () => {} }),
    };
    const { status, stderr } = await call((session) => healCommand(session, means), backend, ["--stack", "dev"]);
    expect([status, stderr]).toEqual([1, "Pulumi failed: error: no stack named 'dev' found\n"]);
  });
});
