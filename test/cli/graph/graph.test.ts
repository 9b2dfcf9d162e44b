import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hearth } from "../../support/caller.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-graph-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const graph = (...args: string[]) => hearth(folder, "graph", ...args);

describe("hearth graph", () => {
  it("prints the picture", async () => {
    const { status, stdout, stderr } = await graph("--stack", "dev");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^<svg .*<\/svg>\n$/s);
  });

  it("writes it to a file, and says where", async () => {
    const { status, stdout, stderr } = await graph("--stack", "dev", "--out", "dev.svg");
    expect([status, stdout]).toEqual([0, ""]);
    expect(stderr).toBe(`The picture of stack dev is in ${join(folder, "dev.svg")}\n`);
    expect(readFileSync(join(folder, "dev.svg"), "utf8")).toMatch(/^<svg /);
  });

  it("gives the nodes and edges to programs", async () => {
    const { status, stdout } = await graph("--stack", "dev", "--json");
    const { nodes, edges, problems } = JSON.parse(stdout);
    expect([status, problems]).toEqual([0, []]);
    expect(nodes.map(({ id }: { id: string }) => id)).toContain("team");
    expect(edges).toContainEqual({ from: "team", to: "team-db" });
  });

  it("draws nothing of a stack with problems, and tells them", async () => {
    const { status, stdout, stderr } = await graph("--stack", "nobodys");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^Nothing was drawn\..*Pulumi\.nobodys\.yaml/s);
  });

  it("refuses a file for JSON", async () => {
    const { status, stderr } = await graph("--stack", "dev", "--json", "--out", "dev.svg");
    expect(status).toBe(2);
    expect(stderr).toContain("--json");
  });
});
