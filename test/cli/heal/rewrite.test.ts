import type { StateResource } from "@hearth-platform/cli/heal/deployment";
import { describe, expect, it } from "vitest";
import { heal, inBackend, killed, provider, service, sign, there } from "./world.ts";

inBackend();

/** Secret values that stand in plain text in a state. */

describe("hearth heal", () => {
  const plain = (value: Buffer): StateResource => ({
    urn: "urn:pulumi:dev::hearth::hearth:index:Forge$random:index/randomBytes:RandomBytes::forge/keys.value",
    type: "random:index/randomBytes:RandomBytes",
    id: value.toString("base64"),
    inputs: { length: value.length },
    outputs: { hex: { ...sign, plaintext: JSON.stringify(value.toString("hex")) } },
  });

  it("rewrites values that stand in plain text in the state, and shows none", async () => {
    const bytes = plain(Buffer.alloc(32, "bytes"));
    const { status, stdout, stderr, imported, asked } = await heal(
      { version: 3, deployment: { resources: [provider, bytes] } },
      {},
      "--json",
    );
    expect(status).toBe(0);
    expect(stderr).toContain("rewrite RandomBytes forge/keys.value: Its value is encrypted and stays the same.");
    expect(JSON.parse(stdout)).toMatchObject({ healed: true, rewritten: [bytes.urn] });
    expect(imported?.resources).toMatchObject([
      provider,
      { id: "none", outputs: { result: { plaintext: JSON.stringify(Buffer.alloc(32, "bytes").toString("hex")) } } },
    ]);
    expect(stdout + stderr + JSON.stringify(imported)).not.toContain(bytes.id);
    expect(asked.some((words) => words.startsWith("preview"))).toBe(false);
  });

  it("takes in what a killed update made in the same step, and previews only the rewritten state", async () => {
    const state = killed(service);
    const bytes = plain(Buffer.alloc(32, "bytes"));
    const { asked, imported } = await heal(
      { ...state, deployment: { ...state.deployment, resources: [provider, bytes] } },
      { live: there(service.inputs ?? {}) },
    );
    expect(imported?.resources).toMatchObject([provider, { id: "none" }, { urn: service.urn, id: "team/web" }]);
    const [first, second] = ["import", "preview"].map((word) => asked.findIndex((words) => words.includes(word)));
    expect([first, second].every((at) => at !== -1) && Number(first) < Number(second)).toBe(true);
  });
});
