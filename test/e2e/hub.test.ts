import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { names } from "../../components/names.ts";
import { ports } from "../../components/ports.ts";
import { createProgress } from "../../sandbox/progress.ts";
import { resetSandbox, startSandbox } from "../../sandbox/sandbox.ts";
import { DevStack, kubernetesObjects } from "../support/stack.ts";

const namespace = "platform";

/** A sandbox of its own: what holds data in it is protected, so other tests could not go back to a stack without a hub. */
const ownSandbox = "e2e-hub";

interface Row {
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: {
    ports?: { port: number }[];
    dnsNames?: string[];
    routes?: { match: string; services?: { name: string; port: number }[] }[];
    template?: { spec?: { containers?: { env?: { name: string; value?: string }[] }[] } };
  };
  status?: { applied?: boolean; succeeded?: number; phase?: string };
}

async function one(kind: string, name: string): Promise<Row | undefined> {
  const [found] = await kubernetesObjects(kind, name, "-n", namespace);
  return found as unknown as Row | undefined;
}
const all = async (kind: string) => (await kubernetesObjects(kind, "-n", namespace)) as unknown as Row[];

/** The workloads, Jobs and others that the next `up` would change, as `update hub-core`. */
async function changesOf(stack: DevStack): Promise<string[]> {
  const steps = (await stack.changes()).filter(({ urn }) => /:(Deployment|Job|ConfigMap|IngressRoute)::/.test(urn));
  return [
    ...new Set(
      steps.map(
        ({ op, urn }) =>
          `${op} ${urn
            .split("/")
            .pop()
            ?.replace(/-[0-9a-f]{8}$/, "")}`,
      ),
    ),
  ].sort();
}

describe("the hub on the sandbox", () => {
  const stack = new DevStack();
  const hub: Record<string, unknown> = {
    projects: [{ name: "apps", retention: { rules: [{ latestPushed: 5 }] } }],
    robots: [{ name: "ci", projects: ["apps"], access: "push" }],
  };
  const withHub = (change: object) =>
    stack.editSettings((config) => {
      config["hearth:hub"] = { ...hub, ...change };
    });

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
      config["hearth:forge"] = { networkPolicies: true };
      config["hearth:hub"] = hub;
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
    [names.hub.core, ports.hubCore],
    [names.hub.registry, ports.hubRegistry],
    [names.hub.jobservice, ports.hubJobservice],
    [names.hub.portal, ports.hubPortal],
  ])("%s is a workload and a Service with the port of the tables", async (name, port) => {
    expect(await one("deployment", name)).toBeDefined();
    expect((await one("service", name))?.spec?.ports?.map((each) => each.port)).toContain(port);
  });

  it("has its certificate, by which its one host is served by path", async () => {
    expect((await one("certificate", names.hub.tls))?.spec?.dnsNames).toEqual(["hub.example.org"]);
    expect(Object.keys((await one("secret", names.hub.tls))?.data ?? {})).toContain("tls.crt");
    const routes = (await one("ingressroute.traefik.io", names.hub.core))?.spec?.routes ?? [];
    expect(routes.map(({ services }) => services?.map(({ name, port }) => `${name}:${port}`))).toEqual([
      [`${names.hub.core}:${ports.hubCore}`],
      [`${names.hub.portal}:${ports.hubPortal}`],
    ]);
    expect(routes[0]?.match).toContain("Path(`/service/token`)");
  });

  it("has its database in the same cluster, reached by the pooler alone, and keystore database 2", async () => {
    expect((await one("databases.postgresql.cnpg.io", "forge-db-hub"))?.status?.applied).toBe(true);
    const env = (await one("deployment", names.hub.core))?.spec?.template?.spec?.containers?.[0]?.env ?? [];
    const value = (name: string) => env.find((each) => each.name === name)?.value;
    expect(value("POSTGRESQL_HOST")).toBe(`forge-db-pooler.${namespace}.svc`);
    expect(value("POSTGRESQL_USERNAME")).toBe("app");
    expect(value("_REDIS_URL_CORE")).toMatch(new RegExp(`@keystore\\.${namespace}\\.svc:${ports.keystore}/2\\?`));
  });

  it("was backed up and migrated before core, and has its settings and its client at the forge", async () => {
    const [backup] = (await all("backups.postgresql.cnpg.io")).filter(({ metadata }) => /-hub-/.test(metadata.name));
    expect(backup?.status?.phase).toBe("completed");
    const done = (await all("jobs")).filter(({ status }) => status?.succeeded).map(({ metadata }) => metadata.name);
    for (const job of [/^hub-migrations-/, /^hub-settings-/, /^forge-application-hub-/])
      expect(done).toContainEqual(expect.stringMatching(job));
  });

  it("gives a robot's name and password to docker's clients", async () => {
    const data = (await one("secret", "hub-robot-ci"))?.data ?? {};
    const text = (key: string) => Buffer.from(data[key] ?? "", "base64").toString();
    expect(text("password")).toMatch(/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[A-Za-z0-9]{32}$/);
    expect(JSON.parse(text(".dockerconfigjson"))).toEqual({
      auths: { "hub.example.org": { username: "robot$ci", password: text("password") } },
    });
  });

  it("keeps the restricted Pod Security level, which the API server enforces", async () => {
    const [found] = await kubernetesObjects("namespace", namespace);
    expect(found?.metadata).toMatchObject({ labels: { "pod-security.kubernetes.io/enforce": "restricted" } });
  });

  it.each([
    ["replicas", { replicas: { portal: 2 } }, ["update hub-portal"]],
    [
      "a project's quota",
      { projects: [{ name: "apps", storageQuota: "1Gi" }] },
      ["create hub-settings", "delete hub-settings", "update hub-settings"],
    ],
    ["redirect", { redirect: true }, ["update hub-registry"]],
    ["the registry's route", { registryRoute: "registry" }, ["update hub-core"]],
  ])("a change of %s updates what it is about and nothing else", async (_, change, expected) => {
    withHub(change);
    expect(await changesOf(stack)).toEqual(expected);
  });

  it.each([
    ["other sign-on", { signOn: { with: "local" } }, "sign-on-changes|accounts of its own"],
    ["an older version", { version: "2.13.0" }, "older programs can't read newer data"],
    ["three minors at once", { version: "2.17.0" }, "2.16"],
    ["the forge's host", { domain: "forge.example.org" }, "Each needs its own host"],
  ])("%s is refused at preview", async (_, change, message) => {
    withHub(change);
    const preview = await stack.pulumi("preview");
    expect(preview.exitCode).not.toBe(0);
    expect(preview.all).toMatch(new RegExp(message));
  });
});
