import { valueProblems } from "@hearth-platform/hearth/core/arguments";
import { error } from "@hearth-platform/hearth/core/problems";
import { block, text } from "@hearth-platform/hearth/core/schema";
import {
  addressCredentials,
  bucketName,
  dnsLabel,
  hostName,
  imageTag,
  serverHost,
} from "@hearth-platform/hearth/core/value-rules";
import { expect, test } from "vitest";

/** A DNS name of so many characters, in labels of at most 63. */
function name(length: number): string {
  const labels = "a".repeat(61).concat(".").repeat(5);
  return `${labels.slice(0, length - 3)}b.c`;
}

test.each([
  ["a server's host", serverHost, name(253), name(254), "server-host"],
  ["a public host", hostName, name(253), name(254), "host-name"],
  ["a DNS label", dnsLabel, "a".repeat(63), "a".repeat(64), "dns-label"],
  ["a bucket's name", bucketName, "a".repeat(63), "a".repeat(64), "bucket-name"],
  ["an image's tag", imageTag, "a".repeat(128), "a".repeat(129), "image-tag"],
])("%s may have its most characters and not one more", (_, rule, most, more, code) => {
  expect(most.length + 1).toBe(more.length);
  expect(rule("x", most)).toEqual([]);
  expect(rule("x", more)).toMatchObject([{ severity: "error", code, path: "x" }]);
});

test("a bucket's name has at least three characters", () => {
  expect(bucketName("x", "abc")).toEqual([]);
  expect(bucketName("x", "ab")).toMatchObject([{ code: "bucket-name" }]);
});

test.each([
  "https://club:hunter2@id.example.org",
  "https://club@id.example.org/a",
  "club:hunter2@id.example.org/image:1",
])("%s holds credentials, with a scheme or without one", (address) => {
  const found = addressCredentials("x", address, "Name a Secret.");
  expect(found).toMatchObject([{ code: "secret", path: "x", remedy: expect.stringMatching(/Name a Secret\.$/) }]);
  expect(JSON.stringify(found)).not.toContain("hunter2");
});

test.each([
  "https://id.example.org/@club",
  "registry.example.org/team/image@sha256:0",
  "https://id.example.org",
  undefined,
])("%s holds none", (address) => {
  expect(addressCredentials("x", address, "Name a Secret.")).toEqual([]);
});

test("a value without its type is not judged: an empty text is told as such, and not as a wrong one", () => {
  const rule = (path: string) => [error("wrong", path, "It is wrong.", "Write another.")];
  const schema = block("XArgs", "X.", { a: text("A.", { rule }) });
  expect(valueProblems(schema, { a: "x" })).toMatchObject([{ code: "wrong", path: "a" }]);
  for (const a of ["", 7, undefined]) expect(valueProblems(schema, { a }), String(a)).toEqual([]);
});
