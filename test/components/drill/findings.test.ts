import { type DatabaseAnswers, judgeDatabase } from "@hearth-platform/hearth/drill/scripts/findings";
import { expect, it } from "vitest";

/** What a drill says of a recovered database, from the answers of its steps. test/safety/drill.test.ts has the steps. */
const target = Date.parse("2026-11-20T08:30:00Z") / 1000;
const answers: DatabaseAnswers = {
  count: "40|1200\n",
  newest: `${target - 60}\n`,
  runningNewest: `${target - 60}\n`,
  drawn: "1|a.txt|3\n2|b.txt|\n",
  sample: "a.txt|3\nb.txt|\n",
  found: "a.txt|3\nb.txt|7\n",
};
const problems = (changes: DatabaseAnswers) => judgeDatabase("cloudsuite", { ...answers, ...changes }, target).problems;

it("is its tables, its rows, its newest row and the files that were found", () => {
  expect(judgeDatabase("cloudsuite", answers, target)).toEqual({
    result: { tables: 40, rows: 1200, newest: "2026-11-20T08:29:00Z", newestAge: 60, sampled: 2, found: 2 },
    problems: [],
  });
});

it.each<[string, DatabaseAnswers, string[]]>([
  ["has no row", { count: "40|0" }, ["Database cloudsuite: 40 tables came back, without a row."]],
  [
    "lacks rows that the running one has",
    { newest: String(target - 3600) },
    [
      "Database cloudsuite: rows are missing. The newest that came back is of 2026-11-20T07:30:00Z, the running database has one of 2026-11-20T08:29:00Z.",
    ],
  ],
  [
    "has rows that the running one does not know",
    { sample: "", found: "" },
    ["Database cloudsuite: the running one has none of 2 sampled rows."],
  ],
  [
    "lacks a file, and has one of another size",
    { sample: "a.txt|3\nb.txt|9\nc.txt|1\n" },
    [
      "Database cloudsuite: 1 of 3 sampled files are missing: c.txt.",
      "Database cloudsuite: 1 of 3 sampled files have another size than their row says: b.txt.",
    ],
  ],
  [
    "can't be compared with the running one",
    { runningNewest: undefined, sample: "", found: "", runningError: "\npsql: no route\nmore" },
    ["Database cloudsuite: the running one gives no answer: psql: no route"],
  ],
  [
    "gives no answer",
    { recoveredError: "psql: no such database" },
    ["Database cloudsuite: the recovered one gives no answer: psql: no such database"],
  ],
])("says that a database %s", (_, changes, said) => {
  expect(problems(changes)).toEqual(said);
});

it("says nothing of files where no row names one", () => {
  expect(problems({ drawn: "", sample: "", found: "" })).toEqual([]);
});
