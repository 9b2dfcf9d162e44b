import { tmpdir } from "node:os";
import { fullDisk } from "@hearth-platform/sandbox/full-disk";
import { expect, it } from "vitest";

it("a disk without room is named, with what a start needs and a way that needs no room", async () => {
  // The kernel's own file system has no room for anything.
  const { message } = (await fullDisk("/proc")) ?? {};
  expect(message).toContain("The disk is full: /proc has room for 0 MB, and a start needs 64 MB.");
  expect(message).toContain("./hearth sandbox reset");
});

it("a disk with room is not", async () => {
  expect(await fullDisk(tmpdir())).toBeUndefined();
});
