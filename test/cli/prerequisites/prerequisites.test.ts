import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Look, prerequisitesCommand } from "@hearth-platform/cli/prerequisites/command";
import type { Seen } from "@hearth-platform/cli/prerequisites/steps";
import { type Chart, prerequisites } from "@hearth-platform/hearth/catalogue/prerequisites";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { Looked } from "@hearth-platform/stack/live/preflight/facts";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { type Answer, call } from "../../support/caller.ts";
import { deployment, k3sAsSeen } from "../../support/fresh-k3s.ts";
import { type HelmCall, helmRecorder, releaseOf } from "../../support/helm-recorder.ts";
import { committedStack, type StackFiles, smallStack, withSettings, writeStack } from "../../support/stack-files.ts";
import { chartValues } from "./chart-values.ts";

const root = mkdtempSync(join(tmpdir(), "hearth-prerequisites-"));
afterAll(() => rmSync(root, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(root, "run-"));
});

const charts = new Map(prerequisites.flatMap(({ chart }) => (chart ? [[chart.name, chart]] : [])));

/** Runs the command for a stack on a cluster; without one it may ask none. @param agrees what a person answers */
function run(files: StackFiles, args: readonly string[], seen?: Seen, agrees?: boolean): Promise<Answer> {
  writeStack(files, folder, "Pulumi.s.yaml");
  const look: Look = async () => {
    if (!seen) throw new Error("No cluster may be asked.");
    return seen;
  };
  const all = ["--stack", "s", ...(seen ? [] : ["--offline"]), ...args];
  return call((session) => prerequisitesCommand(session, look), folder, all, folder, agrees);
}

const prod = committedStack("prod");
const gateway = (changes: object) =>
  withSettings(prod, { "ingress.kind": "gateway", "ingress.gateway": { className: "traefik", ...changes } });

/** Puts stand-ins for helm and kubectl on the PATH. */
function recorder(failing?: string) {
  const made = helmRecorder(folder, failing);
  vi.stubEnv("PATH", made.path);
  return made;
}

const releases = (calls: readonly HelmCall[]) => calls.map(releaseOf);

describe("the script", () => {
  it("installs every operator of the stack, each after what it needs, in the version of the table", async () => {
    const { calls } = recorder();
    const { status, stderr } = await run(prod, ["--apply", "--yes"], k3sAsSeen({ workloads: [] }));
    expect(status, stderr).toBe(0);
    expect(releases(calls())).toEqual([
      "cert-manager",
      "cloudnative-pg",
      "plugin-barman-cloud",
      "traefik",
      "kube-prometheus-stack",
      "external-secrets",
    ]);
    for (const each of calls()) {
      const { words } = each;
      const { name, repository, version, namespace } = charts.get(releaseOf(each) ?? "") as Chart;
      expect(words.slice(1, 15)).toEqual([
        ...["--kube-context", "prod"],
        ...["upgrade", "--install", name, name, "--repo", repository, "--version", version],
        ...["--namespace", namespace, "--create-namespace", "--wait"],
      ]);
    }
  });

  it("gives Traefik the forge's entry point, long uploads and the proxies that it trusts", async () => {
    const { calls } = recorder();
    await run(prod, ["--apply", "--yes"], k3sAsSeen({ workloads: [] }));
    const { input = "" } = calls().find((each) => releaseOf(each) === "traefik") ?? {};
    expect(parse(input).ports).toEqual({
      websecure: {
        transport: { respondingTimeouts: { readTimeout: 0 } },
        forwardedHeaders: { trustedIPs: ["10.0.0.0/8"] },
      },
      ssh: { port: 2222, exposedPort: 22, expose: { default: true }, protocol: "TCP" },
    });
  });

  it("puts the database operator and its plugin into the namespace that the settings name", async () => {
    const { calls } = recorder();
    await run(withSettings(prod, { databaseOperator: { namespace: "databases" } }), ["--apply", "--yes"], k3sAsSeen());
    const placed = calls().filter(({ words }) => words.includes("databases"));
    expect(releases(placed)).toEqual(["cloudnative-pg", "plugin-barman-cloud"]);
  });

  it("is for the cluster that the settings name", async () => {
    const { calls } = recorder();
    const files = withSettings(smallStack(), { kubernetes: { context: "the school's" } });
    await run(files, ["--apply", "--yes", "--acme-email", "it@example.org"], k3sAsSeen());
    const contexts = calls().map(({ words }) => words[words.findIndex((word) => /context$/.test(word)) + 1]);
    expect(new Set(contexts)).toEqual(new Set(["the school's"]));
  });

  it("stops at what can't be installed, with its words and its exit status", async () => {
    const { calls } = recorder("cloudnative-pg");
    const { status, stderr } = await run(prod, ["--apply", "--yes"], k3sAsSeen());
    expect(status).toBe(7);
    expect(stderr).toContain("The script stopped: Error: context deadline exceeded");
    expect(releases(calls())).toEqual(["cert-manager", "cloudnative-pg"]);
  });

  it("is not run where nobody can be asked", async () => {
    const { calls } = recorder();
    const { status, stderr } = await run(prod, ["--apply"], k3sAsSeen());
    expect([status, calls()]).toEqual([2, []]);
    expect(stderr).toContain("--yes");
  });

  it("is shown, and not run after a no", async () => {
    const { calls } = recorder();
    const { status, stdout, stderr } = await run(prod, ["--apply"], k3sAsSeen(), false);
    expect([status, stdout, calls()]).toEqual([1, "", []]);
    expect(stderr).toContain("upgrade --install kube-prometheus-stack");
    expect(stderr).toMatch(/\nNothing was installed\.\n$/);
  });

  it("names the program that is missing", async () => {
    const { bin } = recorder();
    rmSync(join(bin, "helm"));
    symlinkSync("/bin/sh", join(bin, "sh"));
    vi.stubEnv("PATH", bin);
    const { status, stderr } = await run(prod, ["--apply", "--yes"], k3sAsSeen());
    expect([status, stderr.includes("helm is not on PATH")]).toEqual([1, true]);
  });
});

describe("a cluster of K3s", () => {
  it("keeps its Traefik, which gets the values where K3s reads them", async () => {
    const { stdout } = await run(smallStack(), [], k3sAsSeen());
    expect(stdout).not.toContain("--install traefik");
    const [, config = ""] = /<<'OBJECT'\n([\s\S]*?)OBJECT/.exec(stdout) ?? [];
    const object = parse(config);
    expect(object).toMatchObject({ kind: "HelmChartConfig", metadata: { name: "traefik", namespace: "kube-system" } });
    expect(parse(object.spec.valuesContent).ports.websecure.transport.respondingTimeouts.readTimeout).toBe(0);
  });

  it("gets an issuer at Let's Encrypt if a mail address is given, and is told of it if not", async () => {
    const without = await run(smallStack(), [], k3sAsSeen());
    expect(without.stdout).toContain("ClusterIssuer letsencrypt-prod is missing. --acme-email MAIL makes one");
    const { stdout } = await run(smallStack(), ["--acme-email", "it@example.org"], k3sAsSeen());
    const objects = [...stdout.matchAll(/<<'OBJECT'\n([\s\S]*?)OBJECT/g)].map(([, text = ""]) => parse(text));
    expect(objects.at(-1)).toMatchObject({
      kind: "ClusterIssuer",
      metadata: { name: "letsencrypt-prod" },
      spec: { acme: { email: "it@example.org" } },
    });
  });

  it("is told of a class of volumes that it lacks, and of those that it has", async () => {
    const { stdout } = await run(smallStack(), [], k3sAsSeen());
    expect(stdout).toContain(
      "storage class replicated-block: It does not exist, so no volume would be created. The cluster has local-path.",
    );
  });
});

describe("what is there already", () => {
  const everything = [
    deployment("tls", "cert-manager", "quay.io/jetstack/cert-manager-controller:v1.19.0"),
    deployment("databases", "cnpg", "ghcr.io/cloudnative-pg/cloudnative-pg:1.30.0"),
    deployment("databases", "barman", "mirror.example.org/plugin-barman-cloud:v0.15.0"),
    deployment("edge", "traefik", "docker.io/library/traefik:v3.7.13", [
      ...["web", "websecure"].map((name) => `--entryPoints.${name}.address=:1`),
      "--entryPoints.websecure.transport.respondingTimeouts.readTimeout=0",
      "--providers.kubernetescrd.allowEmptyServices=true",
    ]),
    deployment("monitoring", "operator", "quay.io/prometheus-operator/prometheus-operator:v0.85.0"),
  ];
  const small = withSettings(smallStack(), {
    "secrets.store": undefined,
    "secrets.existing": { "cloudsuite-s3-credentials": "keys" },
  });

  it("is left as it is, whatever its version", async () => {
    const { stdout, stderr } = await run(
      small,
      ["--acme-email", "it@example.org"],
      k3sAsSeen({ workloads: everything }),
    );
    expect(stdout).not.toContain("helm upgrade");
    expect(`${stdout}${stderr}`).toContain("tls/cert-manager runs quay.io/jetstack/cert-manager-controller:v1.19.0");
  });

  it("gives nothing to do if that is all", async () => {
    const found = new Map<string, Looked>([["ClusterIssuer/letsencrypt-prod", issuer]]);
    const seen = k3sAsSeen({ workloads: everything });
    const { status, stdout, stderr } = await run(small, [], { ...seen, quick: { ...seen.quick, objects: found } });
    expect([status, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("Nothing is to be installed.");
  });

  it("and is a Traefik without the entry point for SSH is named with the values that it needs", async () => {
    const { stdout } = await run(prod, [], k3sAsSeen({ workloads: everything }));
    expect(stdout).toContain("Traefik is there already: edge/traefik");
    expect(stdout).toContain("entry point ssh: Traefik has no entry point of this name.");
    expect(stdout).toContain("#   ssh:\n#     port: 2222");
  });

  it("is judged by the kinds that are served where workloads may not be listed", async () => {
    const { stdout } = await run(prod, [], k3sAsSeen({ workloads: "unseen" }));
    expect(stdout).toContain("Traefik is there already: its kinds are served.");
    expect(stdout).toContain("--install cert-manager");
  });
});

const issuer = {
  apiVersion: "cert-manager.io/v1",
  kind: "ClusterIssuer",
  metadata: { name: "letsencrypt-prod" },
} as KubernetesObject;

describe("the other forms", () => {
  it("a helmfile has the same releases, each after the one before", async () => {
    const { status, stdout } = await run(prod, ["--format", "helmfile"]);
    expect(status).toBe(0);
    const { releases: all, repositories } = parse(stdout);
    expect(all).toHaveLength(6);
    expect(all[2]).toMatchObject({
      name: "plugin-barman-cloud",
      needs: ["cnpg-system/cloudnative-pg"],
      version: "0.7.0",
    });
    for (const { chart } of all)
      expect(repositories.map(({ name }: { name: string }) => name)).toContain(chart.split("/")[0]);
  });

  it("Argo CD gets an Application for each chart, one for the Gateway API, and the issuer", async () => {
    const files = gateway({});
    const { stdout } = await run(files, ["--format", "argocd"]);
    const documents = parseAllDocuments(stdout).flatMap((each) => each.toJS() ?? []);
    const applications = documents.filter(({ kind }) => kind === "Application");
    expect(applications.map(({ metadata }) => metadata.name)).toEqual([
      ...["cert-manager", "cloudnative-pg", "plugin-barman-cloud", "gateway-api", "traefik"],
      ...["kube-prometheus-stack", "external-secrets"],
    ]);
    expect(applications[3].spec.source).toMatchObject({ targetRevision: "v1.6.1", path: "config/crd/experimental" });
    expect(applications[4].spec.source.helm.valuesObject.providers).toEqual({
      kubernetesGateway: { enabled: true, experimentalChannel: true },
    });
  });

  it("can't be applied", async () => {
    const { calls } = recorder();
    const { status, stderr } = await run(prod, ["--format", "argocd", "--apply", "--yes"], k3sAsSeen());
    expect([status, calls()]).toEqual([2, []]);
    expect(stderr).toContain("leave --format out");
  });
});

describe("another proxy", () => {
  it("is not installed, but the CRDs of the Gateway API are", async () => {
    const { stdout } = await run(gateway({ className: "cilium" }), []);
    expect(stdout).toContain("/v1.6.1/standard-install.yaml");
    expect(stdout).toContain("The proxy of GatewayClass cilium is not installed here");
    expect(stdout).not.toContain("--install traefik");
  });
});

describe("values", () => {
  /** Paths of all values, entry points as `*`, each with its type. */
  function* paths(value: unknown, path: string[] = []): Generator<[string, string]> {
    const isBlock = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isBlock) yield [path.join("."), value === null ? "null" : Array.isArray(value) ? "array" : typeof value];
    else
      for (const [key, inner] of Object.entries(value))
        yield* paths(inner, [...path, path.length === 1 && path[0] === "ports" ? "*" : key]);
  }

  it.each([
    ["prod", prod],
    [
      "with other entry points",
      withSettings(prod, { "ingress.entryPoint": "https", "ingress.httpEntryPoint": "http" }),
    ],
    ["with the Gateway API", gateway({})],
    ["with ports of its own", gateway({ httpsPort: 8443, httpPort: 8000 })],
  ])("of stack %s are those that the charts have", async (_, files) => {
    const { stdout, stderr } = await run(files, ["--format", "helmfile"]);
    const { releases: all } = parse(stdout) as { releases: { name: string; version: string; values?: object[] }[] };
    expect(all.length, stderr).toBeGreaterThan(4);
    for (const { name, version, values = [] } of all) {
      const known = chartValues[`${name} ${version}`];
      expect(known, `${name} ${version}`).toBeDefined();
      for (const [path, type] of values.flatMap((each) => [...paths(each)]))
        expect(known?.[path]?.split(" ")[1], `${name}: ${path}`).toBe(type);
    }
  });
});
