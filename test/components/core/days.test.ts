import { addDays, isDay, today } from "@hearth-platform/hearth/core/days";
import { expect, it } from "vitest";

it.each([
  ["2026-11-22", 60, "2027-01-21"],
  ["2027-02-28", -60, "2026-12-30"],
  ["2028-02-28", 1, "2028-02-29"],
])("%s and %i days are %s", (day, count, sum) => {
  expect(addDays(day, count)).toBe(sum);
});

it.each(["2026-02-29", "2026-13-01", "2026-1-1", "22.11.2026", "", "2026-11-22T00:00:00Z", undefined])(
  "%s is no day",
  (text) => {
    expect(isDay(text)).toBe(false);
  },
);

it.each(["2026-11-22", "2028-02-29"])("%s is a day", (text) => {
  expect(isDay(text)).toBe(true);
});

it("today is the day of SOURCE_DATE_EPOCH where that is set", () => {
  expect(today({ SOURCE_DATE_EPOCH: "1795305600" })).toBe("2026-11-22");
});
