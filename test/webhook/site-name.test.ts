import { isNamespace, isSiteName } from "@hearth-platform/site-webhook/site-name";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each(["a", "0", "a-b", "a--b", "a".repeat(63)])("%s is a namespace", (name) => {
  expect(isNamespace(name)).toBe(true);
  expect(isSiteName(name)).toBe(true);
});

test.each(["", "-", "a-", "-a", "A", "a_b", "a b", "a\n", "\na", "a/b", "ä", "..", "a..b", ".a", "a.", "a-.b", "a.-b"])(
  "%j is no name at all",
  (name) => {
    expect(isNamespace(name)).toBe(false);
    expect(isSiteName(name)).toBe(false);
  },
);

test("a site's name may have dots, a namespace's may not", () => {
  expect(isSiteName("docs.example.org")).toBe(true);
  expect(isNamespace("docs.example.org")).toBe(false);
});

test("a site's name has at most 253 characters, with or without dots, a namespace's 63", () => {
  for (const name of ["a".repeat(253), `${"a".repeat(100)}.${"b".repeat(152)}`]) {
    expect(isSiteName(name)).toBe(true);
    expect(isSiteName(`${name}e`)).toBe(false);
  }
  expect(isNamespace("a".repeat(64))).toBe(false);
});

test("whatever passes stays as it is in a URL", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[a-z0-9.-]{1,80}$/)), (text) => {
      if (!isSiteName(text)) return;
      expect(encodeURIComponent(text)).toBe(text);
      expect(new URL(`https://api/x/${text}`).pathname).toBe(`/x/${text}`);
    }),
    { numRuns: 500 },
  );
});
