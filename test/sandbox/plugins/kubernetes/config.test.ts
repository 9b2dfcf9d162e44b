import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { connectionOf, loadKubeconfig } from "@hearth-platform/sandbox/kubernetes/kubeconfig";
import { type Properties, UNKNOWN } from "@hearth-platform/sandbox/plugins/grpc";
import { create } from "@hearth-platform/sandbox/plugins/kubernetes/create";
import { diffConfig } from "@hearth-platform/sandbox/plugins/kubernetes/diff-config";
import { openSession } from "@hearth-platform/sandbox/plugins/kubernetes/session";
import { afterAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";

const folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true }));

const config = (name: string, server: string, user: Properties = { token: "t" }) => ({
  clusters: [{ name, cluster: { server, "certificate-authority": "ca.crt" } }],
  contexts: [{ name, context: { cluster: name, user: name, namespace: `${name}-ns` } }],
  users: [{ name, user }],
  "current-context": name,
});

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : stringify(content));
  return path;
}

file("ca.crt", "the authority");
const one = file("one", config("one", "https://127.0.0.1:1"));
const two = file(
  "two",
  config("two", "https://127.0.0.1:2", { "client-certificate-data": "Y2VydA==", "client-key-data": "a2V5" }),
);
const noSignal = new AbortController().signal;

describe("the kubeconfig", () => {
  test("comes from KUBECONFIG, several files being one in which the first has its way", () => {
    const merged = loadKubeconfig(undefined, { KUBECONFIG: [one, join(folder, "absent"), two].join(delimiter) });
    expect(connectionOf(merged, {})).toMatchObject({
      server: "https://127.0.0.1:1",
      namespace: "one-ns",
      headers: { authorization: "Bearer t" },
    });
    const other = connectionOf(merged, { context: "two" });
    expect(other.server).toBe("https://127.0.0.1:2");
    expect([other.tls.ca, other.tls.cert, other.tls.key].map(String)).toEqual(["the authority", "cert", "key"]);
  });
  test("comes from the setting, a path or its content", () => {
    const environment = { KUBECONFIG: one };
    expect(connectionOf(loadKubeconfig(two, environment), {}).server).toBe("https://127.0.0.1:2");
    const content = {
      ...config("three", "https://127.0.0.1:3"),
      clusters: [{ name: "three", cluster: { server: "https://127.0.0.1:3" } }],
    };
    expect(connectionOf(loadKubeconfig(JSON.stringify(content), environment), {}).server).toBe("https://127.0.0.1:3");
    expect(() => loadKubeconfig("nonsense", environment)).toThrow(
      "neither a file that exists nor the content of a kubeconfig",
    );
  });
  test.each([
    ["an unknown context", { context: "nowhere" }, 'context "nowhere" does not exist'],
    ["an unknown cluster", { cluster: "nowhere" }, 'cluster "nowhere" does not exist'],
  ])("with %s leads nowhere", (_name, overrides, message) => {
    expect(() => connectionOf(loadKubeconfig(one), overrides)).toThrow(message);
  });
  test("whose user signs in by another program is refused", () => {
    const path = file("exec", config("exec", "https://127.0.0.1:1", { exec: { command: "x" } }));
    expect(() => connectionOf(loadKubeconfig(path), {})).toThrow("signs in through another program");
  });
});

describe("a session", () => {
  test("with a context that is not in the kubeconfig reaches no cluster: previews show the inputs, changes fail and say why", async () => {
    const variables = { "kubernetes:config:context": "nowhere" };
    const session = await openSession({ variables, args: {} }, noSignal, { KUBECONFIG: one });
    const request = { urn: "urn", name: "a", type: "kubernetes:core/v1:Namespace", timeout: 0 };
    const inputs = { apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } };
    expect(await create(session, { ...request, inputs, preview: true })).toEqual({ id: "", state: inputs });
    await expect(create(session, { ...request, inputs, preview: false })).rejects.toThrow(
      'configured Kubernetes cluster is unreachable: unable to load Kubernetes client configuration from kubeconfig file: context "nowhere" does not exist',
    );
  });
  test("takes each setting from the provider, then from its variable, then its default", async () => {
    const open = (variables: Record<string, string>, environment = {}) =>
      openSession({ variables: { "kubernetes:config:context": "nowhere", ...variables }, args: {} }, noSignal, {
        KUBECONFIG: one,
        ...environment,
      });
    expect((await open({})).settings).toMatchObject({ enablePatchForce: false, enableSecretMutable: false });
    const PULUMI_K8S_ENABLE_SECRET_MUTABLE = "true";
    expect((await open({}, { PULUMI_K8S_ENABLE_SECRET_MUTABLE })).settings.enableSecretMutable).toBe(true);
    const refused = { "kubernetes:config:enableSecretMutable": "false" };
    expect((await open(refused, { PULUMI_K8S_ENABLE_SECRET_MUTABLE })).settings.enableSecretMutable).toBe(false);
  });
  test.each([
    ["renderYamlToDirectory", "out", "does not do renderYamlToDirectory"],
    ["enableServerSideApply", "false", "only does server-side apply"],
  ])("refuses %s, which the stand-in would silently ignore", async (key, value, message) => {
    const variables = { [`kubernetes:config:${key}`]: value };
    await expect(openSession({ variables, args: {} }, noSignal, {})).rejects.toThrow(message);
  });
});

describe("a change of the provider's settings", () => {
  const content = (server: string) => JSON.stringify({ ...config("c", server) });
  const [here, there] = [content("https://here"), content("https://there")];
  test.each<[string, Properties, Properties, boolean, string[]]>([
    ["to nothing new is none", { kubeconfig: here }, { kubeconfig: here }, false, []],
    [
      "of a setting that no object depends on is one",
      { kubeconfig: here },
      { kubeconfig: here, enableSecretMutable: "true" },
      true,
      [],
    ],
    ["to another cluster replaces", { kubeconfig: here }, { kubeconfig: there }, true, ["kubeconfig"]],
    ["of the kubeconfig for the same cluster does not", { kubeconfig: here }, { kubeconfig: `${here} ` }, true, []],
    ["to an unknown kubeconfig replaces", { kubeconfig: here }, { kubeconfig: UNKNOWN }, true, ["kubeconfig"]],
    ["of the identifier replaces", { clusterIdentifier: "a" }, { clusterIdentifier: "b" }, true, ["clusterIdentifier"]],
    ["that adds the identifier does not", { kubeconfig: here }, { kubeconfig: here, clusterIdentifier: "a" }, true, []],
    [
      "under the same identifier does not",
      { kubeconfig: here, clusterIdentifier: "a" },
      { kubeconfig: there, clusterIdentifier: "a" },
      true,
      [],
    ],
    ["that adds a context replaces nothing while no kubeconfig is recorded", {}, { context: "b" }, true, []],
  ])("%s", (_name, olds, news, changes, replaces) => {
    const result = diffConfig(olds, news);
    expect([result.changes, result.replaces ?? []]).toEqual([changes, replaces]);
  });
});
