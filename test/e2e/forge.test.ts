import { keystoreDatabases } from "@hearth-platform/hearth/catalogue/keystore-databases";
import { names } from "@hearth-platform/hearth/catalogue/names";
import { ports } from "@hearth-platform/hearth/catalogue/ports";
import { sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import { beforeAll, describe, expect, it } from "vitest";
import { objectsOf, runningPlatform } from "../support/stack.ts";

const namespace = "platform";

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

describe("the forge on the sandbox", () => {
  let objects: Awaited<ReturnType<typeof objectsOf<Row>>>;

  beforeAll(async () => {
    await runningPlatform();
    objects = await objectsOf<Row>(
      namespace,
      "namespaces,services,pods,configmaps,secrets,networkpolicies",
      "certificates.cert-manager.io,externalsecrets.external-secrets.io,objectstores.barmancloud.cnpg.io",
      "ingressroutes.traefik.io,ingressroutetcps.traefik.io,podmonitors.monitoring.coreos.com",
    );
  }, 900_000);

  it.each([
    [names.forge.webservice, [ports.forgeWeb, ports.forgeProxy, ports.forgeWebMetrics]],
    [names.forge.jobs, [ports.forgeJobsMetrics]],
    [names.forge.gitstore, [ports.forgeGitstore, ports.forgeGitstoreMetrics]],
    [names.forge.shell, [ports.forgeShell]],
    [names.forge.pages, [ports.forgePages]],
    [names.keystore, [ports.keystore]],
    ["forge-db-pooler", [ports.database]],
    ["forge-db-rw", [ports.database]],
  ])("Service %s has the ports of the tables", (name, expected) => {
    const service = objects.one("Service", name);
    expect(service?.spec?.ports?.map(({ port }) => port)).toEqual(expect.arrayContaining(expected));
  });

  it("has the stateful pods by their names, and toolbox and runner without a Service", () => {
    const pods = objects.all("Pod").map(({ metadata }) => metadata.name);
    expect(pods).toEqual(expect.arrayContaining(["forge-gitstore-0", "keystore-0"]));
    const services = objects.all("Service").map(({ metadata }) => metadata.name);
    for (const name of [names.forge.toolbox, names.forge.runner]) expect(services).not.toContain(name);
  });

  it("has the other named objects", () => {
    expect(objects.one("Certificate", names.forge.tls)?.spec?.dnsNames).toEqual(["forge.example.org"]);
    expect(objects.one("Certificate", names.forge.pagesTls)?.spec?.dnsNames).toEqual(["*.pages.example.org"]);
    for (const name of [names.forge.tls, names.forge.pagesTls])
      expect(Object.keys(objects.one("Secret", name)?.data ?? {})).toContain("tls.crt");
    expect(objects.one("ObjectStore", "forge-db-backup")).toBeDefined();
    expect(objects.one("ExternalSecret", sharedNames.objectStoreCredentials)).toBeDefined();
    expect(Object.keys(objects.one("Secret", sharedNames.objectStoreCredentials)?.data ?? {}).sort()).toEqual([
      "AWS_ACCESS_KEY_ID",
      "AWS_SECRET_ACCESS_KEY",
    ]);
  });

  it("reaches database and keystore in the shapes of the tables, by the pooler alone", () => {
    const data = objects.one("ConfigMap", names.forge.webservice)?.data ?? {};
    const all = Object.values(data).join("\n");
    expect(all).toContain(`forge-db-pooler.${namespace}.svc`);
    expect(all).not.toContain("forge-db-rw");
    const url = (database: number) => new RegExp(`@?keystore\\.${namespace}\\.svc:6379/${database}\\b`);
    expect(data["redis.cache.yml.erb"]).toMatch(url(keystoreDatabases.forgeCache));
    expect(data["redis.queues.yml.erb"]).toMatch(url(keystoreDatabases.forgeJobQueue));
  });

  it("is reached from outside by the proxy, the sites' wildcard and SSH; metrics are not public", () => {
    const [route] = objects.one("IngressRoute", names.forge.webservice)?.spec?.routes ?? [];
    expect(route?.match).toBe(
      "Host(`forge.example.org`) && !PathRegexp(`^(/|%2[Ff])+(-(/|%2[Ff])+metrics|api(/|%2[Ff])+v\\d+(/|%2[Ff])+internal)((/|%2[Ff])|$)`)",
    );
    expect(route?.services).toMatchObject([{ name: names.forge.webservice, port: ports.forgeProxy }]);
    const [pages] = objects.one("IngressRoute", names.forge.pages)?.spec?.routes ?? [];
    expect(pages?.services).toMatchObject([{ name: names.forge.pages, port: ports.forgePages }]);
    const ssh = objects.one("IngressRouteTCP", names.forge.shell)?.spec;
    expect(ssh?.entryPoints).toEqual(["ssh"]);
    expect(ssh?.routes?.[0]).toMatchObject({
      match: "HostSNI(`*`)",
      services: [{ name: names.forge.shell, port: ports.forgeShell }],
    });
  });

  it("is read by Prometheus at /metrics of each pod that the tables name", () => {
    const monitors = objects.all("PodMonitor");
    const byName = new Map(monitors.map(({ metadata, spec }) => [metadata.name, spec?.podMetricsEndpoints]));
    for (const name of [names.forge.webservice, names.forge.jobs, names.forge.gitstore])
      expect(byName.get(name)).toMatchObject([{ path: "/metrics" }]);
    expect(byName.has(sharedNames.database)).toBe(true);
  });

  it("keeps the restricted Pod Security level, which the API server enforces", () => {
    expect(objects.one("Namespace", namespace)?.metadata).toMatchObject({
      labels: { "pod-security.kubernetes.io/enforce": "restricted" },
    });
  });

  it("denies what no edge allows", () => {
    const policies = objects.all("NetworkPolicy").map(({ metadata }) => metadata.name);
    expect(policies).toEqual(expect.arrayContaining(["default-deny", "allow-keystore", "allow-forge-webservice"]));
  });
});
