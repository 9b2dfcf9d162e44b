import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keystoreDatabases } from "../../components/keystore-databases.ts";
import { names } from "../../components/names.ts";
import { ports } from "../../components/ports.ts";
import { createProgress } from "../../sandbox/progress.ts";
import { resetSandbox, startSandbox } from "../../sandbox/sandbox.ts";
import { DevStack, kubernetesObjects } from "../support/stack.ts";

const namespace = "platform";

/** A sandbox of its own: what holds data in it is protected, so other tests could not go back to a stack without a forge. */
const ownSandbox = "e2e-forge";

/** As much of an object as the rows of the specification speak of. */
interface Row {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: {
    ports?: { port: number }[];
    podMetricsEndpoints?: { port: string; path: string }[];
    routes?: { match: string; services?: { name: string; port: number | string }[] }[];
    entryPoints?: string[];
    secretName?: string;
    dnsNames?: string[];
    bootstrap?: unknown;
    replicas?: number;
  };
}

async function get(kind: string, name?: string): Promise<Row[]> {
  const found = await kubernetesObjects(kind, ...(name ? [name] : []), "-n", namespace);
  return found as unknown as Row[];
}
const one = async (kind: string, name: string) => (await get(kind, name))[0];

describe("the forge on the sandbox", () => {
  const stack = new DevStack();

  beforeAll(async () => {
    process.env.HEARTH_SANDBOX = ownSandbox;
    await resetSandbox(ownSandbox);
    await startSandbox(ownSandbox, createProgress());
    stack.editSettings((config) => {
      config["hearth:domain"] = "example.org";
      config["hearth:objectStorage"] = {
        endpoint: "https://fsn1.your-objectstorage.com",
        region: "fsn1",
        bucketSuffix: "e2e1",
      };
      config["hearth:ingress"] = { clusterIssuer: "letsencrypt-prod", wildcardClusterIssuer: "letsencrypt-dns" };
      config["hearth:forge"] = { ssh: { entryPoint: "ssh" }, pages: {}, runner: {}, networkPolicies: true };
    });
    const up = await stack.pulumi("up", "--yes", "--skip-preview");
    expect(up.exitCode, up.all).toBe(0);
  }, 900_000);

  afterAll(async () => {
    await resetSandbox(ownSandbox);
  });

  it("changes nothing when brought up again", async () => {
    expect(await stack.changes()).toEqual([]);
  });

  it.each([
    [names.forge.webservice, [ports.forgeWeb, ports.forgeProxy, ports.forgeWebMetrics]],
    [names.forge.jobs, [ports.forgeJobsMetrics]],
    [names.forge.gitstore, [ports.forgeGitstore, ports.forgeGitstoreMetrics]],
    [names.forge.shell, [ports.forgeShell]],
    [names.forge.pages, [ports.forgePages]],
    [names.keystore, [ports.keystore]],
    ["forge-db-pooler", [ports.database]],
    ["forge-db-rw", [ports.database]],
  ])("Service %s has the ports of the tables", async (name, expected) => {
    const service = await one("service", name);
    expect(service?.spec?.ports?.map(({ port }) => port)).toEqual(expect.arrayContaining(expected));
  });

  it("has the stateful pods by their names, and toolbox and runner without a Service", async () => {
    const pods = (await get("pods")).map(({ metadata }) => metadata.name);
    expect(pods).toEqual(expect.arrayContaining(["forge-gitstore-0", "keystore-0"]));
    const services = (await get("services")).map(({ metadata }) => metadata.name);
    for (const name of [names.forge.toolbox, names.forge.runner]) expect(services).not.toContain(name);
  });

  it("has the other named objects", async () => {
    expect((await one("certificate", names.forge.tls))?.spec?.dnsNames).toEqual(["forge.example.org"]);
    expect((await one("certificate", names.forge.pagesTls))?.spec?.dnsNames).toEqual(["*.pages.example.org"]);
    for (const name of [names.forge.tls, names.forge.pagesTls])
      expect(Object.keys((await one("secret", name))?.data ?? {})).toContain("tls.crt");
    expect(await one("objectstores.barmancloud.cnpg.io", "forge-db-backup")).toBeDefined();
    expect(await one("externalsecret", names.forge.objectStoreCredentials)).toBeDefined();
    expect(Object.keys((await one("secret", names.forge.objectStoreCredentials))?.data ?? {}).sort()).toEqual([
      "AWS_ACCESS_KEY_ID",
      "AWS_SECRET_ACCESS_KEY",
    ]);
  });

  it("reaches database and keystore in the shapes of the tables, by the pooler alone", async () => {
    const data = (await one("configmap", names.forge.webservice))?.data ?? {};
    const all = Object.values(data).join("\n");
    expect(all).toContain(`forge-db-pooler.${namespace}.svc`);
    expect(all).not.toContain("forge-db-rw");
    const url = (database: number) => new RegExp(`@?keystore\\.${namespace}\\.svc:6379/${database}\\b`);
    expect(data["resque.yml.erb"]).toMatch(url(keystoreDatabases.forgeCache));
    expect(data["redis.queues.yml.erb"]).toMatch(url(keystoreDatabases.forgeJobQueue));
  });

  it("is reached from outside by the proxy, the sites' wildcard and SSH; metrics are not public", async () => {
    const [route] = (await one("ingressroute.traefik.io", names.forge.webservice))?.spec?.routes ?? [];
    expect(route?.match).toBe("Host(`forge.example.org`) && !PathRegexp(`^/+-/+metrics`)");
    expect(route?.services).toMatchObject([{ name: names.forge.webservice, port: ports.forgeProxy }]);
    const [pages] = (await one("ingressroute.traefik.io", names.forge.pages))?.spec?.routes ?? [];
    expect(pages?.services).toMatchObject([{ name: names.forge.pages, port: ports.forgePages }]);
    const ssh = (await one("ingressroutetcp.traefik.io", names.forge.shell))?.spec;
    expect(ssh?.entryPoints).toEqual(["ssh"]);
    expect(ssh?.routes?.[0]).toMatchObject({
      match: "HostSNI(`*`)",
      services: [{ name: names.forge.shell, port: ports.forgeShell }],
    });
  });

  it("is read by Prometheus at /metrics of each pod that the tables name", async () => {
    const monitors = await get("podmonitors.monitoring.coreos.com");
    const byName = new Map(monitors.map(({ metadata, spec }) => [metadata.name, spec?.podMetricsEndpoints]));
    for (const name of [names.forge.webservice, names.forge.jobs, names.forge.gitstore])
      expect(byName.get(name)).toMatchObject([{ path: "/metrics" }]);
    expect(byName.has(names.forge.database)).toBe(true);
  });

  it("keeps the restricted Pod Security level, which the API server enforces", async () => {
    const [found] = await kubernetesObjects("namespace", namespace);
    expect(found?.metadata).toMatchObject({ labels: { "pod-security.kubernetes.io/enforce": "restricted" } });
  });

  it("denies what no edge allows", async () => {
    const policies = (await get("networkpolicies")).map(({ metadata }) => metadata.name);
    expect(policies).toEqual(expect.arrayContaining(["default-deny", "allow-keystore", "allow-forge-webservice"]));
  });

  it("stops its writers under maintenance and nothing else", async () => {
    stack.editSettings((config) => {
      (config["hearth:forge"] as Record<string, unknown>).maintenance = true;
    });
    const workloads = (await stack.changes())
      .filter(({ urn }) => /:(Deployment|StatefulSet)::/.test(urn))
      .map(({ op, urn }) => `${op} ${urn.split("/").pop()}`);
    expect(workloads.sort()).toEqual(["update forge-jobs", "update forge-runner", "update forge-webservice"]);
  });
});
