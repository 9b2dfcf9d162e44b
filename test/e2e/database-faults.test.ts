import { join } from "node:path";
import { ensureJudges } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { execa, type ResultPromise } from "execa";
import { afterAll, beforeAll, test } from "vitest";
import { PostgresServer } from "../support/database-servers.ts";
import { freePort } from "../support/free-ports.ts";
import { Prometheus, type ScrapeTarget } from "../support/prometheus.ts";
import { systemProgram } from "../support/system-programs.ts";

/**
 * Faults of a real PostgreSQL with a real standby, read by CloudNativePG's own queries and judged by a real Prometheus with the rules of stack
 * `prod`: each fires its alert and no other.
 */

const connections = 20;
const settings = { archive_mode: "on", max_connections: String(connections) };
const processes: ResultPromise[] = [];
let primary: PostgresServer;
let standby: PostgresServer;
let prometheus: Prometheus;

beforeAll(async () => {
  const [program = ""] = await ensureJudges(["cloudnative-pg"], createProgress());
  primary = await PostgresServer.create();
  await primary.start(settings);
  await archive("true");
  standby = await PostgresServer.of(async (data) => {
    await execa(systemProgram("pg_basebackup"), [
      "-D",
      data,
      "-d",
      toPrimary(),
      "--write-recovery-conf",
      "--checkpoint=fast",
    ]);
  });
  await standby.start(settings);
  const targets: ScrapeTarget[] = [];
  for (const [index, server] of [primary, standby].entries()) {
    const port = await freePort();
    const queries = join(program, "default-monitoring.yaml");
    const env = { PGHOST: server.socket, PGPORT: String(server.port), PGDATA: server.data };
    const args = ["metrics", "-port", String(port), "-queries", queries];
    processes.push(execa(join(program, "operator"), args, { env, reject: false, stdio: "ignore" }));
    const labels = { namespace: "platform", pod: `forge-db-${index + 1}` };
    targets.push({ job: "platform/forge-db", address: `127.0.0.1:${port}`, labels });
  }
  prometheus = await Prometheus.start(["platform/forge-db"], targets);
  await prometheus.sees("sum(cnpg_pg_replication_is_wal_receiver_up)", "1");
  await prometheus.sees("sum(cnpg_last_error)", "0");
  await prometheus.sees("count(cnpg_pg_stat_archiver_last_archived_time > 0)", "1");
  // Backups, poolers and the exporter's own words, which come from other programs.
  await prometheus.passOverAllBut(/Archiving|Streaming|Behind|Connections|ExporterFails|Wraparound|Slot|Transaction/);
}, 600_000);

afterAll(async () => {
  await prometheus?.[Symbol.asyncDispose]();
  for (const each of processes) each.kill();
  await Promise.all(processes);
  await standby?.[Symbol.asyncDispose]();
  await primary?.[Symbol.asyncDispose]();
});

const toPrimary = () => `host=127.0.0.1 port=${primary.port} user=postgres`;

/** Changes a setting of a server that runs. */
async function set(server: PostgresServer, name: string, value: string): Promise<void> {
  await server.ask(`ALTER SYSTEM SET ${name} = '${value}'`);
  await server.ask("SELECT pg_reload_conf()");
}

/** Archives the log by this command from now on, beginning with what is there. */
async function archive(command: string): Promise<void> {
  await set(primary, "archive_command", command);
  await primary.ask("SELECT pg_logical_emit_message(false, 'test', 'x')");
  await primary.ask("SELECT pg_switch_wal()");
}

test("a log that can't be archived fires its alert, until it can", async () => {
  await prometheus.fires();
  await archive("false");
  await prometheus.fires("HearthDatabaseArchivingFails");
  await archive("true");
  await prometheus.fires();
}, 400_000);

test("a standby that gets no log fires its alert, until it gets it again", async () => {
  await set(standby, "primary_conninfo", "host=127.0.0.1 port=1 user=postgres");
  await prometheus.fires("HearthDatabaseNotStreaming");
  await set(standby, "primary_conninfo", toPrimary());
  await prometheus.fires();
}, 400_000);

test("a standby far behind fires its alert, until it has caught up", async () => {
  await standby.ask("SELECT pg_wal_replay_pause()");
  await primary.ask("SELECT pg_logical_emit_message(false, 'test', repeat('x', 1000000)) FROM generate_series(1, 300)");
  await prometheus.fires("HearthDatabaseReplicaBehind");
  await standby.ask("SELECT pg_wal_replay_resume()");
  await prometheus.fires();
}, 400_000);

test("connections near their limit fire their alert, until they end", async () => {
  const sleeping = Array.from({ length: connections - 4 }, () => primary.ask("SELECT pg_sleep(3600)").catch(() => ""));
  await prometheus.fires("HearthDatabaseConnectionsNearLimit");
  await primary.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'");
  await Promise.all(sleeping);
  await prometheus.fires();
}, 400_000);
