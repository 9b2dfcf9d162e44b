import { isSchedule, neverComes } from "@hearth-platform/hearth/core/schedule";
import { describe, expect, it } from "vitest";

describe("a schedule whose day its months don't have", () => {
  it.each(["0 1 31 2 *", "0 1 30 FEB *", "0 1 31 2,4,6,9,11 ?", "0 1 30-31 2 *", "0 1 31 2-4/2 *", "0 1 30-31/7 2 *"])(
    "never comes: %s",
    (schedule) => {
      expect([isSchedule(schedule), neverComes(schedule)]).toEqual([true, true]);
    },
  );

  it.each([
    ["0 1 29 2 *", "a leap year has it"],
    ["0 1 31 2-3 *", "March has it"],
    ["0 1 29-31 2 *", "a leap year has the first"],
    ["0 1 31 * *", "most months have it"],
    ["0 1 31 2 1", "with a day of the week either is enough"],
    ["0 1 31 2 */2", "so it is with steps of days of the week"],
    ["0 1 */31 2 *", "the steps begin with the first"],
    ["0 1 31 2/3 *", "steps without an end go to the last month, and May has it"],
    ["0 1 * 2 *", "any day"],
  ])("comes where a day is there: %s, %s", (schedule) => {
    expect([isSchedule(schedule), neverComes(schedule)]).toEqual([true, false]);
  });

  it("is read behind the seconds as well", () => {
    expect(neverComes("0 0 1 31 2 *", { seconds: true })).toBe(true);
    expect(neverComes("0 0 1 28 2 *", { seconds: true })).toBe(false);
  });
});
