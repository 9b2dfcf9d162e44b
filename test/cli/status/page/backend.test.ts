import { Backend } from "@hearth-platform/cli/status/page/backend";
import { expect, it } from "vitest";

/** A backend whose answers a test changes; `asked` are Pulumi's arguments. */
function backend(stacks: readonly { name: string; lastUpdate?: string }[] | Error) {
  const asked: string[] = [];
  const world = { stacks };
  const made = new Backend(async ([, verb = "", , name = ""]) => {
    asked.push(`${verb} ${name}`.trim());
    if (world.stacks instanceof Error) throw world.stacks;
    if (verb === "ls") return JSON.stringify(world.stacks);
    if (verb === "history") return JSON.stringify([{ kind: "update", result: "succeeded", startTime: "s" }]);
    return JSON.stringify({ version: 3, deployment: { resources: [{ urn: name, type: "t" }] } });
  });
  return { backend: made, asked, world };
}

it("stacks are called as their files are, and asked for as the backend calls them", async () => {
  const { backend: own, asked } = backend([{ name: "team/prod", lastUpdate: "1" }, { name: "dev" }]);
  expect(await own.stacks()).toEqual(["prod", "dev"]);
  expect(await own.state("prod")).toEqual({
    resources: [{ urn: "team/prod", type: "t" }],
    operation: { kind: "update", result: "succeeded", startTime: "s" },
  });
  expect(asked).toEqual(["ls", "export team/prod", "history team/prod"]);
});

it("a state is read again only after it was written", async () => {
  const { backend: own, asked, world } = backend([{ name: "dev", lastUpdate: "1" }]);
  await own.stacks();
  const first = await own.state("dev");
  expect(await own.state("dev")).toBe(first);
  world.stacks = [{ name: "dev", lastUpdate: "2" }];
  await own.stacks();
  expect(await own.state("dev")).not.toBe(first);
  expect(asked.filter((each) => each.startsWith("export"))).toHaveLength(2);
});

it("a state that could not be read is asked for again", async () => {
  const { backend: own, world } = backend([{ name: "dev", lastUpdate: "1" }]);
  await own.stacks();
  world.stacks = new Error("away");
  await expect(own.state("dev")).rejects.toThrow("away");
  world.stacks = [];
  expect((await own.state("dev"))?.resources).toHaveLength(1);
});

it("a backend that can't be asked says why, and has no state of a stack that it does not list", async () => {
  const { backend: own } = backend(new Error("error: PULUMI_ACCESS_TOKEN must be set"));
  expect(await own.stacks()).toEqual({ failure: "error: PULUMI_ACCESS_TOKEN must be set" });
  expect(await own.state("dev")).toBeUndefined();
});
