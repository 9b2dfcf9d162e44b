import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiClient, UnreachableError } from "@hearth-platform/sandbox/kubernetes/api";
import { Discovery, NoMatchError } from "@hearth-platform/sandbox/kubernetes/discovery";
import { follow } from "@hearth-platform/sandbox/plugins/kubernetes/await/follow";
import { create } from "@hearth-platform/sandbox/plugins/kubernetes/create";
import { afterEach, describe, expect, test } from "vitest";
import { session } from "./session.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A server on this machine and its client, which tries as long as a busy machine may need. */
async function serve(
  listener: RequestListener,
  { unreachableAfter = 60_000 } = {},
): Promise<{ api: ApiClient; server: Server; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const connection = {
    server: `http://127.0.0.1:${port}`,
    namespace: "default",
    tls: { rejectUnauthorized: true },
    headers: {},
  };
  const api = new ApiClient(connection, { unreachableAfter });
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
    () => api.close(),
  );
  return { api, server, requests };
}

const resources = (...kinds: string[]) => ({
  resources: kinds.map((kind) => ({ name: `${kind.toLowerCase()}s`, kind, namespaced: kind !== "Namespace" })),
});

test("an answer that says «not now» is asked for again, a refusal is reported in the server's words", async () => {
  let asked = 0;
  const { api } = await serve((_request, response) => {
    asked++;
    const code = asked === 1 ? 503 : 422;
    response.writeHead(code).end(JSON.stringify({ message: "spec.x is wrong", reason: "Invalid" }));
  });
  await expect(api.request("POST", "/api/v1/pods", { body: {} })).rejects.toMatchObject({
    message: "spec.x is wrong",
    code: 422,
    reason: "Invalid",
  });
  expect(asked).toBe(2);
});

test("a server that does not come back is given up after a while, and waiting for it can be cancelled", async () => {
  const { api, server } = await serve((_request, response) => response.end("{}"), { unreachableAfter: 300 });
  await new Promise((resolve) => server.close(resolve));
  const cancelled = new AbortController();
  const request = api.get("/version", { signal: cancelled.signal });
  cancelled.abort(new Error("cancelled"));
  await expect(request).rejects.toThrow("cancelled");
  await expect(api.get("/version")).rejects.toThrow(UnreachableError);
});

test("discovery asks once, and again for a kind that was not there", async () => {
  const kinds = ["Pod"];
  const { api, requests } = await serve((_request, response) => response.end(JSON.stringify(resources(...kinds))));
  const discovery = new Discovery(api);
  expect(await discovery.path({ apiVersion: "v1", kind: "Pod", metadata: { name: "a" } })).toBe(
    "/api/v1/namespaces/default/pods/a",
  );
  await discovery.resource({ apiVersion: "v1", kind: "Pod" });
  expect(requests).toHaveLength(1);
  await expect(discovery.resource({ apiVersion: "v1", kind: "Namespace" })).rejects.toThrow(NoMatchError);
  kinds.push("Namespace");
  expect(await discovery.path({ apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } })).toBe(
    "/api/v1/namespaces/a",
  );
});

test("an object is followed through the end of a watch and through one that is too old", async () => {
  const object = (resourceVersion: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", resourceVersion },
  });
  const event = (type: string, of: object) => `${JSON.stringify({ type, object: of })}\n`;
  const answers = [
    JSON.stringify({ metadata: { resourceVersion: "1" }, items: [object("1")] }),
    event("MODIFIED", object("2")),
    event("ERROR", { code: 410 }),
    JSON.stringify({ metadata: { resourceVersion: "5" }, items: [object("4")] }),
    event("DELETED", object("6")),
  ];
  const { api, requests } = await serve((request, response) => {
    if (request.url === "/api/v1") return response.end(JSON.stringify(resources("Pod")));
    const answer = answers.shift();
    return answer === undefined ? response.write("\n") : response.end(answer);
  });
  const done = new AbortController();
  const seen: (string | undefined)[] = [];
  const followed = follow(
    { api, discovery: new Discovery(api) },
    { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } },
    done.signal,
  );
  for await (const live of followed) {
    seen.push(live?.metadata.resourceVersion);
    if (live === undefined) break;
  }
  done.abort();
  expect(seen).toEqual(["1", "2", "4", undefined]);
  expect(
    requests
      .filter((request) => request.includes("watch=true"))
      .map((request) => /resourceVersion=(\d)/.exec(request)?.[1]),
  ).toEqual(["1", "2", "5"]);
});

describe("a create whose connection breaks", () => {
  const inputs = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } };
  const request = { urn: "urn", name: "a", type: "kubernetes:core/v1:ConfigMap", inputs, timeout: 0, preview: false };

  async function run(found: (posted: number) => object | undefined) {
    let posted = 0;
    const { api, requests } = await serve((incoming, response) => {
      if (incoming.url === "/api/v1") return response.end(JSON.stringify(resources("ConfigMap")));
      if (incoming.method === "POST" && ++posted === 1) return incoming.socket.destroy();
      const answer = incoming.method === "POST" ? inputs : found(posted);
      return response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? { reason: "NotFound" }));
    });
    const cluster = { api, discovery: new Discovery(api) };
    const outcome = await create({ ...session(), cluster }, request).then(
      ({ id }) => id,
      (error: Error) => error.message,
    );
    return { outcome, posts: requests.filter((line) => line.startsWith("POST")).length };
  }

  const made = (creationTimestamp: string) => ({
    ...inputs,
    metadata: {
      ...inputs.metadata,
      creationTimestamp,
      managedFields: [{ manager: "pulumi-kubernetes", operation: "Update", fieldsV1: {} }],
    },
  });

  test("is done when the object is there", async () => {
    expect(await run(() => made(new Date().toISOString()))).toEqual({ outcome: "default/a", posts: 1 });
  });
  test("is tried again when it is not", async () => {
    expect(await run(() => undefined)).toEqual({ outcome: "default/a", posts: 2 });
  });
  test("is a failure when the object is an older one", async () => {
    expect(await run(() => made("2020-01-01T00:00:00Z"))).toMatchObject({
      outcome: expect.stringContaining("was not successfully created"),
      posts: 1,
    });
  });
});
