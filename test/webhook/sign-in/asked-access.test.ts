import { askedAccess, neededScope } from "@hearth-platform/site-webhook/sign-in/asked-access";
import { expect, test } from "vitest";

/** What docker's clients ask for, as core reads it, and the forge's scope that it takes. */

const asked = (...scopes: string[]) =>
  askedAccess(new URLSearchParams(scopes.map((scope): [string, string] => ["scope", scope])));

test.each<[string, ReturnType<typeof asked>]>([
  ["repository:team/app:pull", [{ type: "repository", actions: ["pull"] }]],
  ["repository:team/app:pull,push", [{ type: "repository", actions: ["pull", "push"] }]],
  ["repository:hub.example.org:5000/app:pull", [{ type: "repository", actions: ["pull"] }]],
  ["registry:catalog:*", [{ type: "registry", actions: ["*"] }]],
  // Without actions: a name is none.
  ["repository:push", [{ type: "repository", actions: [] }]],
  ["repository:team/app:", [{ type: "repository", actions: [] }]],
  ["repository", [{ type: "repository", actions: [] }]],
  ["", []],
])("%j asks for %j", (scope, access) => {
  expect(asked(scope)).toEqual(access);
});

test("several scopes come one by one, or in one with blanks", () => {
  const both = [
    { type: "repository", actions: ["pull"] },
    { type: "repository", actions: ["push"] },
  ];
  expect(asked("repository:a:pull", "repository:b:push")).toEqual(both);
  expect(asked("repository:a:pull  repository:b:push ")).toEqual(both);
});

test.each<[string[], "read_api" | "api"]>([
  [[], "read_api"],
  [["repository:a:pull"], "read_api"],
  [["repository:a"], "read_api"],
  [["registry:catalog:*"], "read_api"],
  [["repository:a:pull,push"], "api"],
  [["repository:a:delete"], "api"],
  [["repository:a:*"], "api"],
  [["repository:a:pull", "repository:b:push"], "api"],
  [["repository:a:push", "repository:b:pull"], "api"],
])("%j takes the scope %s", (scopes, needed) => {
  expect(neededScope(asked(...scopes))).toBe(needed);
});
