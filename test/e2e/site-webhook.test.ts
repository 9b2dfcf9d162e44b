import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiClient } from "@hearth-platform/sandbox/kubernetes/api";
import { connectionOf, loadKubeconfig } from "@hearth-platform/sandbox/kubernetes/kubeconfig";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { resetSandbox, startSandbox, stopSandbox } from "@hearth-platform/sandbox/sandbox";
import { ensureSiteWebhook } from "@hearth-platform/sandbox/site-webhook";
import type { Sandbox } from "@hearth-platform/sandbox/started-sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandbox as command, DevStack, kubernetesObjects } from "../support/stack.ts";
import { claimSandbox, discardSandbox } from "../support/test-sandboxes.ts";

/** A sandbox of its own: this file takes the sites' CRD away. */
const ownSandbox = "e2e-webhook";
const annotation = "pages.kup6s.com/sync";
const sitePath = "/apis/pages.kup6s.com/v1beta1/namespaces/pages/staticsites/handbook";

let sandbox: Sandbox;
let address = "";

const post = async (path: string, options: { body?: string; headers?: Record<string, string> } = {}) =>
  (await fetch(`${address}${path}`, { method: "POST", ...options })).status;
const annotationOf = async (name: string) =>
  (await kubernetesObjects("staticsite", name, "-n", "pages"))[0]?.metadata.annotations?.[annotation];

/** What the API server answers to the token that the container has. */
async function asWebhook(method: "GET" | "PATCH" | "DELETE" | "POST", path: string, body?: object): Promise<string> {
  const { server, namespace, tls } = connectionOf(loadKubeconfig(sandbox.paths.kubeconfig));
  const token = readFileSync(join(sandbox.paths.folder, "site-webhook", "account", "token"), "utf8");
  const own = { server, namespace, tls: { ...tls, cert: undefined, key: undefined } };
  const client = new ApiClient({ ...own, headers: { authorization: `Bearer ${token}` } }, { unreachableAfter: 0 });
  try {
    await client.request(method, path, { body, contentType: "application/merge-patch+json" });
    return "allowed";
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.close();
  }
}

const patch = (body: object) => asWebhook("PATCH", sitePath, body);
const annotated = (annotations: Record<string, string | null>, more: object = {}) =>
  patch({ metadata: { annotations, ...more } });

describe("the site webhook on the sandbox", () => {
  const stack = new DevStack();
  /** What calls have to prove, once the stack says so. */
  let secret = "";

  beforeAll(async () => {
    process.env.HEARTH_SANDBOX = ownSandbox;
    claimSandbox(ownSandbox, process.ppid);
    await resetSandbox(ownSandbox);
    sandbox = await startSandbox(ownSandbox, createProgress());
    stack.editSettings((config) => {
      config["hearth:cloudsuites"] = [];
    });
    const up = await stack.pulumi("up", "--yes", "--skip-preview");
    expect(up.exitCode, up.all).toBe(0);
    address = (await ensureSiteWebhook(sandbox, createProgress())) ?? "";
  }, 600_000);

  afterAll(() => discardSandbox(ownSandbox));

  it("has the image that was built, under the tag that was known before, by its digest", async () => {
    const { stdout } = await command("pulumi", "stack", "output", "siteWebhook", "--json");
    const { image, digest, urls } = JSON.parse(stdout);
    expect(urls["pages/handbook"]).toBe("https://sync.example.org/sync/pages/handbook");
    const [, repository = "", tag = ""] = /^[^/]+\/(.+):([0-9a-f]{16})$/.exec(image) ?? [];
    const manifest = `http://127.0.0.1:${sandbox.record.ports.registry}/v2/${repository}/manifests/${tag}`;
    const accept = "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json";
    const { headers } = await fetch(manifest, { method: "HEAD", headers: { accept } });
    expect(headers.get("docker-content-digest")).toBe(digest);
    const [deployment] = await kubernetesObjects("deployment", "site-webhook", "-n", "site-webhook");
    expect(JSON.stringify(deployment?.spec)).toContain(`"image":"${image}"`);
  });

  it("writes the annotation that a call asks for, in whole seconds", async () => {
    const before = Math.floor(Date.now() / 1000);
    expect(await post("/sync/pages/handbook")).toBe(202);
    expect(Number(await annotationOf("handbook"))).toBeGreaterThanOrEqual(before);
  });

  it("says of a site that is not there that it is not there", async () => {
    expect(await post("/sync/pages/none")).toBe(404);
    expect(await post("/sync/nowhere/handbook")).toBe(404);
  });

  it("changes nothing when the stack is brought up again", async () => {
    expect(await stack.changes()).toEqual([]);
  });

  it("is left alone by another start, and is there again after a stop", async () => {
    expect(await ensureSiteWebhook(sandbox, createProgress())).toBe(address);
    await stopSandbox(ownSandbox, createProgress());
    await expect(post("/sync/pages/handbook")).rejects.toThrow();
    sandbox = await startSandbox(ownSandbox, createProgress());
    address = (await ensureSiteWebhook(sandbox, createProgress())) ?? "";
    expect(await post("/sync/pages/handbook")).toBe(202);
  });

  describe("its token", () => {
    it("may write the annotation", async () => {
      expect(await annotated({ [annotation]: "1700000000" })).toBe("allowed");
    });

    it.each<[string, () => Promise<string>, RegExp]>([
      ["another annotation", () => annotated({ [annotation]: "1700000001", other: "1" }), /no annotation but/],
      ["a value that is no time", () => annotated({ [annotation]: "soon" }), /seconds since the epoch/],
      ["taking the annotation away", () => annotated({ [annotation]: null }), /no annotation but|seconds since/],
      [
        "a label",
        () => annotated({ [annotation]: "1700000001" }, { labels: { a: "b" } }),
        /labels, finalizers or owners/,
      ],
      [
        "a finalizer",
        () => annotated({ [annotation]: "1" }, { finalizers: ["a.org/b"] }),
        /labels, finalizers or owners/,
      ],
      ["the spec", () => patch({ spec: { repo: "https://evil.example.org/a.git" } }), /not change what a site is/],
      ["reading a site", () => asWebhook("GET", sitePath), /cannot get resource/],
      ["listing sites", () => asWebhook("GET", sitePath.replace("/handbook", "")), /cannot list resource/],
      ["deleting a site", () => asWebhook("DELETE", sitePath), /cannot delete resource/],
      ["the status", () => asWebhook("PATCH", `${sitePath}/status`, { status: {} }), /cannot patch resource/],
      ["secrets", () => asWebhook("GET", "/api/v1/namespaces/site-webhook/secrets"), /cannot list resource/],
      [
        "another resource",
        () => asWebhook("PATCH", "/api/v1/namespaces/pages", { metadata: { labels: { a: "b" } } }),
        /cannot patch resource/,
      ],
    ])("may not do this: %s", async (_, attempt, answer) => {
      expect(await attempt()).toMatch(answer);
    });
  });

  describe("with a secret to prove", () => {
    const body = JSON.stringify({ ref: "refs/heads/main" });
    const signed = (secret: string) => createHmac("sha256", secret).update(body).digest("hex");
    const forms: Record<string, (secret: string) => Record<string, string>> = {
      GitHub: (secret) => ({ "x-github-event": "push", "x-hub-signature-256": `sha256=${signed(secret)}` }),
      GitLab: (secret) => ({ "x-gitlab-event": "Push Hook", "x-gitlab-token": secret }),
      Gitea: (secret) => ({ "x-gitea-event": "push", "x-gitea-signature": signed(secret) }),
      Forgejo: (secret) => ({ "x-forgejo-event": "push", "x-forgejo-signature": signed(secret) }),
      "Bitbucket Cloud": (secret) => ({ "x-event-key": "repo:push", "x-hub-signature": `sha256=${signed(secret)}` }),
      "Bitbucket Data Center": (secret) => ({
        "x-event-key": "repo:refs_changed",
        "x-hub-signature": `sha256=${signed(secret)}`,
      }),
    };

    beforeAll(async () => {
      stack.editSettings((config) => {
        config["hearth:siteWebhook"] = { ...(config["hearth:siteWebhook"] as object), checkSecret: true };
      });
      const up = await stack.pulumi("up", "--yes", "--skip-preview");
      expect(up.exitCode, up.all).toBe(0);
      address = (await ensureSiteWebhook(sandbox, createProgress())) ?? "";
      const { stdout } = await command(
        ...["kubectl", "get", "secret", "site-webhook-secret", "-n", "site-webhook", "-o", "jsonpath={.data.secret}"],
      );
      secret = Buffer.from(stdout, "base64").toString();
    });

    it.each(Object.entries(forms))("takes the call of %s that proves it, and no other", async (_, headers) => {
      expect(secret).not.toBe("");
      expect(await post("/sync/pages/handbook", { body, headers: headers(secret) })).toBe(202);
      expect(await post("/sync/pages/handbook", { body, headers: headers("another") })).toBe(403);
      expect(await post("/sync/pages/handbook", { body: `${body} `, headers: headers("") })).toBe(403);
    });

    it("refuses a call that proves nothing, whether there is such a site or not", async () => {
      expect(await post("/sync/pages/handbook")).toBe(403);
      expect(await post("/sync/pages/none")).toBe(403);
    });
  });

  it("calls a cluster without the sites' resource its own failure, not the caller's", async () => {
    const gone = await command("kubectl", "delete", "crd", "staticsites.pages.kup6s.com");
    expect(gone.exitCode, gone.all).toBe(0);
    const blog = () => post("/sync/pages/blog", { headers: { "x-gitlab-token": secret } });
    await expect.poll(blog, { timeout: 60_000 }).toBe(500);
  });
});
