import { expect, test } from "vitest";
import { pairwise } from "./pairwise.ts";

const options = { a: [1, 2, 3], b: ["x", "y"], c: [true, false, undefined], d: [{ e: 1 }, undefined] };

test("any two values of two options stand together, in fewer combinations than there are", () => {
  const combinations = pairwise(options);
  expect(combinations.length).toBeLessThan(15);
  const together = (one: [string, unknown], other: [string, unknown]) =>
    combinations.some((each) => each[one[0]] === one[1] && each[other[0]] === other[1]);
  const values = Object.entries(options).flatMap(([name, all]) => all.map((value): [string, unknown] => [name, value]));
  for (const one of values)
    for (const other of values) if (one[0] !== other[0]) expect([one, other, together(one, other)]).toContain(true);
});
