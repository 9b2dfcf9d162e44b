import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withLock } from "@hearth-platform/sandbox/lock";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

describe("work under a lock", () => {
  let parent: string;
  const step = { done: vi.fn(), failed: vi.fn() };
  const options = { stale: 60_000, waiting: vi.fn(() => step) };

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "lock-"));
    vi.clearAllMocks();
  });
  afterEach(() => rm(parent, { recursive: true }));

  test("waits for work that has the same lock, and tells the person", async () => {
    const folder = join(parent, "new", "folder");
    const order: string[] = [];
    let finish = () => {};
    const first = withLock(folder, options, async () => {
      order.push("first begins");
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      order.push("first ends");
    });
    await vi.waitFor(() => expect(order).toEqual(["first begins"]));
    const second = withLock(folder, options, async () => void order.push("second"));
    await vi.waitFor(() => expect(options.waiting).toHaveBeenCalledOnce());
    finish();
    await Promise.all([first, second]);
    expect(order).toEqual(["first begins", "first ends", "second"]);
    expect(step.done).toHaveBeenCalledOnce();
  });

  test("is given up when the patience is over, saying what to do", async () => {
    const folder = join(parent, "folder");
    await withLock(folder, options, async () => {
      const late = withLock(folder, { ...options, patience: 500 }, async () => undefined);
      await expect(late).rejects.toThrow(`Another process has held ${folder}.lock for`);
      expect(step.failed).toHaveBeenCalledOnce();
    });
  });

  test("lets go of the lock when it fails", async () => {
    const folder = join(parent, "folder");
    await expect(withLock(folder, options, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await withLock(folder, options, async () => "done")).toBe("done");
    expect(options.waiting).not.toHaveBeenCalled();
  });
});
