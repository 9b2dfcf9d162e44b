import { expect, test } from "vitest";
import { formsOf, leaks } from "./support/leaks.ts";

const value = 'pa"ss/wörd?&+12345';
const canary = { name: "a password", value };
const found = (text: string) => leaks([canary], [{ name: "there", text }]);

test.each([
  ["raw", `x${value}y`],
  ["in a URL", `postgres://app:${encodeURIComponent(value)}@db`],
  ["in JSON", JSON.stringify({ value })],
  ...[0, 1, 2, 3].map((before) => [
    `in base64 after ${before} bytes`,
    Buffer.from(`${"a".repeat(before)}${value}zz`).toString("base64"),
  ]),
  ["in base64 of URLs", Buffer.from(`aa${value}zz`).toString("base64url")],
])("a secret is found %s", (_, text) => {
  expect(found(text)).toEqual(["a password in there"]);
});

const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 37 + 201) % 256));

test.each(["hex", "base64", "base64url"] as const)(
  "random bytes that are written in %s are found in each form",
  (own) => {
    const secret = { name: "bytes", value: bytes.toString(own) };
    for (const other of ["hex", "base64", "base64url"] as const)
      expect(leaks([secret], [{ name: "there", text: `"id": "${bytes.toString(other)}"` }]), other).toHaveLength(1);
  },
);

test("what is no secret is not found", () => {
  expect(found("pa ss word 12345")).toEqual([]);
  expect(formsOf(value).every((form) => form.length >= 16)).toBe(true);
});
