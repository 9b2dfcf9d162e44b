import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The initializer behind `/-/health` under the real Ruby, with answers as GitLab's Gitlab::HealthChecks::Probes::Collection gives them. */

interface Answer {
  readonly path: string;
  readonly query?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const ok = JSON.stringify({ status: "ok", master_check: [{ status: "ok" }], db_check: [{ status: "ok" }] });
const databaseDown = {
  status: "failed",
  master_check: [{ status: "ok" }],
  db_check: [{ status: "failed", message: "unexpected Db check result: connection refused" }],
  gitaly_check: [{ status: "failed", message: "14:unavailable", labels: { shard: "default" } }],
};

function ask({ path, query = "", status = 200, headers = {}, body = ok }: Answer) {
  const output = execFileSync(
    "ruby",
    [
      "--disable-gems",
      join(import.meta.dirname, "health.rb"),
      join(import.meta.dirname, "../../../../components/forge/configuration/platform-health.rb"),
    ],
    { encoding: "utf8", input: `${JSON.stringify({ path, query, status, headers, body })}\n` },
  );
  return JSON.parse(output);
}

test("/-/health is the readiness of all that the forge needs", () => {
  const { asked, status, body } = ask({ path: "/-/health" });
  expect(asked).toBe("/-/readiness?all=1");
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ status: "ok" });
});

test.each(["/-/health", "/-/readiness"])("%s fails with a message while the database is down", (path) => {
  const headers = { "Content-Type": "application/json", "Content-Length": "7", "X-GitLab-Custom-Error": "1" };
  const answer = ask({ path, status: 503, headers, body: JSON.stringify(databaseDown) });
  expect(answer.status).toBe(503);
  expect(JSON.parse(answer.body)).toEqual({
    ...databaseDown,
    message: "unexpected Db check result: connection refused; 14:unavailable",
  });
  expect(answer.headers).toEqual({ "Content-Type": "application/json", "X-GitLab-Custom-Error": "1" });
  expect(answer.closed).toBe(true);
});

test("a message that the forge itself gives stays", () => {
  const body = JSON.stringify({ status: "failed", message: "Redis::CannotConnectError : Redis down" });
  expect(ask({ path: "/-/health", status: 500, body }).body).toBe(body);
});

test.each<[what: string, answer: Answer]>([
  ["an answer that is no JSON", { path: "/-/readiness", status: 502, body: "<html>" }],
  ["a JSON that is no object", { path: "/-/readiness", status: 500, body: "[1]" }],
  ["another path's failure", { path: "/api/v4/projects", query: "page=2", status: 500, body: '{"a":1}' }],
  ["a path that starts alike", { path: "/-/health_check", body: "success" }],
])("%s is passed on as it is", (_, answer) => {
  const { asked, body } = ask(answer);
  expect(asked).toBe(`${answer.path}?${answer.query ?? ""}`);
  expect(body).toBe(answer.body);
});
