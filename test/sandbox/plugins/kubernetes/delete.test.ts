import { deleteObject } from "@hearth-platform/sandbox/plugins/kubernetes/delete";
import type { Cluster } from "@hearth-platform/sandbox/plugins/kubernetes/session";
import { expect, test } from "vitest";
import { session } from "./session.ts";

/** A cluster whose object stays after its delete, and whose watch ends as `watch` says. */
function clusterThat(watch: () => never): Cluster {
  const item = { metadata: { name: "web", namespace: "team", uid: "1" } };
  const api = {
    request: async () => undefined,
    get: async () => ({ items: [item], metadata: { resourceVersion: "1" } }),
    watch,
  };
  const path = async () => "/api/v1/namespaces/team/configmaps";
  return { api, discovery: { path, collection: path } } as unknown as Cluster;
}

test("a delete that can't be followed fails with what went wrong, and not for want of time", async () => {
  const cluster = clusterThat(() => {
    throw new Error("The certificate has expired.");
  });
  const inputs = { apiVersion: "v1", kind: "ConfigMap" };
  const request = { type: "kubernetes:core/v1:ConfigMap", urn: "urn:pulumi:s::p::t::web", id: "team/web", timeout: 0 };
  const deleted = deleteObject({ ...session(), cluster }, { ...request, inputs, state: {} } as never);
  await expect(deleted).rejects.toThrow(/^The certificate has expired\.$/);
});
