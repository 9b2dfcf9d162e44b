import { names } from "@hearth-platform/hearth/catalogue/names";
import { ports } from "@hearth-platform/hearth/catalogue/ports";
import { hubPorts } from "@hearth-platform/hearth/hub/ports";
import { beforeAll, describe, expect, it } from "vitest";
import { objectsOf, runningPlatform } from "../support/stack.ts";

const namespace = "platform";

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

describe("the hub on the sandbox", () => {
  let objects: Awaited<ReturnType<typeof objectsOf<Row>>>;

  beforeAll(async () => {
    await runningPlatform();
    objects = await objectsOf<Row>(
      namespace,
      "namespaces,services,deployments,secrets,jobs,certificates.cert-manager.io,ingressroutes.traefik.io",
      "databases.postgresql.cnpg.io,backups.postgresql.cnpg.io",
    );
  }, 900_000);

  it.each([
    [names.hub.core, ports.hubCore],
    [names.hub.registry, ports.hubRegistry],
    [names.hub.jobservice, ports.hubJobservice],
    [names.hub.portal, ports.hubPortal],
  ])("%s is a workload and a Service with the port of the tables", (name, port) => {
    expect(objects.one("Deployment", name)).toBeDefined();
    expect(objects.one("Service", name)?.spec?.ports?.map((each) => each.port)).toContain(port);
  });

  it("has its certificate, by which its one host is served by path", () => {
    expect(objects.one("Certificate", names.hub.tls)?.spec?.dnsNames).toEqual(["hub.example.org"]);
    expect(Object.keys(objects.one("Secret", names.hub.tls)?.data ?? {})).toContain("tls.crt");
    const routes = objects.one("IngressRoute", names.hub.core)?.spec?.routes ?? [];
    expect(routes.map(({ services }) => services?.map(({ name, port }) => `${name}:${port}`))).toEqual([
      [`hub-sign-in:${hubPorts.signIn}`],
      [`${names.hub.core}:${ports.hubCore}`],
      [`${names.hub.portal}:${ports.hubPortal}`],
    ]);
    expect(routes[0]?.match).toContain("Path(`/service/token`)");
  });

  it("has its database in the same cluster, reached by the pooler alone, and keystore database 2", () => {
    expect(objects.one("Database", "forge-db-hub")?.status?.applied).toBe(true);
    const env = objects.one("Deployment", names.hub.core)?.spec?.template?.spec?.containers?.[0]?.env ?? [];
    const value = (name: string) => env.find((each) => each.name === name)?.value;
    expect(value("POSTGRESQL_HOST")).toBe(`forge-db-pooler.${namespace}.svc`);
    expect(value("POSTGRESQL_USERNAME")).toBe("app");
    expect(value("_REDIS_URL_CORE")).toMatch(new RegExp(`@keystore\\.${namespace}\\.svc:${ports.keystore}/2\\?`));
  });

  it("was backed up and migrated before core, and has its settings and its client at the forge", () => {
    const [backup] = objects.all("Backup").filter(({ metadata }) => /-hub-/.test(metadata.name));
    expect(backup?.status?.phase).toBe("completed");
    const done = objects
      .all("Job")
      .filter(({ status }) => status?.succeeded)
      .map(({ metadata }) => metadata.name);
    for (const job of [/^hub-migrations-/, /^hub-settings-/, /^forge-application-hub-/])
      expect(done).toContainEqual(expect.stringMatching(job));
  });

  it("gives a robot's name and password to docker's clients", () => {
    const data = objects.one("Secret", "hub-robot-ci")?.data ?? {};
    const text = (key: string) => Buffer.from(data[key] ?? "", "base64").toString();
    expect(text("password")).toMatch(/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[A-Za-z0-9]{32}$/);
    expect(JSON.parse(text(".dockerconfigjson"))).toEqual({
      auths: { "hub.example.org": { username: "robot$ci", password: text("password") } },
    });
  });

  it("keeps the restricted Pod Security level, which the API server enforces", () => {
    expect(objects.one("Namespace", namespace)?.metadata).toMatchObject({
      labels: { "pod-security.kubernetes.io/enforce": "restricted" },
    });
  });
});
