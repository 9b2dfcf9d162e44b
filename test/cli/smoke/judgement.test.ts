import { certificateRow, redirectRow, requestRow } from "@hearth-platform/cli/smoke/judgement";
import type { PublicRequest } from "@hearth-platform/cli/smoke/requests";
import { describe, expect, it } from "vitest";

/** What single answers of a public host mean. */

const host = "cloud.example.org";
const said = ({ status, message }: { readonly status: string; readonly message: string }) => `${status} ${message}`;

describe("a certificate", () => {
  const day = 86_400_000;
  const now = new Date("2026-11-26T12:00:00Z");
  const left = (milliseconds: number) =>
    said(certificateRow(host, { refusal: undefined, ends: now.valueOf() + milliseconds, issuer: "R3" }, now));

  it("should have been renewed where less than 14 whole days are left", () => {
    expect(left(14 * day)).toBe("ok Of R3, for 14 more days.");
    expect(left(14 * day - 1)).toBe("warning Of R3, for 13 more days.");
    expect(left(15 * day - 1)).toBe("ok Of R3, for 14 more days.");
  });
});

describe("plain HTTP", () => {
  const answer = (status: number, location?: string) =>
    said(redirectRow(host, { status, headers: { ...(location !== undefined && { location }) }, body: "" }));

  it.each([301, 308])("leads to HTTPS for good: %d", (status) => {
    expect(answer(status, `https://${host}/`)).toBe("ok It is sent to HTTPS.");
    expect(answer(status, `https://${host}:8443/login`)).toBe("ok It is sent to HTTPS.");
    expect(answer(status, `https://${host}`)).toBe("ok It is sent to HTTPS.");
  });

  it.each<[string, number, string | undefined]>([
    ["for this time alone", 302, `https://${host}/`],
    ["without a word where to", 301, undefined],
    ["to plain HTTP", 301, `http://${host}/`],
    ["to another host", 308, "https://other.example.org/"],
    ["to a host whose name begins alike", 301, `https://${host}.example.net/`],
    ["nowhere, with a page", 200, undefined],
  ])("that leads %s is a problem", (_, status, location) => {
    expect(answer(status, location)).toBe(
      `problem It answers ${status}${location === undefined ? "" : ` to ${location}`}.`,
    );
  });
});

describe("a request", () => {
  const answers = (request: Partial<PublicRequest>, status: number) =>
    said(requestRow(host, { path: "/", ...request }, { status, headers: {}, body: "" }));

  it("that nothing gets is refused with 404, and any other is answered with 200, where the table says no status", () => {
    expect([answers({}, 404), answers({}, 200)]).toEqual(["ok 404", "problem It answers 200, not 404."]);
    expect([answers({ to: "suite" }, 200), answers({ to: "suite" }, 404)]).toEqual([
      "ok 200",
      "problem It answers 404, not 200.",
    ]);
  });

  it("that is refused with 401 is a warning only where somebody signed in: a password may have changed", () => {
    expect(answers({ to: "suite", signedIn: true }, 401)).toMatch(/^warning It answers 401, not 200\./);
    expect(answers({ to: "suite", signedIn: true }, 403)).toBe("problem It answers 403, not 200.");
    expect(answers({ to: "suite" }, 401)).toBe("problem It answers 401, not 200.");
  });
});
