import { execa } from "execa";
import { vi } from "vitest";
import { PostgresServer } from "./database-servers.ts";
import { systemProgram } from "./system-programs.ts";

/** Where a database's backups and log are, and how they are reached. */
export interface Archive {
  /** URL of the object store. */
  readonly endpoint: string;
  /** `s3://BUCKET/`, as an ObjectStore has it. */
  readonly destination: string;
  /** Name of the server in it. */
  readonly server: string;
  /** The object store's keys, by the names that AWS's SDKs read. */
  readonly keys: Readonly<Record<string, string>>;
}

/** A call of one of barman's programs, which the Barman plugin runs beside each instance, as a shell's line. */
function line({ endpoint, destination, server, keys }: Archive, program: string, ...args: string[]): string {
  const variables = Object.entries(keys).map(([name, value]) => `${name}=${value}`);
  return ["env", ...variables, systemProgram(program), "--endpoint-url", endpoint, destination, server, ...args].join(
    " ",
  );
}

async function barman(
  { endpoint, destination, server, keys }: Archive,
  program: string,
  options: string[],
  ...args: string[]
) {
  const all = [...options, "--endpoint-url", endpoint, destination, server, ...args];
  return (await execa(systemProgram(program), all, { env: keys, stdin: "ignore" })).stdout;
}

/**
 * Fills an archive as a running instance does: a base backup, and the log of what comes after it, by a real PostgreSQL and
 * the programs of the operator's plugin.
 * @param before SQL by database, made if it is missing: its rows are in the base backup
 * @param after SQL by database: its rows are in the log alone
 */
export async function fillArchive(
  archive: Archive,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Promise<void> {
  await using server = await archivingServer(archive, before);
  for (const [database, sql] of Object.entries(after)) await server.ask(sql, database);
  await archiveLog(server);
}

/** A running server that archives, with its base backup. @param before SQL by database, made if it is missing */
export async function archivingServer(
  archive: Archive,
  before: Readonly<Record<string, string>>,
): Promise<PostgresServer> {
  const server = await PostgresServer.create("--encoding=UTF8", "--locale=C.UTF-8");
  await server.start({
    archive_mode: "on",
    wal_level: "replica",
    archive_command: line(archive, "barman-cloud-wal-archive", "%p"),
  });
  for (const [database, sql] of Object.entries(before)) {
    await server.ask(`CREATE DATABASE ${database}`);
    await server.ask(sql, database);
  }
  const at = ["-h", server.socket, "-p", String(server.port), "-U", "postgres", "--immediate-checkpoint", "--gzip"];
  await barman(archive, "barman-cloud-backup", at);
  return server;
}

/** Ends the segment of a server's log, and waits until it is archived. @returns its name */
export async function archiveLog(server: PostgresServer): Promise<string> {
  const written = await server.ask("SELECT pg_walfile_name(pg_switch_wal())");
  const last = async () => (await server.ask("SELECT last_archived_wal FROM pg_stat_archiver")) >= written;
  await vi.waitUntil(last, { timeout: 60_000, interval: 200 });
  return written;
}

/**
 * A server with what an archive has, as a recovery starts it. It archives nothing.
 * @param targetTime point in time, with its zone @default its newest change
 * @throws Error where it does not get there
 */
export async function recoverArchive(archive: Archive, targetTime?: string): Promise<PostgresServer> {
  const { backups_list: backups } = JSON.parse(await barman(archive, "barman-cloud-backup-list", ["--format", "json"]));
  const [newest] = backups.slice(-1);
  const server = await PostgresServer.of(async (data) => {
    await barman(archive, "barman-cloud-restore", [], newest.backup_id, data);
  });
  await server.start({
    archive_mode: "off",
    restore_command: line(archive, "barman-cloud-wal-restore", "%f", "%p"),
    ...(targetTime && { recovery_target_time: targetTime, recovery_target_action: "promote" }),
  });
  const isPrimary = async () => (await server.ask("SELECT pg_is_in_recovery()")) === "f";
  await vi.waitUntil(isPrimary, { timeout: 60_000, interval: 200 });
  return server;
}

/** Whether the plugin would write into the archive: it refuses one that another server used. */
export async function isFree(archive: Archive): Promise<boolean> {
  const { endpoint, destination, server, keys } = archive;
  const { exitCode } = await execa(
    systemProgram("barman-cloud-check-wal-archive"),
    ["--endpoint-url", endpoint, destination, server],
    { env: keys, stdin: "ignore", reject: false },
  );
  return exitCode === 0;
}
