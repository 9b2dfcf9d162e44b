import { refuseChange, refuseDowngrade, refuseShrink } from "@hearth-platform/hearth/core/data-safety/refusals";
import { describe, expect, test } from "vitest";

const object = "team/data-keystore-0";
const change = (before: string | undefined, now: string | undefined) => ({ path: "it", object, before, now });

describe("single changes", () => {
  test.each([
    [refuseShrink, "10Gi", "5Gi"],
    [refuseShrink, "1Gi", "1000Mi"],
    [refuseDowngrade, "8.1.4-alpine", "8.1.3-alpine"],
    [refuseDowngrade, "8.1.4-alpine", "latest"],
    [refuseDowngrade, "16", "9"],
    [refuseChange, "a", "b"],
    [refuseChange, "a", undefined],
  ])("%o refuses %s to %s", (refuse, before, now) => {
    expect(refuse(change(before, now), undefined)).toMatchObject([{ severity: "error", path: "it" }]);
  });

  test.each([
    [refuseShrink, "5Gi", "10Gi"],
    [refuseShrink, "1Gi", "1024Mi"],
    [refuseDowngrade, "8.1.4-alpine", "8.2.0-alpine"],
    [refuseDowngrade, "9", "16"],
    [refuseChange, "a", "a"],
  ])("%o lets %s to %s pass", (refuse, before, now) => {
    expect(refuse(change(before, now), undefined)).toEqual([]);
  });

  test("of what holds the data of several objects is refused once, and unlocked by all that are still locked", () => {
    const several = { path: "endpoint", object: ["a", "b", "c"], before: "x", now: "y" };
    expect(refuseChange(several, ["b"])).toMatchObject([
      {
        message: "changes from x to y, which leaves the data of 2 objects behind.",
        remedy: expect.stringMatching(
          /If all of their data may be lost, unlock it with `platform.allowDataLoss: \[a, c\]`\.$/,
        ),
        onlyIfMade: ["a", "c"],
      },
    ]);
    expect(refuseChange(several, ["a"])).toMatchObject([{ message: expect.stringContaining("2 objects") }]);
    expect(refuseChange(several, ["a", "b"])).toMatchObject([
      { message: expect.stringContaining("the data of c behind") },
    ]);
    expect(refuseChange(several, ["a", "b", "c"])).toEqual([]);
  });

  test.each([refuseShrink, refuseDowngrade, refuseChange])("%o prints the one unlock, which works", (refuse) => {
    const wrong = change("10.0.0", "5.0.0");
    const shrink = change("10Gi", "5Gi");
    const refused = refuse === refuseShrink ? shrink : wrong;
    expect(refuse(refused, ["another"])[0]?.remedy).toContain(`\`platform.allowDataLoss: [${object}]\``);
    expect(refuse(refused, [object])).toEqual([]);
  });
});
