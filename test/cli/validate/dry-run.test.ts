import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Cluster } from "@hearth-platform/cli/validate/cluster";
import { dryRun } from "@hearth-platform/cli/validate/dry-run";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { ApiClient } from "@hearth-platform/sandbox/kubernetes/api";
import { Discovery } from "@hearth-platform/sandbox/kubernetes/discovery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** Answers to a PATCH by the last part of its path. */
const refusals: Readonly<Record<string, { code: number; reason: string; message: string; details?: object }>> = {
  homeless: { code: 404, reason: "NotFound", message: 'namespaces "x" not found', details: { kind: "namespaces" } },
  invalid: { code: 422, reason: "Invalid", message: 'ConfigMap "invalid" is invalid: data: too long' },
  forbidden: { code: 403, reason: "Forbidden", message: "configmaps is forbidden" },
};

const resources = {
  resources: [
    { name: "configmaps", kind: "ConfigMap", namespaced: true },
    { name: "namespaces", kind: "Namespace", namespaced: false },
  ],
};

let requests: IncomingMessage[] = [];
const server = createServer((request, response) => {
  requests.push(request);
  const name = /\/([\w-]+)\?/.exec(request.url ?? "")?.[1] ?? "";
  const refusal = refusals[name];
  const answer = request.url === "/api/v1" ? resources : (refusal ?? {});
  request.resume();
  request.on("end", () =>
    response.writeHead(request.url?.startsWith("/apis/") ? 404 : (refusal?.code ?? 200)).end(JSON.stringify(answer)),
  );
});

let cluster: Cluster;
beforeEach(async () => {
  requests = [];
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = new ApiClient({ server: url, namespace: "default", tls: { rejectUnauthorized: true }, headers: {} });
  cluster = { name: "test", api, discovery: new Discovery(api) };
});
afterEach(async () => {
  await cluster.api.close();
  await new Promise((done) => server.close(done));
});

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

  it("counts objects of an absent namespace as not checked", async () => {
    expect(await dryRun(cluster, [configMap("homeless"), configMap("a")])).toMatchObject({
      accepted: 1,
      notChecked: 1,
      problems: [],
    });
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

  it("sends nothing of a kind that is not served", async () => {
    const database = { apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster", metadata: { name: "db", namespace: "x" } };
    const { known, problems } = await dryRun(cluster, [database]);
    expect(known).toBe(0);
    expect(problems).toEqual([expect.objectContaining({ code: "dry-run-kind" })]);
    expect(requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it("knows a namespaced object that names no namespace", async () => {
    const { problems } = await dryRun(cluster, [{ ...configMap("a"), metadata: { name: "a" } }]);
    expect(problems).toEqual([expect.objectContaining({ code: "dry-run" })]);
  });

  it("fails where the API server can't be reached", async () => {
    const gone = new ApiClient(
      { server: "http://127.0.0.1:1", namespace: "default", tls: { rejectUnauthorized: true }, headers: {} },
      { unreachableAfter: 0 },
    );
    const absent = { name: "gone", api: gone, discovery: new Discovery(gone) };
    await expect(dryRun(absent, [namespace])).rejects.toThrow("can't be reached");
    await gone.close();
  });
});
