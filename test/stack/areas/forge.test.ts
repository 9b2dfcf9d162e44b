import { expect, it } from "vitest";
import { type Changes, checkFiles, committedStack, withSettings } from "../../support/stack-files.ts";

/** The forge's hosts, which are made of a name and the stack's domain where no setting says them. */

const alone: Changes = { hub: undefined, cloudsuites: undefined, copies: undefined };
const problems = (changes: Changes) =>
  checkFiles(withSettings(committedStack("prod"), { ...alone, ...changes })).problems.map(
    ({ code, path, message }) => `${code} ${path}: ${message}`,
  );

/** A domain of this length, which may be a host by itself. */
function domainOf(length: number): string {
  const domain = Array.from({ length: 3 }, () => "a".repeat(63)).join(".");
  return `${domain}.${"a".repeat(length - domain.length - 1)}`;
}

it("hosts below the stack's domain that are too long together with it are told each at its own setting", () => {
  expect(problems({ domain: domainOf(247) })).toEqual([]);
  expect(problems({ domain: domainOf(248) })).toEqual([
    "host-name hearth:forge.domain: The value has 254 characters.",
    "host-name hearth:forge.pages.domain: The value has 254 characters.",
  ]);
});

it("a host that a setting says is not made of the stack's domain", () => {
  const domain = domainOf(248);
  expect(problems({ domain, "forge.domain": "git.example.org", "forge.pages.domain": "pages.example.org" })).toEqual(
    [],
  );
});
