import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CloudSuiteSignOnArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemProgram } from "../../support/system-programs.ts";
import { variable } from "./objects.ts";
import { minimalSuite } from "./suite.ts";

/** The scripts of sign-on, with the real sh and PHP, a stand-in for occ, and one for GitLab. */

const scripts = join(import.meta.dirname, "../../../components/cloudsuite/scripts");

interface Account {
  readonly name?: string;
  readonly enabled: boolean;
  readonly settings?: object;
}
interface State {
  readonly users?: Readonly<Record<string, Account>>;
  readonly providers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly apps?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The client's id, and the app's settings, after each change of a provider. */
  readonly history?: readonly (readonly [client: string, settings: string])[];
  readonly failing?: readonly string[];
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-sign-on-"));
  mkdirSync(join(folder, "html"));
  copyFileSync(join(import.meta.dirname, "occ.php"), join(folder, "html/occ"));
  writeFileSync(join(folder, "calls"), "");
  has({});
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string) => join(folder, name);
const has = (state: State) => writeFileSync(file("state.json"), JSON.stringify(state));
const state = () => JSON.parse(readFileSync(file("state.json"), "utf8")) as State;
const calls = () => readFileSync(file("calls"), "utf8").trim().split("\n");
const run = (program: string, script: string, env: Readonly<Record<string, string>>) =>
  execa(program, [join(scripts, script)], {
    env: { HTML: file("html"), STATE: file("state.json"), CALLS: file("calls"), ...env },
    reject: false,
  });

describe("sign-on.sh", () => {
  const ofForge: CloudSuiteSignOnArgs = {
    identifier: "forge",
    issuer: "https://forge.example.org",
    groupsClaim: "groups_direct",
    groups: ["team", "team/design"],
    application: { namespace: "platform", secret: "forge-application-suite-team" },
  };
  const setUp = (signOn: CloudSuiteSignOnArgs = ofForge, client = "client-1", secret = "s3cr3t value") =>
    run("sh", "sign-on.sh", {
      SIGN_ON: String(variable({ ...minimalSuite, signOn }, "configure", "SIGN_ON")),
      SIGN_ON_OPTIONS: String(variable({ ...minimalSuite, signOn }, "configure", "SIGN_ON_OPTIONS")),
      SIGN_ON_CLIENT_ID: client,
      SIGN_ON_CLIENT_SECRET: secret,
    });

  test("makes the provider as the settings have it", async () => {
    const { exitCode, stderr } = await setUp();
    expect(exitCode, stderr).toBe(0);
    expect(state().providers?.forge).toEqual({
      id: 7,
      clientid: "client-1",
      secret: "s3cr3t value",
      discoveryuri: "https://forge.example.org/.well-known/openid-configuration",
      endsessionendpointuri: "",
      postlogouturi: "",
      scope: "openid profile email",
      "unique-uid": "0",
      "mapping-uid": "sub",
      "mapping-display-name": "name",
      "mapping-email": "email",
      "mapping-quota": "hearth_none",
      "mapping-groups": "groups_direct",
      "group-provisioning": "1",
      "group-whitelist-regex": "/^(?:forge-)?(?:team|team\\/design)$/D",
      "group-restrict-login-to-whitelist": "0",
      "check-bearer": "0",
      "bearer-provisioning": "0",
      "send-id-token-hint": "0",
      "entraid-group-names": "0",
      "resolve-nested-claims": "0",
    });
  });

  test("lets nobody sign on before accounts are named after the provider", async () => {
    await setUp();
    expect(state().history).toEqual([
      ["none", ""],
      ["client-1", "provider-7-providerBasedId=1"],
    ]);
  });

  test("never has the secret among the arguments of a process", async () => {
    await setUp();
    expect(calls().join("\n")).not.toContain("s3cr3t");
  });

  test("changes the provider that is there, and keeps its number", async () => {
    await setUp();
    await setUp({ ...ofForge, groups: [] }, "client-2", "another");
    expect(state().providers?.forge).toMatchObject({
      id: 7,
      clientid: "client-2",
      secret: "another",
      "group-provisioning": "0",
      "group-whitelist-regex": "",
    });
    expect(state().history?.map(([client]) => client)).toEqual(["none", "client-1", "client-2"]);
  });

  test("leaves the providers of others alone", async () => {
    const other = { id: 3, clientid: "theirs" };
    has({ providers: { other } });
    await setUp();
    expect(state().providers?.other).toEqual(other);
  });

  test.each(["user_oidc:provider", "config:app:set"])("fails where %s does", async (command) => {
    has({ failing: [command] });
    expect((await setUp()).exitCode).not.toBe(0);
    expect(state().history?.map(([client]) => client) ?? []).not.toContain("client-1");
  });
});

/** People as GitLab's API shows them to a user who is no administrator. (docs.gitlab.com/api/users) */
interface Person {
  readonly id: number;
  readonly username: string;
  readonly state: string;
}

describe("disable-blocked-users.php", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  const asked: string[] = [];
  beforeEach(() => void asked.splice(0));

  /** GitLab with these people: who is blocked is in no list, but has a page. @param answers statuses in place of its own */
  async function gitLab(people: readonly Person[], answers: Readonly<Record<string, number>> = {}): Promise<string> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://gitlab");
      const path = url.pathname.replace("/api/v4/", "");
      asked.push(path);
      const answer = (status: number, body: unknown) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (request.headers["private-token"] !== "glpat-token") return answer(401, { message: "401 Unauthorized" });
      const [, status] = Object.entries(answers).find(([of]) => of === path) ?? [];
      if (status !== undefined) return answer(status, { message: `${status}` });
      if (path === "user") return answer(200, { id: 1, username: "reader", state: "active" });
      if (path === "users") {
        const [size, page] = ["per_page", "page"].map((name) => Number(url.searchParams.get(name)));
        const listed = people.filter(({ state: is }) => !["blocked", "ldap_blocked", "banned"].includes(is));
        return answer(200, listed.slice((Number(page) - 1) * Number(size), Number(page) * Number(size)));
      }
      const person = people.find(({ id }) => path === `users/${id}`);
      return person ? answer(200, person) : answer(404, { message: "404 User Not Found" });
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const look = (url: string, token = "glpat-token") =>
    run(systemProgram("php"), "disable-blocked-users.php", { GITLAB_URL: url, GITLAB_TOKEN: token, SIGN_ON: "forge" });
  const person = (id: number, is = "active", username = `user${id}`): Person => ({ id, username, state: is });
  const enabled: Account = { enabled: true };
  const isEnabled = () =>
    Object.fromEntries(Object.entries(state().users ?? {}).map(([name, account]) => [name, account.enabled]));

  test.each(["blocked", "ldap_blocked", "banned", "blocked_pending_approval"])(
    "disables the account of somebody who is %s, and no other",
    async (is) => {
      has({ users: { admin: enabled, "42": enabled, "forge-42": enabled, "forge-43": enabled, "other-42": enabled } });
      const { exitCode, stdout, stderr } = await look(await gitLab([person(42, is), person(43)]));
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(stdout).toBe(`forge-42 is disabled: its user is ${is} in GitLab.\n2 accounts of the provider, 1 changed.`);
      expect(isEnabled()).toEqual({ admin: true, "42": true, "forge-42": false, "forge-43": true, "other-42": true });
    },
  );

  test("disables the account of somebody who was deleted", async () => {
    has({ users: { "forge-42": enabled } });
    await look(await gitLab([]));
    expect(isEnabled()).toEqual({ "forge-42": false });
  });

  test("leaves somebody who was renamed, or has not been there for long", async () => {
    has({ users: { "forge-42": enabled, "forge-43": enabled } });
    await look(await gitLab([person(42, "active", "married"), person(43, "deactivated")]));
    expect(isEnabled()).toEqual({ "forge-42": true, "forge-43": true });
  });

  test("enables the account again once GitLab unblocks its user, and asks for no more", async () => {
    has({ users: { "forge-42": enabled } });
    await look(await gitLab([person(42, "blocked")]));
    await look(await gitLab([person(42)]));
    expect(state().users?.["forge-42"]).toMatchObject({ enabled: true, settings: { hearth: [] } });
  });

  test("leaves an account disabled that somebody else disabled", async () => {
    has({ users: { "forge-42": { enabled: false } } });
    await look(await gitLab([person(42)]));
    expect(isEnabled()).toEqual({ "forge-42": false });
  });

  test("disables an account whose mark was all that a killed run left", async () => {
    has({ users: { "forge-42": { enabled: true, settings: { hearth: { blocked: "blocked" } } } } });
    await look(await gitLab([person(42, "blocked")]));
    expect(isEnabled()).toEqual({ "forge-42": false });
  });

  test("does so twice without a change", async () => {
    has({ users: { "forge-42": enabled, "forge-43": enabled } });
    const url = await gitLab([person(42, "blocked"), person(43)]);
    await look(url);
    expect((await look(url)).stdout).toBe("2 accounts of the provider, 0 changed.");
  });

  test("asks for few people one by one: GitLab takes 300 such calls in ten minutes", async () => {
    const people = Array.from({ length: 250 }, (_, id) => person(id + 1, id === 249 ? "blocked" : "active"));
    has({ users: Object.fromEntries(people.map(({ id }) => [`forge-${id}`, enabled])) });
    const { stdout } = await look(await gitLab(people));
    expect(stdout).toMatch(/250 accounts of the provider, 1 changed\.$/);
    expect(asked).toEqual(["user", "users", "users", "users", "users/250"]);
    expect(Object.entries(isEnabled()).filter(([, on]) => !on)).toEqual([["forge-250", false]]);
  });

  test.each([
    ["user", 500, "The next run asks again."],
    ["users", 403, "The token lacks the scope read_user, or its user may not list users."],
    ["users", 502, "The next run asks again."],
    ["users/42", 429, "It has been asked too often. The next run asks again."],
  ])("changes nothing where /%s answers %s, and says so", async (path, status, said) => {
    has({ users: { "forge-42": enabled } });
    const { exitCode, stderr } = await look(await gitLab([person(42, "blocked")], { [path]: status }));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(` answers ${status} to /api/v4/${path}`)]);
    expect(stderr).toContain(said);
    expect(isEnabled()).toEqual({ "forge-42": true });
  });

  test("changes nothing with a token that has ended, and says what to do", async () => {
    has({ users: { "forge-42": enabled } });
    const { exitCode, stderr } = await look(await gitLab([person(42)]), "glpat-old");
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("put a new one into its Secret")]);
    expect(`${stderr}`).not.toContain("glpat");
  });

  test("changes nothing where no GitLab answers: everybody would seem to be deleted", async () => {
    has({ users: { "forge-42": enabled } });
    const url = await gitLab([]);
    await new Promise((closed) => servers.splice(0)[0]?.close(closed));
    const { exitCode, stderr } = await look(url);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("No account was changed.")]);
  });

  test.each(["user:list", "user:disable", "user:setting"])("fails where occ %s does", async (command) => {
    has({ users: { "forge-42": enabled }, failing: [command] });
    expect((await look(await gitLab([person(42, "blocked")]))).exitCode).toBe(1);
    expect(isEnabled()).toEqual({ "forge-42": true });
  });
});
