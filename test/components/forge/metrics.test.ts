import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PrometheusRule } from "@hearth-platform/hearth/kubernetes/custom-resources/prometheus-rule";
import { stackPlans } from "@hearth-platform/stack/parts";
import { afterAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { checkFiles, committedStack, withSettings } from "../../support/stack-files.ts";

/** The specification's table "Metrics": each name is a program's own, or recorded from what it gives; judged by Prometheus' own tool. */

const folder = mkdtempSync(join(tmpdir(), "hearth-metrics-"));
afterAll(() => rmSync(folder, { recursive: true }));

function rulesOf(monitoring: boolean): PrometheusRule[] {
  const { stack } = checkFiles(withSettings(committedStack("prod"), { monitoring }));
  if (!stack) throw new Error("Stack prod is not valid.");
  const objects = stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object));
  return objects.filter(({ kind }) => kind === "PrometheusRule") as PrometheusRule[];
}

const rules = rulesOf(true);
const own = rules.filter(({ metadata }) => metadata.namespace === "platform");
const recorded = own
  .flatMap(({ spec }) => (spec.groups ?? []).flatMap((group) => group.rules ?? []))
  .filter(({ record }) => record !== undefined);

/** The names that programs give themselves. (gitlabhq lib/gitlab/metrics/requests_rack_middleware.rb, samplers/ruby_sampler.rb; ours: platform-queue-size.rb) */
const native = [
  "http_request_duration_seconds",
  "http_requests_total",
  "ruby_gc_duration_seconds_total",
  "worker_queue_size",
];

/** A series of a program, what it is recorded as, and where its name was read. */
const table: readonly (readonly [name: string, series: string, labels: string])[] = [
  // gitlabhq lib/gitlab/sidekiq_middleware/server_metrics.rb
  ["worker_jobs_processed_total", "sidekiq_jobs_completion_seconds_count", 'queue="default"'],
  ["worker_jobs_failed_total", "sidekiq_jobs_failed_total", 'queue="default"'],
  // gitaly internal/grpc/middleware/requestinfohandler
  ["gitstore_service_client_requests_total", "gitaly_service_client_requests_total", 'grpc_code="OK"'],
  // kubernetes pkg/kubelet/server/metrics
  [
    "gitstore_repository_size_bytes",
    "kubelet_volume_stats_used_bytes",
    'persistentvolumeclaim="data-forge-gitstore-0"',
  ],
  // gitaly internal/command/spawntoken.go
  ["gitstore_spawn_timeout_count", "gitaly_spawn_timeouts_total", 'job="platform/forge-gitstore"'],
  // cloudnative-pg pkg/management/postgres/webserver/metricserver/pg_collector.go, config/manager/default-monitoring.yaml
  ["db_up", "cnpg_collector_up", 'pod="forge-db-1"'],
  ["db_replication_lag_seconds", "cnpg_pg_replication_lag", 'pod="forge-db-2"'],
  ["db_stat_database_xact_commit", "cnpg_pg_stat_database_xact_commit", 'datname="forge",pod="forge-db-1"'],
];

test("every name of the table is there, and what is recorded has no other", () => {
  const names = [...new Set(recorded.map(({ record }) => record))];
  expect([...native, ...names.filter((name) => !name?.startsWith("db_stat_database_"))].sort()).toEqual(
    [
      ...["http_request_duration_seconds", "http_requests_total", "ruby_gc_duration_seconds_total"],
      ...["worker_jobs_processed_total", "worker_jobs_failed_total", "worker_queue_size"],
      ...["gitstore_service_client_requests_total", "gitstore_repository_size_bytes", "gitstore_spawn_timeout_count"],
      ...["db_up", "db_replication_lag_seconds"],
    ].sort(),
  );
  expect(names.filter((name) => name?.startsWith("db_stat_database_"))).toHaveLength(15);
});

test("Prometheus takes the rules, and records each program's series by its name", () => {
  const groups = own.flatMap(({ spec }) => spec.groups ?? []);
  writeFileSync(join(folder, "rules.yaml"), stringify({ groups }));
  const series = table.map(([, name, labels]) => ({
    series: `${name}{namespace="platform",${labels}}`,
    values: "7+0x5",
  }));
  const elsewhere = table.map(([, name, labels]) => ({
    series: `${name}{namespace="other",${labels}}`,
    values: "1+0x5",
  }));
  const cases = table.map(([name, , labels]) => ({
    expr: name,
    eval_time: "3m",
    exp_samples: [{ labels: `${name}{namespace="platform",${labels}}`, value: 7 }],
  }));
  const tests = [{ interval: "1m", input_series: [...series, ...elsewhere], promql_expr_test: cases }];
  writeFileSync(join(folder, "test.yaml"), stringify({ rule_files: ["rules.yaml"], evaluation_interval: "1m", tests }));
  const promtool = (...args: string[]) => execFileSync("promtool", args, { cwd: folder, encoding: "utf8" });
  expect(promtool("check", "rules", "rules.yaml")).toContain("SUCCESS");
  expect(promtool("test", "rules", "test.yaml")).toContain("SUCCESS");
});

test("a forge without monitoring has no recording rules", () => {
  expect(rulesOf(false)).toEqual([]);
});
