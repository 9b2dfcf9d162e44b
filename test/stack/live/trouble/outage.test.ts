import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { outageFindings, storeFindings } from "@hearth-platform/stack/live/trouble/outage";
import { afterEach, expect, it } from "vitest";
import { stringify } from "yaml";

/** What an API server says of a namespace; nothing: it never answers. */
type Answer = readonly [code: number, body: object] | undefined;

let server: Server | undefined;
const folder = mkdtempSync(join(tmpdir(), "hearth-outage-"));
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
  server = undefined;
});

async function clusterThat(answer: Answer): Promise<LiveCluster> {
  const listener: RequestListener = ({ url }, response) => {
    if (url === "/version") response.end('{"major":"1","minor":"34","gitVersion":"v1.34.0"}');
    else if (answer) response.writeHead(answer[0]).end(JSON.stringify(answer[1]));
  };
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = join(folder, "config");
  const named = (value: object) => [{ name: "a", ...value }];
  const content = {
    ...{ apiVersion: "v1", kind: "Config", "current-context": "a" },
    contexts: named({ context: { cluster: "a", user: "a" } }),
    clusters: named({ cluster: { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true } }),
    users: named({ user: {} }),
  };
  writeFileSync(kubeconfig, stringify(content));
  return LiveCluster.open({ kubeconfig, context: "a" }, {}, 5_000);
}

it.each<[string, Answer, string | undefined]>([
  ["that does not answer", undefined, "can't be reached: it does not answer."],
  [
    "that has lost its etcd",
    [500, { message: "etcdserver: leader changed" }],
    "It answers 500: etcdserver: leader changed",
  ],
  ["that has the namespace", [200, { metadata: { name: "team" } }], undefined],
  ["that does not have it", [404, { message: "not found" }], undefined],
  ["that may not say", [403, { message: "forbidden" }], undefined],
])("an API server %s", async (_, answer, message) => {
  const cluster = await clusterThat(answer);
  const [finding] = await storeFindings(cluster, "team");
  cluster.close();
  if (message === undefined) expect(finding).toBeUndefined();
  else expect(finding).toMatchObject({ status: "problem", message: expect.stringContaining(message) });
});

it("one that is gone is told too, and what is wrong with the kubeconfig is not its fault", async () => {
  const cluster = await clusterThat(undefined);
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  expect(await storeFindings(cluster, "team")).toMatchObject([{ subject: "the Kubernetes API server" }]);
  cluster.close();
  expect(outageFindings(new Error("The kubeconfig has no context a."))).toEqual([]);
  rmSync(folder, { recursive: true });
});
