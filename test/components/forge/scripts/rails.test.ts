import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { applicationEnvironment, runnerEnvironment } from "@hearth-platform/hearth/forge/configuration";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ForgeCall, forgeApiProblems } from "../../../support/forge-api.ts";

/** The scripts that `gitlab-rails runner` runs, under the real Ruby with a stand-in for the forge. */

const scripts = join(import.meta.dirname, "../../../../components/forge/scripts");

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-forge-"));
});

async function run(script: string, environment: Record<string, string>, ...args: string[]) {
  const child = spawn(
    "ruby",
    ["--disable-gems", "-r", join(import.meta.dirname, "fake-forge.rb"), join(scripts, script), ...args],
    {
      env: { PATH: process.env.PATH, DATABASE: join(folder, "database.json"), ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  expect((rows("calls") as unknown as ForgeCall[]).flatMap(forgeApiProblems)).toEqual([]);
  return { status, stdout, stderr };
}

/** Names of the operations that a script asked for, one after the other. */
const calls = () => rows("calls").map(({ operation }) => operation);

type Row = Record<string, unknown>;

/** Rows of a table of the stand-in. */
function rows(table: string): Row[] {
  const file = join(folder, "database.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8"))[table] ?? []) : [];
}

function database(tables: Record<string, Row[]>): void {
  writeFileSync(join(folder, "database.json"), JSON.stringify(tables));
}

describe("register-application.rb", () => {
  const redirectUri = "https://hub.example.org/c/oidc/callback";
  const application = {
    [applicationEnvironment.name]: "hub",
    [applicationEnvironment.redirectUri]: redirectUri,
    [applicationEnvironment.scopes]: "openid profile email",
  };

  function register(id: string, secret: string, more: Record<string, string> = {}) {
    writeFileSync(join(folder, "client-id"), `${id}\n`);
    writeFileSync(join(folder, "client-secret"), `${secret}\n`);
    return run("register-application.rb", { ...application, APPLICATION_FOLDER: folder, ...more });
  }

  test("registers a trusted application, of whose secret only a hash is kept, and says no secret", async () => {
    const { stdout, stderr, status } = await register("the-id", "the-secret");
    expect({ stdout, stderr, status }).toEqual({ stdout: "Registered hub.\n", stderr: "", status: 0 });
    expect(calls()).toEqual(["CreateApplication"]);
    expect(rows("applications")).toEqual([
      {
        id: 1,
        uid: "the-id",
        name: "hub",
        redirect_uri: redirectUri,
        scopes: "openid profile email",
        confidential: true,
        trusted: true,
        secret: expect.stringMatching(/^\d+:[0-9a-f]{64}$/),
      },
    ]);
  });

  test("leaves a registered one alone, and changes what has changed", async () => {
    await register("the-id", "the-secret");
    const [before] = rows("applications");
    const again = await register("the-id", "the-secret");
    expect(again.stdout).toBe("hub is registered already.\n");
    expect(rows("applications")).toEqual([before]);

    const moved = await register("the-id", "another", { [applicationEnvironment.scopes]: "openid" });
    expect(moved.stdout).toBe("Registered hub.\n");
    const [after] = rows("applications");
    expect(after).toMatchObject({ id: before?.id, scopes: "openid" });
    expect(after?.secret).not.toBe(before?.secret);
  });

  test("ends what a former id could sign on with, but no other application", async () => {
    const others = [
      { id: 7, uid: "of-a-user", name: "hub", redirect_uri: redirectUri, owner_id: 3 },
      { id: 8, uid: "elsewhere", name: "hub", redirect_uri: "https://other.example.org/callback" },
    ];
    database({ applications: others });
    await register("first", "the-secret");
    const { stdout } = await register("second", "the-secret");
    expect(stdout).toContain("Removed 1 former registration(s) of hub.");
    expect(rows("applications").map(({ uid }) => uid)).toEqual(["of-a-user", "elsewhere", "second"]);
  });

  test("belongs to the first organization where applications belong to one", async () => {
    await register("the-id", "the-secret", { ORGANIZATIONS: "yes" });
    expect(rows("applications")[0]).toMatchObject({ organization_id: 1 });
  });
});

test.each<[call: ForgeCall, problem: string]>([
  [{ operation: "CreateUserRunner", body: { tags: ["linux"] } }, "CreateUserRunner takes no tags."],
  [
    { operation: "CreateUserRunner", body: { tag_list: "linux" } },
    'CreateUserRunner takes string[] as tag_list, not "linux".',
  ],
  [
    { operation: "UpdateSettings", body: { default_project_visibility: "hidden" } },
    'UpdateSettings takes private|internal|public as default_project_visibility, not "hidden".',
  ],
  [{ operation: "DeleteForge", body: {} }, "DeleteForge is not among the functions of tools/forge-api.ts."],
])("a call that the forge's published API has not is told: %j", (call, problem) => {
  expect(forgeApiProblems(call)).toEqual([problem]);
});

describe("apply-settings.rb", () => {
  test("sets what the stack says and nothing else", async () => {
    database({ settings: [{ id: 1, signup_enabled: true, default_project_visibility: 20 }] });
    const settings = join(folder, "settings.json");
    writeFileSync(settings, JSON.stringify({ signup_enabled: false }));
    expect((await run("apply-settings.rb", {}, settings)).stdout).toBe("Set signup_enabled.\n");
    expect(calls()).toEqual(["UpdateSettings"]);
    expect(rows("settings")).toEqual([{ id: 1, signup_enabled: false, default_project_visibility: 20 }]);

    writeFileSync(settings, JSON.stringify({ default_project_visibility: "internal" }));
    await run("apply-settings.rb", {}, settings);
    expect(rows("settings")).toEqual([{ id: 1, signup_enabled: false, default_project_visibility: 10 }]);
  });

  test("names a setting that only later versions have, and sets the others", async () => {
    database({ settings: [{ id: 1, gravatar_enabled: true }] });
    const settings = join(folder, "settings.json");
    writeFileSync(settings, JSON.stringify({ of_a_later_version: false, gravatar_enabled: false }));
    const { stdout } = await run("apply-settings.rb", {}, settings);
    expect(stdout).toBe("This version does not have of_a_later_version.\nSet gravatar_enabled.\n");
    expect(rows("settings")).toEqual([{ id: 1, gravatar_enabled: false }]);
  });
});

describe("create-runner.rb", () => {
  interface ApiRequest {
    method?: string;
    url?: string;
    authorization?: string;
    type?: string;
    body: unknown;
  }
  const requests: ApiRequest[] = [];
  let server: Server;
  let account: string;
  let answer: { status: number; body: object };

  beforeAll(async () => {
    account = mkdtempSync(join(tmpdir(), "hearth-forge-account-"));
    const authority = await CertificateAuthority.open(join(account, "authority"));
    const day = 24 * 3600 * 1000;
    const { certificate, privateKey } = await authority.issue({
      dnsNames: [],
      ipAddresses: ["127.0.0.1"],
      lifetime: day,
      key: { algorithm: "ECDSA", curve: "P-256" },
    });
    writeFileSync(join(account, "ca.crt"), authority.certificate);
    writeFileSync(join(account, "token"), "account-token\n");
    server = createServer({ cert: certificate, key: privateKey }, async (request, response) => {
      const { method, url, headers } = request;
      const body = JSON.parse(await text(request));
      requests.push({ method, url, authorization: headers.authorization, type: headers["content-type"], body });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
  });

  afterAll(() => {
    server.close();
  });

  beforeEach(() => {
    requests.length = 0;
    answer = { status: 200, body: {} };
    database({
      users: [
        { id: 1, admin: true, state: "blocked" },
        { id: 2, admin: true, state: "active" },
        { id: 3, admin: false, state: "active" },
      ],
    });
  });

  const create = (more: Record<string, string> = {}) =>
    run("create-runner.rb", {
      [runnerEnvironment.description]: "forge-runner",
      [runnerEnvironment.tags]: "linux,amd64",
      [runnerEnvironment.namespace]: "platform",
      [runnerEnvironment.secret]: "forge-runner-token",
      [runnerEnvironment.key]: "token",
      SERVICE_ACCOUNT: account,
      KUBERNETES_SERVICE_HOST: "127.0.0.1",
      KUBERNETES_SERVICE_PORT: String((server.address() as AddressInfo).port),
      ...more,
    });

  const written = () => {
    const [{ body }] = requests.slice(-1) as [{ body: { data: { token: string } } }];
    return Buffer.from(body.data.token, "base64").toString();
  };

  test("makes a runner for the whole instance and writes its token, which it does not say", async () => {
    const { stdout, stderr, status } = await create();
    expect({ stdout, stderr, status }).toEqual({ stdout: "Created runner forge-runner.\n", stderr: "", status: 0 });
    expect(calls()).toEqual(["CreateUserRunner"]);
    const [runner] = rows("runners");
    expect(runner).toMatchObject({
      description: "forge-runner",
      runner_type: "instance_type",
      tag_list: ["linux", "amd64"],
      run_untagged: true,
      creator: 2,
    });
    expect(requests).toEqual([
      {
        method: "PATCH",
        url: "/api/v1/namespaces/platform/secrets/forge-runner-token?fieldManager=hearth-runner-registration",
        authorization: "Bearer account-token",
        type: "application/merge-patch+json",
        body: { data: { token: expect.any(String) } },
      },
    ]);
    expect(written()).toBe(runner?.token);
  });

  test("writes the token of a known runner again, with the tags of now", async () => {
    await create();
    const [before] = rows("runners");
    const { stdout } = await create({ [runnerEnvironment.tags]: "" });
    expect(stdout).toBe("Runner forge-runner is known already.\n");
    expect(rows("runners")).toEqual([{ ...before, tag_list: [] }]);
    expect(written()).toBe(before?.token);
  });

  test("makes a new one after the restore of a database that has none, whatever proxy the pod has", async () => {
    await create();
    const before = written();
    database({ users: [{ id: 2, admin: true, state: "active" }] });
    await create({ http_proxy: "http://127.0.0.1:9", https_proxy: "http://127.0.0.1:9" });
    expect(written()).not.toBe(before);
    expect(written()).toBe(rows("runners")[0]?.token);
  });

  test.each([
    [404, 'secrets "forge-runner-token" not found'],
    [403, "may not patch"],
  ])("fails with the API server's words when that answers %i, without token", async (status, message) => {
    answer = { status, body: { kind: "Status", message } };
    const { stdout, stderr, status: code } = await create();
    expect(code).toBe(1);
    expect(stderr).toContain(`Secret platform/forge-runner-token can't be written: ${status} ${message}`);
    expect(stdout + stderr).not.toContain("glrt-");
    expect(stdout + stderr).not.toContain("account-token");
  });

  test("speaks to no other server than the cluster's", async () => {
    const other = mkdtempSync(join(tmpdir(), "hearth-forge-account-"));
    const { certificate } = await CertificateAuthority.open(join(other, "authority"));
    writeFileSync(join(other, "ca.crt"), certificate);
    writeFileSync(join(other, "token"), "account-token");
    const { status, stderr } = await create({ SERVICE_ACCOUNT: other });
    expect(status).toBe(1);
    expect(stderr).toContain("certificate verify failed");
    expect(requests).toEqual([]);
  });

  test("says why the forge has no runner", async () => {
    expect((await create({ FORBIDDEN: "yes" })).stderr).toBe(
      "The forge refused the runner: Insufficient permissions\n",
    );
    database({ users: [{ id: 1, admin: true, state: "blocked" }] });
    expect((await create()).stderr).toContain("no active administrator");
    expect(requests).toEqual([]);
  });
});
