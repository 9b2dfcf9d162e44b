import type { ExposedHost, ExposureRule } from "@hearth-platform/hearth/exposure/exposure";
import { publicPaths } from "@hearth-platform/hearth/exposure/public-paths";
import { describe, expect, it } from "vitest";

const metadata = { name: "web", namespace: "team" };
const rule = (part: Partial<ExposureRule> = {}): ExposureRule => ({ service: "web", port: 80, ...part });

/** Which of a host's rules take a path, by their numbers. */
function takers(host: Pick<ExposedHost, "rules" | "insideOnly">) {
  const complete = { metadata, host: "a.example.org", tlsSecret: "tls", ...host };
  const expressions = host.rules.map((each) => publicPaths(complete, each).map((text) => new RegExp(text)));
  return (path: string) =>
    expressions.flatMap((all, index) => (all.some((expression) => expression.test(path)) ? [index] : []));
}

const forge = takers({
  insideOnly: [
    ["-", "metrics"],
    ["api", "v\\d+", "internal"],
  ],
  rules: [rule()],
});
const hub = takers({
  insideOnly: [
    ["api", "internal"],
    ["api", "v2\\.0", "internalconfig"],
  ],
  rules: [
    rule({ paths: [{ tree: "/v2" }, { prefix: "/api/" }, { prefix: "/c/" }, { exact: "/service/token" }] }),
    rule(),
  ],
});

describe("what is inside only", () => {
  it.each([
    "/-/metrics",
    "/-/metrics/",
    "/-/metrics/a/b",
    "/api/v4/internal",
    "/api/v4/internal/allowed",
    "/api/v10/internal/allowed",
  ])("is not let in: %s", (path) => {
    expect(forge(path)).toEqual([]);
  });

  it.each([
    "//-/metrics",
    "/-//metrics",
    "/-%2Fmetrics",
    "/-/%6detrics",
    "/%2d/metrics",
    "//api///v4//internal/allowed",
    "/api/v4/%69nternal/allowed",
    "/api%2Fv4/internal/allowed",
    "/api/v4%2finternal%2fallowed",
    "/api/v%34/internal/allowed",
  ])("is not let in, in another spelling either: %s", (path) => {
    expect(forge(path)).toEqual([]);
  });

  it.each([
    "/",
    "/-",
    "/-/",
    "/-/metric",
    "/-/metrics_like",
    "/-/health",
    "/a",
    "/ap",
    "/apis",
    "/api",
    "/api/",
    "/api/graphql",
    "/api/v",
    "/api/v4",
    "/api/v4/",
    "/api/v4x/internal",
    "/api/vx",
    "/api/v4/internals",
    "/api/v4/intern",
    "/api/v4/projects/group%2Fproject",
    "/api/v4/projects/internal",
    "/group/api/v4/internal",
    "/group//-%2F",
    "/.well-known/openid-configuration",
  ])("all else is: %s", (path) => {
    expect(forge(path)).toEqual([0]);
  });
});

describe("rules of one host", () => {
  it.each<[string, number[]]>([
    ["/v2", [0]],
    ["/v2/", [0]],
    ["/v2/a%2Fb/manifests/x", [0]],
    ["/api/", [0]],
    ["/api/v2.0/projects/a%252Fb", [0]],
    ["/api/internals", [0]],
    ["/api/v2x0/internalconfig", [0]],
    ["/c/login", [0]],
    ["/service/token", [0]],
    ["/api/internal", []],
    ["/api/v2.0/internalconfig/x", []],
    ["/", [1]],
    ["/v", [1]],
    ["/v2x/a", [1]],
    ["/api", [1]],
    ["/c", [1]],
    ["/chartrepo", [1]],
    ["/service", [1]],
    ["/service/", [1]],
    ["/service/token/", [1]],
    ["/service/token/more", [1]],
    ["/service/notifications/tasks/1", [1]],
    ["/harbor/projects/1/repositories/a%2Fb", [1]],
  ])("never take the same path: %s", (path, takes) => {
    expect(hub(path)).toEqual(takes);
  });

  it("can't be told from an expression", () => {
    expect(() => takers({ insideOnly: [["a"]], rules: [rule({ paths: [{ pattern: "^/b$" }] }), rule()] })).toThrow(
      "^/b$ is an expression",
    );
  });
});
