import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The job pods' initializer under the real Ruby. */

function run(...rounds: object[]) {
  const initializer = "../../../../components/forge/configuration/platform-queue-size.rb";
  const output = execFileSync(
    "ruby",
    ["--disable-gems", join(import.meta.dirname, "queue-size.rb"), join(import.meta.dirname, initializer)],
    { encoding: "utf8", input: rounds.map((round) => `${JSON.stringify(round)}\n`).join("") },
  );
  return JSON.parse(output);
}

test("the jobs that wait are measured by queue, again and again, once for all processes of a pod", () => {
  const { gauges, set } = run({ queues: { default: 3, mailers: 0 } }, { queues: { default: 1 } });
  expect(gauges).toEqual([["worker_queue_size", expect.any(String), {}, "max"]]);
  expect(set).toEqual([
    [{ queue: "default" }, 3],
    [{ queue: "mailers" }, 0],
    [{ queue: "default" }, 1],
  ]);
});

test("a keystore that is away ends nothing, and its address is not logged", () => {
  const { set, warnings } = run({ error: "redis://:secret@keystore" }, { queues: { default: 2 } });
  expect(set).toEqual([[{ queue: "default" }, 2]]);
  expect(warnings).toEqual(["worker_queue_size: RuntimeError"]);
});
