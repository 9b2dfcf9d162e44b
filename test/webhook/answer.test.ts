import { judgeAnswer } from "@hearth-platform/site-webhook/kubernetes/answer";
import { describe, expect, test } from "vitest";

/** What an answer of the API server means for a write of `sync: 7` on the site `docs`. */

const judge = (status: number, body: unknown) =>
  judgeAnswer(status, typeof body === "string" ? body : JSON.stringify(body), "docs", "pages.kup6s.com/sync", "7");
const object = (annotations: object | undefined) => ({ kind: "PartialObjectMetadata", metadata: { annotations } });

describe("a write", () => {
  test("is made where the object comes back with the value", () => {
    expect(judge(200, object({ "pages.kup6s.com/sync": "7" }))).toEqual({ outcome: "written", status: 200 });
  });

  test.each<[string, unknown]>([
    ["the value of before", object({ "pages.kup6s.com/sync": "6" })],
    ["the value as another type", object({ "pages.kup6s.com/sync": 7 })],
    ["another domain's value", object({ "pages.example.org/sync": "7" })],
    ["no annotations", object(undefined)],
    ["no object", []],
  ])("is not made where something took it away: %s", (_, body) => {
    expect(judge(200, body)).toEqual({ outcome: "failed", status: 200, reason: "not_kept" });
  });

  test.each(["", "null", "7", '"ok"', "<html>", '{"metadata":'])(
    "is not made by an answer that is none: %j",
    (body) => {
      expect(judge(200, body)).toEqual({ outcome: "failed", status: 200, reason: "garbage" });
    },
  );
});

describe("a site", () => {
  test("is not there where the API server names it; without its kind everything is 404", () => {
    expect(judge(404, { details: { name: "docs" } })).toEqual({ outcome: "not_found", status: 404 });
    for (const body of [{ details: { name: "other" } }, { details: {} }, {}])
      expect(judge(404, body)).toEqual({ outcome: "failed", status: 404, reason: "resource_missing" });
  });
});

test.each([
  [429, { outcome: "busy", status: 429, reason: "throttled" }],
  [201, { outcome: "failed", status: 201, reason: "refused" }],
  [409, { outcome: "failed", status: 409, reason: "refused" }],
  [500, { outcome: "failed", status: 500, reason: "refused" }],
])("an answer of %d is judged by its status alone", (status, expected) => {
  expect(judge(status, object({ "pages.kup6s.com/sync": "7" }))).toEqual(expected);
});
