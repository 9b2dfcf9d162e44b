import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
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

function open(
  environment: Record<string, string>,
  user: object = { token: "hush" },
  cluster: object = { server },
): Promise<unknown> {
  const kubeconfig = join(folder, "kubeconfig");
  const named = <T extends object>(key: string, value: T) => [{ name: "x", [key]: value }];
  const config = {
    clusters: named("cluster", cluster),
    contexts: named("context", { cluster: "x", user: "x" }),
    users: named("user", user),
    "current-context": "x",
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  return LiveCluster.open({ kubeconfig }, environment as NodeJS.ProcessEnv, 5_000);
}

describe("a refusal names server, context and user, and says what to do,", () => {
  /** An API server with a certificate that no kubeconfig here knows. It accepts nobody. */
  async function refusing(): Promise<AsyncDisposable & { readonly at: string }> {
    const authority = await CertificateAuthority.open(join(folder, "authority"));
    const { certificate: cert, privateKey: key } = await authority.issue({
      commonName: "apiserver",
      dnsNames: [],
      ipAddresses: ["127.0.0.1"],
      lifetime: 86_400_000,
      key: { algorithm: "ECDSA", curve: "P-256" },
    });
    const status = JSON.stringify({ kind: "Status", code: 401, reason: "Unauthorized", message: "Unauthorized" });
    const listening = createTlsServer({ key, cert }, (_, response) => response.writeHead(401).end(status));
    await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
    return {
      at: `https://127.0.0.1:${(listening.address() as AddressInfo).port}`,
      async [Symbol.asyncDispose]() {
        listening.closeAllConnections();
        await new Promise((done) => listening.close(done));
      },
    };
  }

  it.each([
    ["whose token stands in the kubeconfig", { token: "hush" }],
    ["who needs the client library", { username: "me", password: "hush" }],
  ])("of a user %s", async (_, user) => {
    await using refused = await refusing();
    const cluster = { server: refused.at, "insecure-skip-tls-verify": true };
    await expect(open({}, user, cluster)).rejects.toThrow(
      `The Kubernetes API server ${refused.at} does not accept the user "x" of context "x": Unauthorized. Sign in again, or choose another context.`,
    );
  });

  it("of a certificate that the kubeconfig does not know", async () => {
    await using refused = await refusing();
    await expect(open({}, { token: "hush" }, { server: refused.at })).rejects.toThrow(
      `The Kubernetes API server ${refused.at} of context "x" can't be reached: the kubeconfig's certificate authority has not signed its certificate. Get the kubeconfig of this cluster again.`,
    );
  });
});

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
