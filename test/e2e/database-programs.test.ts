import type { Cluster } from "@hearth-platform/hearth/kubernetes/custom-resources/cluster";
import type { Pooler } from "@hearth-platform/hearth/kubernetes/custom-resources/pooler";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseCombinations } from "../components/stores/database/combinations.ts";
import { forgeDatabase } from "../components/stores/database/forge-database.ts";
import { storesTable } from "../components/stores/shared/setting-table.ts";
import { PostgresServer, query } from "../support/database-servers.ts";
import { freePort } from "../support/free-ports.ts";
import { initdbOptions, OperatorDatabase, ownSettings } from "../support/operator-database.ts";
import { planDatabase } from "../support/plans.ts";
import { renderedObjects } from "../support/rendered-objects.ts";

/**
 * PostgreSQL and PgBouncer themselves take what we render, as CloudNativePG's own code writes it into their files: every set of
 * parameters of the stacks, of the settings of their stores and of databases with any two options together; and a login through
 * the pooler.
 */

let clusters: Cluster[] = [];
let poolers: Pooler[] = [];
let server: PostgresServer;

const objects = planDatabase(forgeDatabase).objects.map(({ object }) => object);
const forgeCluster = objects.find(({ kind }) => kind === "Cluster") as Cluster;
const forgePooler = objects.find(({ kind }) => kind === "Pooler") as Pooler;

/** The first of each that differs in what `of` gives. */
function distinct<T>(all: readonly T[], of: (each: T) => unknown): T[] {
  return [...new Map(all.map((each) => [JSON.stringify(of(each)), each])).values()];
}

beforeAll(async () => {
  const rendered = renderedObjects([storesTable]).objects.map(({ object }) => object);
  const combinations = databaseCombinations().flatMap((args) => planDatabase(args).objects.map(({ object }) => object));
  const ofKind = (kind: string) => [...rendered, ...combinations].filter((object) => object.kind === kind);
  clusters = ofKind("Cluster") as Cluster[];
  poolers = ofKind("Pooler") as Pooler[];
  server = await PostgresServer.create(...initdbOptions(forgeCluster));
}, 1_200_000);
afterAll(() => server?.[Symbol.asyncDispose]());

describe("PostgreSQL", () => {
  it("starts with every set of parameters, and takes each as it is written", async () => {
    const sets = distinct(clusters, ({ spec }) => spec.postgresql?.parameters).map(
      ({ spec }) => spec.postgresql?.parameters ?? {},
    );
    expect(sets.length).toBeGreaterThan(5);
    for (const parameters of sets) {
      expect(Object.keys(parameters).filter((name) => name in ownSettings)).toEqual([]);
      await server.start(parameters);
      const answer = await server.ask(
        `SELECT json_object_agg(name, current_setting(name)) FROM pg_settings WHERE source = 'command line'`,
      );
      const taken = JSON.parse(answer) as Record<string, string>;
      for (const [name, value] of Object.entries(parameters))
        expect([name, bytes(taken[name])]).toEqual([name, bytes(value)]);
    }
  });

  it("makes the application's database with the extensions that the first start asks for", async () => {
    await server.start();
    const statements = new Set(clusters.flatMap(({ spec }) => spec.bootstrap?.initdb?.postInitApplicationSQL ?? []));
    expect(statements.size).toBeGreaterThan(2);
    await server.ask("CREATE DATABASE extensions");
    for (const statement of statements) await server.ask(statement, "extensions");
  });

  it("does not start with a value it does not know", async () => {
    await expect(server.start({ work_mem: "1 heap" })).rejects.toThrow('invalid value for parameter "work_mem"');
  });
});

/** PostgreSQL writes 2048MB as 2GB. */
function bytes(value: string | undefined): string {
  const [, number, unit] = /^(\d+)(kB|MB|GB)$/.exec(value ?? "") ?? [];
  return number ? `${Number(number) * { kB: 1, MB: 1024, GB: 1024 ** 2 }[unit as "kB"]}kB` : String(value);
}

describe("the pooler as the operator sets it up", () => {
  const app = { user: "app", password: "pass'word\"1" };
  const databases = ["forge", "registry"];

  beforeAll(async () => {
    await using database = await OperatorDatabase.start(server, forgeCluster, forgePooler);
    await server.ask(`CREATE ROLE app LOGIN PASSWORD 'pass''word"1'`);
    for (const name of databases) await server.ask(`CREATE DATABASE ${name} OWNER app`);
    await database.prepareLookUp(databases);
  });

  it("starts with every set of parameters, and lets the application in", async () => {
    const sets = distinct(poolers, ({ spec }) => spec.pgbouncer);
    expect(sets.length).toBeGreaterThan(3);
    for (const pooler of sets) {
      await using database = await OperatorDatabase.start(server, forgeCluster, pooler);
      await using _ = await database.startPooler(await freePort(), { ...app, database: "forge" });
    }
  });

  describe("runs and", () => {
    let port = 0;
    const running = new AsyncDisposableStack();
    beforeAll(async () => {
      port = await freePort();
      const database = running.use(await OperatorDatabase.start(server, forgeCluster, forgePooler));
      running.use(await database.startPooler(port, { ...app, database: "forge" }));
    });
    afterAll(() => running.disposeAsync());

    it.each(databases)("looks the password up in PostgreSQL, for database %s", async (name) => {
      const sql = "SELECT current_database() || ' ' || current_user";
      expect(await query({ port, ...app, database: name }, sql)).toBe(`${name} app`);
    });

    it("refuses a wrong password, none, and a role that is not there", async () => {
      const login = { port, database: "forge" };
      await expect(query({ ...login, user: "app", password: "wrong" }, "SELECT 1")).rejects.toThrow(/auth|password/i);
      await expect(query({ ...login, user: "app" }, "SELECT 1")).rejects.toThrow(/password/i);
      await expect(query({ ...login, user: "nobody", password: "x" }, "SELECT 1")).rejects.toThrow(
        /auth|no such user/i,
      );
    });

    it("goes to the server by TLS with a certificate of its own, and by nothing else", async () => {
      const superuser = { port: server.port, user: "cnpg_pooler_pgbouncer", database: "forge", password: "x" };
      await expect(query(superuser, "SELECT 1")).rejects.toThrow(/certificate/);
      const sql = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'app'";
      expect(await query({ port, ...app, database: "forge" }, sql)).toBe("t");
    });

    it("keeps a session on one server connection, as advisory locks and prepared statements need it", async () => {
      const sql = "BEGIN; SELECT pg_advisory_lock(1); COMMIT; BEGIN; SELECT pg_advisory_unlock(1); COMMIT";
      expect((await query({ port, ...app, database: "forge" }, sql)).trim()).toBe("t");
    });
  });
});
