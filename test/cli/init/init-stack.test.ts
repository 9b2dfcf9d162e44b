import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { initCommand } from "@hearth-platform/cli/init/command";
import { type FoundCluster, findCluster } from "@hearth-platform/cli/init/found-cluster";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { call } from "../../support/caller.ts";
import { freshK3s } from "../../support/fresh-k3s.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-init-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const storageClass = (name: string, provisioner: string, isDefault = false, allowVolumeExpansion = false) => ({
  metadata: { name, ...(isDefault && { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } }) },
  provisioner,
  allowVolumeExpansion,
});

/** A cluster at Amazon with operators of the company's own. */
const aws: FoundCluster = {
  ...freshK3s,
  context: "arn:aws:eks:eu-central-1:1:cluster/main",
  nodes: 3,
  classes: [storageClass("gp2", "kubernetes.io/aws-ebs"), storageClass("gp3", "ebs.csi.aws.com", true, true)],
  issuers: ["company", "letsencrypt-dns"],
  gatewayClasses: ["cilium"],
  secretStores: ["vault"],
  hasTraefik: false,
  hasMonitoring: true,
};

function init(found: FoundCluster | Error, ...args: string[]) {
  const find = async () => {
    if (found instanceof Error) throw found;
    return found;
  };
  return call((session) => initCommand(session, find), folder, [...args, "--yes"], folder);
}

const settingsIn = (stack: string) => parse(readFileSync(join(folder, `Pulumi.${stack}.yaml`), "utf8")).config;
const suite = (name: string) => parse(readFileSync(join(folder, `suites/${name}/config.yaml`), "utf8"));

describe("a new stack", () => {
  it("on one node of K3s has its class with the entry that allows it, and none of what is not there", async () => {
    const { status, stderr } = await init(freshK3s, "demo", "--stack", "k3s");
    expect(status, stderr).toBe(0);
    expect(settingsIn("k3s")).toMatchObject({
      "hearth:profile": "development",
      "hearth:kubernetes": { context: "default", identity: freshK3s.identity },
      "hearth:ingress": { clusterIssuer: "letsencrypt" },
      "hearth:secrets": { existing: { "cloudsuite-s3-credentials": "s3-keys" } },
      "hearth:monitoring": false,
      "hearth:limits": {
        storageClasses: [
          {
            ...{ name: "local-path", multiWriter: false, expandable: false },
            reason: "The cluster has this class, of rancher.io/local-path.",
          },
        ],
      },
      "hearth:cloudsuites": [{ name: "demo", config: "suites/demo/config.yaml" }],
    });
    expect(suite("demo").storage.storageClass).toBe("local-path");
  });

  it("at Amazon has its class, its region, its issuer, its gateway and its secret store", async () => {
    const { status, stderr } = await init(aws, "team", "--stack", "prod", "--location", "eu-central-1");
    expect(status, stderr).toBe(0);
    const settings = settingsIn("prod");
    expect(settings).toMatchObject({
      "hearth:profile": "production",
      "hearth:ingress": { clusterIssuer: "company", kind: "gateway", gateway: { className: "cilium" } },
      "hearth:secrets": { store: { name: "vault" }, generate: true },
      "hearth:limits": {
        regions: [{ name: "eu-central-1", endpoint: "s3.eu-central-1.amazonaws.com" }],
        storageClasses: [{ name: "gp3", expandable: true }],
      },
    });
    expect(settings).not.toHaveProperty("hearth:monitoring");
    expect(suite("team").s3).toMatchObject({
      endpoint: "https://s3.eu-central-1.amazonaws.com",
      region: "eu-central-1",
    });
  });

  it("takes the specification's class where the cluster has it, and needs no entry then", async () => {
    const classes = [storageClass("longhorn", "driver.longhorn.io", true, true), storageClass("replicated-block", "x")];
    await init({ ...freshK3s, classes }, "demo", "--stack", "own");
    expect(settingsIn("own")).not.toHaveProperty("hearth:limits");
    expect(suite("demo").storage.storageClass).toBe("replicated-block");
  });

  it("knows classes that several pods can write", async () => {
    const classes = [storageClass("longhorn", "driver.longhorn.io", true, true)];
    await init({ ...freshK3s, nodes: 3, classes }, "demo", "--stack", "s", "--size", "large");
    expect(settingsIn("s")["hearth:limits"].storageClasses).toMatchObject([{ multiWriter: true, expandable: true }]);
    expect(suite("demo").replicas.cloudsuite).toBe(3);
  });

  it("has what options say, whatever the cluster has", async () => {
    const options = ["--issuer", "letsencrypt-dns", "--storage", "gp2", "--endpoint", "https://minio.example.org/"];
    const { status, stderr } = await init(aws, "team", "--stack", "s", "--location", "berlin", ...options);
    expect(status, stderr).toBe(0);
    expect(settingsIn("s")["hearth:ingress"].clusterIssuer).toBe("letsencrypt-dns");
    expect(settingsIn("s")["hearth:limits"]).toMatchObject({
      regions: [{ name: "berlin", endpoint: "minio.example.org" }],
      storageClasses: [{ name: "gp2", expandable: false }],
    });
    expect(suite("team").s3.endpoint).toBe("https://minio.example.org");
  });

  it.each([
    ["K3s", freshK3s],
    ["Amazon", aws],
  ])("on %s is valid", async (_, found) => {
    await init(found, "--stack", "s");
    const { source } = sourceFromFile(folder, "s");
    const { stack, problems = [] } = source ? checkStack(folder, source) : {};
    expect(stack?.suites.map(({ config }) => config.namespace)).toEqual(["cloud"]);
    // Each entry of hearth:limits is told with its reason.
    expect(problems.filter(({ code }) => code !== "limit-widened")).toEqual([]);
    expect(settingsIn("s")["pulumi:disable-default-providers"]).toEqual(["kubernetes", "aws"]);
  });

  it("is written without a cluster too, and says why none was asked", async () => {
    const { status, stderr } = await init(new Error("There is no kubeconfig."), "--stack", "s");
    expect(status).toBe(0);
    expect(stderr).toContain(
      "No cluster was asked, so the file names what the specification does: There is no kubeconfig.",
    );
    expect(settingsIn("s")).not.toHaveProperty("hearth:kubernetes");
    const offline = await init(new Error("Nobody may ask."), "more", "--stack", "t", "--offline");
    expect([offline.status, offline.stderr.includes("Nobody")]).toEqual([0, false]);
  });

  it("keeps what Pulumi has written into its file", async () => {
    writeFileSync(join(folder, "Pulumi.s.yaml"), "encryptionsalt: v1:abc=\nconfig:\n  aws:region: eu-west-1\n");
    await init(freshK3s, "--stack", "s");
    const written = parse(readFileSync(join(folder, "Pulumi.s.yaml"), "utf8"));
    expect([written.encryptionsalt, written.config["aws:region"]]).toEqual(["v1:abc=", "eu-west-1"]);
    expect(written.config["hearth:profile"]).toBe("development");
  });

  it("stays as it is where it has settings", async () => {
    const text = "config:\n  hearth:profile: production\n";
    writeFileSync(join(folder, "Pulumi.s.yaml"), text);
    const { status, stderr } = await init(freshK3s, "--stack", "s");
    expect([status, readFileSync(join(folder, "Pulumi.s.yaml"), "utf8")]).toEqual([1, text]);
    expect(stderr).toContain("Pulumi.s.yaml has settings already");
    expect(existsSync(join(folder, "suites"))).toBe(false);
  });

  it("that is not valid leaves nothing behind", async () => {
    const { status, stderr } = await init(freshK3s, "--stack", "s", "--issuer", "No Name");
    expect([status, stderr.includes("hearth:ingress.clusterIssuer")]).toEqual([1, true]);
    expect(readdirSync(folder, { recursive: true }).filter((file) => String(file).endsWith("yaml"))).toEqual([]);
  });
});

describe("the cluster of the kubeconfig", () => {
  it("is asked for what a stack can name, and what may not be read is passed over", async () => {
    const answers: Record<string, object> = {
      "/version": { gitVersion: "v1.36.2" },
      "/api/v1/namespaces/kube-system": { metadata: { name: "kube-system", uid: "u" } },
      "/api/v1/nodes": { items: [{}, {}] },
      "/apis/storage.k8s.io/v1/storageclasses": { items: [storageClass("gp3", "ebs.csi.aws.com", true)] },
      "/apis/cert-manager.io/v1/clusterissuers": { items: [{ metadata: { name: "company" } }] },
      "/apis/gateway.networking.k8s.io/v1/gatewayclasses": { items: [{ metadata: { name: "cilium" } }] },
      "/apis/monitoring.coreos.com/v1": { resources: [] },
    };
    const server = createServer(({ url = "" }, response) => {
      const found = answers[url];
      const status = found ? 200 : url.includes("external-secrets") ? 403 : 404;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(found ?? { code: status }));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const kubeconfig = join(folder, "kubeconfig");
    const named = { cluster: "c", user: "u" };
    const content = {
      "current-context": "here",
      contexts: [{ name: "here", context: named }],
      clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true } }],
      users: [{ name: "u", user: {} }],
    };
    writeFileSync(kubeconfig, stringify(content));
    try {
      expect(await findCluster({ kubeconfig })).toEqual({
        ...{ context: "here", identity: "u", nodes: 2, issuers: ["company"], gatewayClasses: ["cilium"] },
        ...{ classes: [storageClass("gp3", "ebs.csi.aws.com", true)], secretStores: [] },
        ...{ hasTraefik: false, hasMonitoring: true },
      });
    } finally {
      server.close();
    }
  });
});

describe("a suite alone", () => {
  it("is refused a class that only a stack can allow, with the way on", async () => {
    const { status, stderr } = await init(freshK3s, "demo", "--storage", "local-path");
    expect([status, stderr.includes("--stack")]).toEqual([2, true]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("the file of a stack", () => {
  it.each([
    ["is missing", undefined],
    ["is empty", ""],
  ])("that %s has init with its name as its remedy", (_, content) => {
    if (content !== undefined) writeFileSync(join(folder, "Pulumi.s.yaml"), content);
    const { problems } = sourceFromFile(folder, "s");
    expect(problems.map(({ remedy }) => remedy)).toEqual([expect.stringContaining("./hearth init --stack s")]);
  });
});
