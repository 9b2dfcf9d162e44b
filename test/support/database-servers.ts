import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { waitUntil } from "@hearth-platform/sandbox/health";
import { execa, type ResultPromise } from "execa";
import { freePort } from "./free-ports.ts";
import { systemProgram } from "./system-programs.ts";

/** PostgreSQL and PgBouncer won't run as root: there they run as nobody. */
const asRoot = process.getuid?.() === 0;
const nobody = 65_534;
const user = asRoot ? { uid: nobody, gid: nobody } : {};

/** Name of the operating system's user that the servers run as. */
export const serverUser = asRoot ? "nobody" : userInfo().username;

/** Who asks what, and where. */
export interface Login {
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

/** A folder of the servers' own, which only they can read. */
export async function serverFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "hearth-database-"));
  if (asRoot) await chown(folder, nobody, nobody);
  return folder;
}

/** Writes a file that the servers read, and nobody else may. */
export async function writeServerFile(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode: 0o600 });
  if (asRoot) await chown(path, nobody, nobody);
}

/** The one answer of `psql` over TCP, as text. @throws Error with what the server says */
export async function query({ port, user: role, database, password }: Login, sql: string): Promise<string> {
  const { stdout } = await execa(
    systemProgram("psql"),
    [
      "-X",
      "-qAt",
      "-v",
      "ON_ERROR_STOP=1",
      "-h",
      "127.0.0.1",
      "-p",
      String(port),
      "-U",
      role,
      "-d",
      database,
      "-c",
      sql,
    ],
    { env: { PGPASSWORD: password ?? "", PGCONNECT_TIMEOUT: "10" }, stdin: "ignore" },
  );
  return stdout;
}

/** A real PostgreSQL with a data folder of its own, on 127.0.0.1; its superuser is `postgres`. */
export class PostgresServer {
  readonly #folder: string;
  #process: ResultPromise | undefined;
  /** Where it listens once it runs. */
  port = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the data folder. @param options of `initdb` */
  static async create(...options: string[]): Promise<PostgresServer> {
    const server = new PostgresServer(await serverFolder());
    await execa(
      systemProgram("initdb"),
      ["-D", server.data, "-U", "postgres", "--auth=trust", "--no-sync", ...options],
      { ...user, stdin: "ignore" },
    );
    return server;
  }

  /** One whose data folder holds what `fill` puts there, a backup: it starts as a recovery from the log. */
  static async of(fill: (data: string) => Promise<void>): Promise<PostgresServer> {
    const server = new PostgresServer(await serverFolder());
    await fill(server.data);
    await writeFile(join(server.data, "recovery.signal"), "");
    await chmod(server.data, 0o700);
    if (asRoot) await execa("chown", ["-R", `${nobody}:${nobody}`, server.data]);
    return server;
  }

  /** Folder of its data and configuration files. */
  get data(): string {
    return join(this.#folder, "data");
  }

  /** Folder of its socket, which trusts everybody who can open it. */
  get socket(): string {
    return this.#folder;
  }

  /** Starts it anew with these settings above those of its files. @throws Error with its log where it does not start */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.stop();
    this.port = await freePort();
    const own = {
      ...settings,
      port: String(this.port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: this.#folder,
      fsync: "off",
    };
    const options = Object.entries(own).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const started = execa(systemProgram("postgres"), ["-D", this.data, ...options], {
      ...user,
      all: true,
      reject: false,
      stdin: "ignore",
    });
    this.#process = started;
    await isReady(started, () => this.ask("SELECT 1"));
  }

  /** What the superuser is answered over the socket, which trusts it. */
  async ask(sql: string, database = "postgres"): Promise<string> {
    const { stdout } = await execa(
      systemProgram("psql"),
      [
        ...["-X", "-qAt", "-v", "ON_ERROR_STOP=1", "-h", this.#folder, "-p", String(this.port)],
        ...["-U", "postgres", "-d", database, "-c", sql],
      ],
      { ...user, stdin: "ignore" },
    );
    return stdout;
  }

  async stop(): Promise<void> {
    this.#process?.kill("SIGINT");
    await this.#process;
    this.#process = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true });
  }
}

/** A real PgBouncer on its file `pgbouncer.ini`. */
export class PgBouncer {
  readonly #process: ResultPromise;

  private constructor(process: ResultPromise) {
    this.#process = process;
  }

  /** @param login that works as soon as it is ready @throws Error with its log where it does not start */
  static async start(ini: string, login: Login): Promise<PgBouncer> {
    const started = execa(systemProgram("pgbouncer"), [ini], { ...user, all: true, reject: false, stdin: "ignore" });
    const bouncer = new PgBouncer(started);
    try {
      await isReady(started, () => query(login, "SELECT 1"));
      return bouncer;
    } catch (error) {
      await bouncer[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#process;
  }
}

/** Waits until `ask` succeeds. @throws Error with the server's log when it ended instead */
async function isReady(server: ResultPromise, ask: () => Promise<string>): Promise<void> {
  let ended: string | undefined;
  server.then((result) => {
    ended = `${result.command} ended:\n${result.all}`;
  });
  let last: unknown;
  const answers = () =>
    ask().then(
      () => true,
      (error) => {
        last = error;
        return false;
      },
    );
  const ready = await waitUntil(async () => ended !== undefined || (await answers()), 30_000);
  if (ended !== undefined) throw new Error(ended);
  if (!ready) throw new Error(`No answer within 30 s: ${last}`);
}
