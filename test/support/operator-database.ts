import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Cluster } from "@hearth-platform/hearth/kubernetes/custom-resources/cluster";
import type { Pooler } from "@hearth-platform/hearth/kubernetes/custom-resources/pooler";
import { ensureJudges } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { execa } from "execa";
import { PgBouncer, type PostgresServer, serverFolder, serverUser, writeServerFile } from "./database-servers.ts";

/** What the operator manages itself and a pod has, but a test on this machine has otherwise; each with its reason. */
export const ownSettings: Readonly<Record<string, string>> = {
  archive_command: "its program that archives is in the image",
  listen_addresses: "127.0.0.1 alone",
  log_directory: "a folder of the test's own",
  log_destination: "the test reads what is said",
  logging_collector: "the test reads what is said",
  port: "a free one",
  ssl_ca_file: "a folder of the test's own",
  ssl_cert_file: "a folder of the test's own",
  ssl_key_file: "a folder of the test's own",
  unix_socket_directories: "a folder of the test's own",
};

/** The same of PgBouncer. */
const ownPoolerSettings: Readonly<Record<string, string>> = {
  auth_dbname: "Debian's 1.18 has it not: it asks in each database instead",
  listen_addr: "127.0.0.1 alone",
  listen_port: "a free one",
  unix_socket_dir: "none is needed",
};

/** A Cluster and its Pooler as the operator's own code sets them up: every file it writes, on this machine's PostgreSQL and PgBouncer. */
export class OperatorDatabase {
  readonly server: PostgresServer;
  readonly #files: Readonly<Record<string, string>>;
  readonly #folder: string;

  private constructor(server: PostgresServer, files: Readonly<Record<string, string>>, folder: string) {
    this.server = server;
    this.#files = files;
    this.#folder = folder;
  }

  /** @param server made by `initdb` with the options that {@link initdbOptions} names; it is started anew */
  static async start(server: PostgresServer, cluster: Cluster, pooler: Pooler): Promise<OperatorDatabase> {
    const folder = await serverFolder();
    const database = new OperatorDatabase(server, await writtenFiles(cluster, pooler), folder);
    for (const [path, content] of Object.entries(database.#files))
      await writeServerFile(path.startsWith("/") ? folder + path : join(server.data, path), database.#here(content));
    const settings = Object.entries(parameters(database.#here(database.#files["custom.conf"] ?? "")));
    const certificates = settings.filter(([name]) => name.startsWith("ssl_"));
    const others = settings.filter(([name]) => !(name in ownSettings) && !name.startsWith("cnpg."));
    await server.start(Object.fromEntries([...others, ...certificates]));
    return database;
  }

  /** The role and the function by which the pooler looks passwords up: what the operator does on the primary. */
  async prepareLookUp(databases: readonly string[]): Promise<void> {
    const role = "cnpg_pooler_pgbouncer";
    await this.server.ask(`CREATE ROLE ${role} LOGIN`);
    for (const database of databases)
      await this.server.ask(
        `CREATE FUNCTION public.user_search(uname text) RETURNS TABLE (usename name, passwd text)
           LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
           AS 'SELECT usename, passwd FROM pg_catalog.pg_shadow WHERE usename = $1';
         REVOKE ALL ON FUNCTION public.user_search(text) FROM public;
         GRANT EXECUTE ON FUNCTION public.user_search(text) TO ${role}`,
        database,
      );
  }

  /** The pooler before it. @param login that must work @throws Error with its log where it does not start */
  async startPooler(port: number, login: { user: string; password: string; database: string }): Promise<PgBouncer> {
    const file = join(this.#folder, "pgbouncer.ini");
    await writeServerFile(file, this.#ini(port));
    return PgBouncer.start(file, { port, ...login });
  }

  /** Its files go; the server stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }

  #ini(port: number): string {
    const written = this.#here(this.#files["/controller/configs/pgbouncer.ini"] ?? "");
    const kept = written.split("\n").filter((line) => !((line.split(" = ")[0] ?? "") in ownPoolerSettings));
    const ini = kept.join("\n").replace(/^\* = host=.*$/m, `* = host=127.0.0.1 port=${this.server.port}`);
    return `${ini}\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n`;
  }

  #here(content: string): string {
    return content.replaceAll("/controller/", `${this.#folder}/controller/`);
  }
}

/** Options of `initdb` as the operator gives them. */
export function initdbOptions({ spec }: Cluster): string[] {
  const { encoding, localeCollate, localeCType, dataChecksums } = spec.bootstrap?.initdb ?? {};
  return [
    `--encoding=${encoding}`,
    `--lc-collate=${localeCollate}`,
    `--lc-ctype=${localeCType}`,
    ...(dataChecksums ? ["--data-checksums"] : []),
  ];
}

async function writtenFiles(cluster: Cluster, pooler: Pooler): Promise<Record<string, string>> {
  const [program = ""] = await ensureJudges(["cloudnative-pg"], createProgress());
  const input = JSON.stringify({ major: 15, user: serverUser, cluster, pooler });
  const { stdout } = await execa(join(program, "operator"), ["files"], { input });
  return JSON.parse(stdout);
}

/** Settings of a file with lines such as `port = '5432'`. */
function parameters(file: string): Record<string, string> {
  const lines = file.matchAll(/^([\w.]+) = '(.*)'$/gm);
  return Object.fromEntries([...lines].map(([, name = "", value = ""]) => [name, value.replaceAll("''", "'")]));
}
