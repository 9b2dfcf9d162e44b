import { databaseMajor } from "@hearth-platform/policy/limits/databases";
import { databaseReplicas } from "@hearth-platform/policy/limits/replicas";
import { expect, it } from "vitest";
import { component } from "../support/fixtures.ts";
import { judged } from "../support/verdicts.ts";

const reason = "It runs there.";

it.each([
  ["of the specification alone", {}, "Profile production needs 2."],
  ["that allows three", { databaseReplicas: { most: 3, reason } }, "Profile production needs 2 to 3."],
])("a database with too many instances is told what they may be in a stack %s", (_, limits, message) => {
  const database = component("Database", { instances: 4 }, { stack: { limits } });
  expect(judged(databaseReplicas, database).violations.map((each) => each.message)).toEqual([message]);
  expect(databaseReplicas.remediation).not.toMatch(/Write 2, or 1/);
});

it("a database of a major that the stack does not add is told the stack's range, and no other", () => {
  const limits = { databaseMajors: [17, 18].map((major) => ({ major, reason })) };
  const database = component("Database", { version: "19" }, { stack: { limits } });
  expect(judged(databaseMajor, database).violations.map((each) => each.message)).toEqual([
    "The major version has to be from 12 to 18.",
  ]);
  expect(databaseMajor.remediation).not.toMatch(/12|16/);
});
