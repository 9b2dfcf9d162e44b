import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** Hosts that the proxy was asked for; it lets nobody through. */
let asked: string[] = [];
const proxy = createServer().on("connect", (request, socket) => {
  asked.push(request.url ?? "");
  socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
});

let folder = "";
let address = "";
beforeEach(async () => {
  asked = [];
  folder = mkdtempSync(join(tmpdir(), "hearth-sign-in-"));
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((done) => proxy.close(done));
});

/** Nothing listens on port 9 here; the user's token is all that signs in. */
const server = "https://127.0.0.1:9";

function open(environment: Record<string, string>, user: object = { token: "hush" }): Promise<unknown> {
  const kubeconfig = join(folder, "kubeconfig");
  const named = <T extends object>(key: string, value: T) => [{ name: "x", [key]: value }];
  const config = {
    clusters: named("cluster", { server }),
    contexts: named("context", { cluster: "x", user: "x" }),
    users: named("user", user),
    "current-context": "x",
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  return LiveCluster.open({ kubeconfig }, environment as NodeJS.ProcessEnv, 5_000);
}

describe("a cluster behind a proxy", () => {
  it.each(["HTTPS_PROXY", "https_proxy"])("is asked through the one of %s", async (name) => {
    await expect(open({ [name]: address })).rejects.toThrow(/can't be reached/);
    expect(asked).toEqual(["127.0.0.1:9"]);
  });

  it("is asked through it by a user who needs the client library, too", async () => {
    const user = { username: "me", password: "hush" };
    await expect(open({ HTTPS_PROXY: address }, user)).rejects.toThrow(/can't be reached/);
    expect(asked).toEqual(["127.0.0.1:9"]);
  });

  it("is asked directly where NO_PROXY names it, or there is none", async () => {
    await expect(open({ HTTPS_PROXY: address, NO_PROXY: "127.0.0.1" })).rejects.toThrow(/ECONNREFUSED/);
    await expect(open({})).rejects.toThrow(/ECONNREFUSED/);
    expect(asked).toEqual([]);
  });
});
