import { Kept } from "@hearth-platform/cli/status/page/kept";
import { expect, it } from "vitest";

function kept(answers: readonly (number | Error)[]) {
  const left = [...answers];
  const clock = { now: 0 };
  const ask = async () => {
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { clock, answer: new Kept(ask, 10, () => clock.now) };
}

it("an answer serves all who ask until it is old", async () => {
  const { clock, answer } = kept([1, 2]);
  expect(await Promise.all([answer.get(), answer.get()])).toEqual([1, 1]);
  clock.now = 9;
  expect(await answer.get()).toBe(1);
  clock.now = 10;
  expect(await answer.get()).toBe(2);
});

it("a failure is told to all who wait, and the next asks again", async () => {
  const { answer } = kept([new Error("away"), 2]);
  await Promise.all([answer.get(), answer.get()].map((each) => expect(each).rejects.toThrow("away")));
  expect(await answer.get()).toBe(2);
});
