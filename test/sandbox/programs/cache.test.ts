import { requireSpace } from "@hearth-platform/sandbox/programs/cache";
import { describe, expect, test } from "vitest";

describe("disk space", () => {
  test("enough on each file system is fine", async () => {
    const look = async (folder: string) => ({ fileSystem: folder === "/a" ? 1 : 2, bytes: 2e9 });
    await expect(requireSpace({ "/a": 2_000, "/b": 1_000, "/c": 1_000 }, look)).resolves.toBeUndefined();
  });

  test("folders of one file system share its room: the sentence says how much is needed, where, and what is free", async () => {
    const look = async (folder: string) => ({ fileSystem: folder === "/a" ? 1 : 2, bytes: 2.9e9 });
    await expect(requireSpace({ "/a": 2_000, "/b": 2_000, "/c": 1_500 }, look)).rejects.toThrow(
      "Building the sandbox's programs takes 3.5 GB of disk space in /b, /c, and 2.9 GB is free: make room",
    );
  });

  test("a folder that does not exist yet counts as its nearest parent", async () => {
    await expect(requireSpace({ "/tmp/no/such/folder": 1e12 })).rejects.toThrow("/tmp/no/such/folder");
  });
});
