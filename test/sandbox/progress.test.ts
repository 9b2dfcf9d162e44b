import { createProgress, type ProgressStream } from "@hearth-platform/sandbox/progress";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stream(terminal: Partial<ProgressStream> = {}) {
  let text = "";
  const write = (chunk: string) => {
    text += chunk;
    return true;
  };
  return { ...({ write, ...terminal } as ProgressStream), text: () => text };
}

describe("in a log", () => {
  test("a step has a line at its start and at its end, with the time it took", () => {
    const log = stream();
    const step = createProgress(log).step("Building kwok", 2, 6);
    vi.advanceTimersByTime(12_000);
    step.done("built");
    expect(log.text()).toBe("[2/6] Building kwok …\n[2/6] Building kwok: built (12 s)\n");
  });

  test("a long step gives a sign of life every 30 seconds, until its end", () => {
    const log = stream();
    const step = createProgress(log).step("Waiting");
    vi.advanceTimersByTime(65_000);
    step.failed();
    vi.advanceTimersByTime(65_000);
    expect(log.text().split("\n")).toEqual([
      "Waiting …",
      "Waiting … 30 s so far",
      "Waiting … 1 min 00 s so far",
      "Waiting: failed (1 min 05 s)",
      "",
    ]);
  });
});

describe("in a terminal", () => {
  test("one line is drawn anew every second and replaced by the result", () => {
    const terminal = stream({ isTTY: true, columns: 80 });
    const step = createProgress(terminal).step("Building kwok", 2, 6);
    vi.advanceTimersByTime(2_000);
    step.done();
    const drawn = terminal.text().split("\r\x1b[K");
    expect(drawn.slice(1)).toEqual([
      "[2/6] Building kwok …",
      "[2/6] Building kwok … 1 s",
      "[2/6] Building kwok … 2 s",
      "[2/6] Building kwok: done (2 s)\n",
    ]);
  });

  test("the line never wraps, so that it can be drawn over", () => {
    const terminal = stream({ isTTY: true, columns: 30 });
    const step = createProgress(terminal).step("Building something with a very long name");
    vi.advanceTimersByTime(1_000);
    for (const line of terminal.text().split("\r\x1b[K")) expect(line.length).toBeLessThan(30);
    step.done();
  });
});

test.each([
  [850, "850 ms"],
  [59_400, "59 s"],
  [59_600, "1 min 00 s"],
  [185_000, "3 min 05 s"],
])("a step of %i ms is said to have taken %s", (milliseconds, text) => {
  const log = stream();
  const step = createProgress(log).step("Waiting");
  vi.advanceTimersByTime(milliseconds);
  step.done();
  expect(log.text()).toContain(`Waiting: done (${text})`);
});
