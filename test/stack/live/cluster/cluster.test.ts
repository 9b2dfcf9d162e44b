import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LiveCluster, Refusal } from "@hearth-platform/stack/live/cluster/cluster";
import { afterAll, beforeAll, expect, it } from "vitest";

/** Answers of an API server that are no JSON; the end-to-end tests have a real one. */

const folder = mkdtempSync(join(tmpdir(), "hearth-cluster-"));
const accepted: (string | undefined)[] = [];
/** What comes before the answer to `/busy`. */
let before: number[] = [];
const server = createServer(({ url, headers: { accept } }, response) => {
  accepted.push(accept);
  if (url === "/version") return void response.end('{"gitVersion":"v1.34.2","major":"1","minor":"34"}');
  if (url === "/api/v1/namespaces/team/pods/web/log?tailLines=2") return void response.end("one\ntwo\n");
  if (url === "/busy") return void response.writeHead(before.shift() ?? 200).end("{}");
  response.writeHead(403).end('{"kind":"Status","message":"pods is forbidden","details":{"kind":"pods"}}');
});
let cluster: LiveCluster;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const kubeconfig = join(folder, "kubeconfig");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    // The client library wants this for HTTP.
    clusters: [{ name: "it", cluster: { server: url, "insecure-skip-tls-verify": true } }],
    contexts: [{ name: "it", context: { cluster: "it", user: "it" } }],
    users: [{ name: "it", user: { token: "t" } }],
    "current-context": "it",
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  cluster = await LiveCluster.open({ kubeconfig, context: undefined });
});

afterAll(() => {
  cluster?.close();
  server.close();
  rmSync(folder, { recursive: true });
});

it("a text is read as it is", async () => {
  expect(await cluster.readText("/api/v1/namespaces/team/pods/web/log?tailLines=2")).toBe("one\ntwo\n");
  expect(accepted.at(-1), "no JSON is asked for").toContain("text/plain");
});

it("a text that may not be read is refused in the API server's words", async () => {
  const refusal = await cluster.readText("/api/v1/namespaces/team/pods/other/log").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ code: 403, about: "pods", message: "pods is forbidden" });
});

it("a request is made again while the API server has too much to do", async () => {
  before = [429, 503];
  expect(await cluster.read("/busy")).toEqual({});
  expect(before).toEqual([]);
});

it("a request that the API server fails at is not made again", async () => {
  before = [500, 500];
  expect(await cluster.read("/busy").catch((error: unknown) => error)).toMatchObject({ code: 500 });
  expect(before).toEqual([500]);
});
