import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dryRun } from "@hearth-platform/cli/validate/dry-run";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { loadKubeconfig } from "@hearth-platform/stack/live/cluster/kubeconfig";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** Answers to a PATCH by the last part of its path. */
const refusals: Readonly<Record<string, { code: number; reason: string; message: string; details?: object }>> = {
  homeless: { code: 404, reason: "NotFound", message: 'namespaces "x" not found', details: { kind: "namespaces" } },
  gone: { code: 404, reason: "NotFound", message: "the server could not find the requested resource" },
  invalid: { code: 422, reason: "Invalid", message: 'ConfigMap "invalid" is invalid: data: too long' },
  ended: {
    code: 422,
    reason: "Invalid",
    message: 'Job.batch "ended" is invalid: spec.template: Invalid value: {"labels":{}}: field is immutable',
  },
  unknown: { code: 401, reason: "Unauthorized", message: "Unauthorized" },
  forbidden: { code: 403, reason: "Forbidden", message: "configmaps is forbidden" },
};

const jobs = { resources: [{ name: "jobs", kind: "Job", namespaced: true }] };

const resources = {
  resources: [
    { name: "configmaps", kind: "ConfigMap", namespaced: true },
    { name: "namespaces", kind: "Namespace", namespaced: false },
  ],
};

let requests: IncomingMessage[] = [];
/** What was sent to be created. */
let bodies: unknown[] = [];
/** How a create is refused. */
let refusedNew: { readonly code: number; readonly message: string } | undefined;
/** How many of the next writes are refused as too many. */
let busy = 0;
function answer(request: IncomingMessage, response: ServerResponse) {
  requests.push(request);
  const name = /\/([\w-]+)\?/.exec(request.url ?? "")?.[1] ?? "";
  const isBusy = request.method === "PATCH" && busy-- > 0;
  const refusal =
    request.method === "POST"
      ? refusedNew
      : isBusy
        ? { code: 429, reason: "TooManyRequests", message: "later" }
        : refusals[name];
  const lists: Readonly<Record<string, object>> = { "/api/v1": resources, "/apis/batch/v1": jobs };
  const list = lists[request.url ?? ""];
  const isUnknown = list === undefined && /^\/apis\/[^/]+\/[^/]+$/.test(request.url ?? "");
  const body = list ?? refusal ?? {};
  let sent = "";
  request.on("data", (part) => {
    sent += part;
  });
  if (request.method === "POST") request.on("end", () => bodies.push(JSON.parse(sent)));
  request.on("end", () => response.writeHead(isUnknown ? 404 : (refusal?.code ?? 200)).end(JSON.stringify(body)));
}
const server = createServer(answer);

let folder: string;
let url: string;
let cluster: LiveCluster;
beforeEach(async () => {
  requests = [];
  bodies = [];
  refusedNew = undefined;
  folder = mkdtempSync(join(tmpdir(), "hearth-dry-run-"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cluster = await open({ token: "secret" });
});
afterEach(async () => {
  await cluster.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

/** A kubeconfig of the server with this user. */
function kubeconfig(user: object, name = "config"): string {
  const content = {
    clusters: [{ name: "fake", cluster: { server: url, "insecure-skip-tls-verify": true } }],
    contexts: [{ name: "test", context: { cluster: "fake", user: "me" } }],
    users: [{ name: "me", user }],
    "current-context": "test",
  };
  writeFileSync(join(folder, name), JSON.stringify(content));
  return join(folder, name);
}

function open(user: object): Promise<LiveCluster> {
  return LiveCluster.open({ kubeconfig: kubeconfig(user) });
}

/** A program that signs in, beside the kubeconfig: it runs this shell. */
function exec(shell: string) {
  writeFileSync(join(folder, "sign-in"), `#!/bin/sh\n${shell}\n`, { mode: 0o755 });
  return {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "./sign-in",
    args: ["token", "for me"],
    env: [{ name: "REALM", value: "here" }],
    interactiveMode: "Never",
  };
}

const configMap = (name: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "x" },
});
const namespace: KubernetesObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "x" } };

describe("a dry run of apply", () => {
  it("tries every object with strict fields, and never for real", async () => {
    expect(await dryRun(cluster, [namespace, configMap("a")])).toEqual({
      known: 2,
      accepted: 2,
      elsewhere: 0,
      notChecked: 0,
      problems: [],
    });
    const writes = requests.filter(({ method }) => method !== "GET");
    expect(writes.map(({ method, url }) => `${method} ${url?.split("?")[0]}`).sort()).toEqual([
      "PATCH /api/v1/namespaces/x",
      "PATCH /api/v1/namespaces/x/configmaps/a",
    ]);
    for (const { url } of writes)
      expect(Object.fromEntries(new URL(url ?? "", "http://x").searchParams)).toMatchObject({
        dryRun: "All",
        fieldValidation: "Strict",
      });
  });

  it("tries objects of an absent namespace in the namespace default, as new ones", async () => {
    expect(await dryRun(cluster, [configMap("homeless"), configMap("a")])).toMatchObject({
      accepted: 2,
      elsewhere: 1,
      notChecked: 0,
      problems: [],
    });
    const [made, ...more] = requests.filter(({ method }) => method === "POST");
    expect(more).toEqual([]);
    expect(made?.url).toMatch(/^\/api\/v1\/namespaces\/default\/configmaps\?.*dryRun=All&fieldValidation=Strict$/);
    expect(bodies).toContainEqual(expect.objectContaining({ metadata: { name: "homeless", namespace: "default" } }));
  });

  it("tells of those what is wrong wherever they are, and counts as not checked what default alone refuses", async () => {
    for (const [code, message, found] of [
      [422, 'StaticSite "s" is invalid: spec.repo: Required value', "problem"],
      [400, 'unknown field "spec.rpo"', "problem"],
      [403, "exceeded quota", "not checked"],
      [409, "already exists", "not checked"],
      [422, "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no", "not checked"],
      [400, 'admission webhook "w" denied the request: no', "not checked"],
    ] as const) {
      refusedNew = { code, message };
      const { accepted, notChecked, problems } = await dryRun(cluster, [configMap("homeless")]);
      expect([accepted, notChecked, problems.length], message).toEqual(found === "problem" ? [0, 0, 1] : [0, 1, 0]);
      if (found === "problem") expect(problems[0]?.message).toBe(`ConfigMap x/homeless: ${message}.`);
    }
  });

  it("takes no other 404 for an absent namespace", async () => {
    const { accepted, notChecked, problems } = await dryRun(cluster, [configMap("gone")]);
    expect([accepted, notChecked]).toEqual([0, 0]);
    expect(problems.map(({ message }) => message)).toEqual([
      "ConfigMap x/gone: the server could not find the requested resource.",
    ]);
  });

  it("takes a Job that an update would replace, since one that ran can't be changed", async () => {
    const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "ended", namespace: "x" } };
    expect(await dryRun(cluster, [job])).toMatchObject({ accepted: 1, problems: [] });
    const other = { ...configMap("ended"), metadata: { name: "ended", namespace: "x" } };
    expect((await dryRun(cluster, [other])).problems).toHaveLength(1);
  });

  it("tells what the API server refuses, by object, and goes on", async () => {
    const { accepted, problems } = await dryRun(cluster, [
      configMap("invalid"),
      configMap("forbidden"),
      configMap("a"),
    ]);
    expect(accepted).toBe(1);
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'dry-run ConfigMap x/invalid: ConfigMap "invalid" is invalid: data: too long.',
      "dry-run ConfigMap x/forbidden: configmaps is forbidden.",
    ]);
    expect(problems[1]?.remedy).toContain("context");
  });

  it("advises another context to who is not known there", async () => {
    const { problems } = await dryRun(cluster, [configMap("unknown")]);
    expect(problems.map(({ remedy }) => remedy)).toEqual(["Use a context that may apply objects there."]);
  });

  it("sends nothing of a kind that is not served", async () => {
    const database = { apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster", metadata: { name: "db", namespace: "x" } };
    const { known, problems } = await dryRun(cluster, [database]);
    expect(known).toBe(0);
    expect(problems).toEqual([
      expect.objectContaining({
        code: "dry-run-kind",
        remedy: "Install CloudNativePG, in a version that serves it.",
      }),
    ]);
    expect(requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it("tells of a missing operator which setting does without it", async () => {
    const monitor = {
      apiVersion: "monitoring.coreos.com/v1",
      kind: "PodMonitor",
      metadata: { name: "m", namespace: "x" },
    };
    const own = { apiVersion: "example.org/v1", kind: "Own", metadata: { name: "o", namespace: "x" } };
    const { problems } = await dryRun(cluster, [monitor, own]);
    expect(problems.map(({ remedy }) => remedy)).toEqual([
      "Install the Prometheus operator, in a version that serves it. Or leave these objects out: `hearth:monitoring: false`.",
      "Install the operator that brings the kind, in a version that serves it.",
    ]);
  });

  it("knows a namespaced object that names no namespace", async () => {
    const { problems } = await dryRun(cluster, [{ ...configMap("a"), metadata: { name: "a" } }]);
    expect(problems).toEqual([expect.objectContaining({ code: "dry-run" })]);
  });

  it("asks a busy API server again", async () => {
    busy = 2;
    expect(await dryRun(cluster, [configMap("a")])).toMatchObject({ accepted: 1, problems: [] });
  });

  it("fails where the API server stops answering: an object is never 'not checked' for that", async () => {
    await dryRun(cluster, [configMap("a")]);
    server.closeAllConnections();
    server.removeAllListeners("request");
    server.on("request", ({ socket }) => socket.destroy());
    try {
      await expect(dryRun(cluster, [configMap("b")])).rejects.toThrow();
    } finally {
      server.removeAllListeners("request");
      server.on("request", answer);
    }
  });

  it("fails where the API server can't be reached", async () => {
    // A port that was free a moment ago.
    const closed = createServer();
    await new Promise<void>((done) => closed.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((done) => closed.close(done));
    await expect(open({})).rejects.toThrow(
      `The Kubernetes API server ${url} of context "test" can't be reached: connect ECONNREFUSED`,
    );
  });
});

describe("a person's sign-in", () => {
  const authorization = () => requests.at(-1)?.headers.authorization;

  it("is a token, or a name and password", async () => {
    expect(authorization()).toBe("Bearer secret");
    await (await open({ username: "me", password: "p" })).close();
    expect(authorization()).toBe(`Basic ${Buffer.from("me:p").toString("base64")}`);
  });

  it("is what a program gives that the kubeconfig names, which is told what kubectl tells it", async () => {
    const told = join(folder, "told");
    const credential = `{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t-$REALM"}}`;
    const signIn = exec(`printf '%s\\n' "$@" "$KUBERNETES_EXEC_INFO" >> ${told}\ncat <<EOF\n${credential}\nEOF`);
    const signedIn = await open({ exec: signIn });
    expect(await dryRun(signedIn, [configMap("a"), configMap("b")])).toMatchObject({ accepted: 2 });
    await signedIn.close();
    expect(authorization()).toBe("Bearer t-here");
    const [command, whose, info = "", ...more] = readFileSync(told, "utf8").trim().split("\n");
    expect([command, whose, more]).toEqual(["token", "for me", []]);
    expect(JSON.parse(info)).toEqual({
      kind: "ExecCredential",
      apiVersion: "client.authentication.k8s.io/v1",
      spec: { interactive: false },
    });
  });

  it.each([
    ["says why it can't", "echo 'session expired: sign in again' >&2; exit 1", "session expired: sign in again"],
    ["says nothing that can be read", "echo hello", "JSON"],
  ])("by a program that %s is told", async (_, shell, problem) => {
    await expect(open({ exec: exec(shell) })).rejects.toThrow(/^The user "me" could not sign in: /);
    await expect(open({ exec: exec(shell) })).rejects.toThrow(problem);
  });

  it("by a program that is not there names it", async () => {
    await expect(open({ exec: { ...exec(""), command: "no-such-program" } })).rejects.toThrow("no-such-program");
  });
});

describe("a kubeconfig", () => {
  it("is that of KUBECONFIG, whose files are read as one: the first to name something wins", () => {
    const files = [join(folder, "absent"), kubeconfig({ token: "first" }, "a"), kubeconfig({ token: "second" }, "b")];
    const config = loadKubeconfig({ context: "test" }, { KUBECONFIG: files.join(":") });
    expect(config.getCurrentUser()?.token).toBe("first");
  });

  it.each([
    ["that is not there", () => ({ kubeconfig: join(folder, "absent") }), "absent does not exist."],
    [
      "without the context",
      () => ({ kubeconfig: kubeconfig({}), context: "x" }),
      /^The context "x" does not exist; the kubeconfig \S+ has test\. Correct hearth:kubernetes\.context or --context/,
    ],
  ])("%s is refused", (_, choice, problem) => {
    expect(() => loadKubeconfig(choice())).toThrow(problem);
  });

  it("that is none is refused by its name", () => {
    writeFileSync(join(folder, "config"), "a: [");
    expect(() => loadKubeconfig({ kubeconfig: join(folder, "config") })).toThrow(/config is no kubeconfig: /);
  });
});
