import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuiteComponent } from "@hearth-platform/hearth/cloudsuite/component";
import { edges } from "@hearth-platform/hearth/cloudsuite/network";
import { cloudSuiteProblems } from "@hearth-platform/hearth/cloudsuite/rules";
import { planOf } from "@hearth-platform/hearth/core/component";
import type { HTTPRoute } from "@hearth-platform/hearth/kubernetes/custom-resources/http-route";
import type { IngressRoute } from "@hearth-platform/hearth/kubernetes/custom-resources/ingress-route";
import type { PodMonitor } from "@hearth-platform/hearth/kubernetes/custom-resources/pod-monitor";
import type { PrometheusRule } from "@hearth-platform/hearth/kubernetes/custom-resources/prometheus-rule";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { ConfigMap, Service } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import { resolvedSuite } from "../../support/plans.ts";
import { container, find, ids, ownObjects, pod, variable } from "./objects.ts";
import { minimalSuite, onPlatform } from "./suite.ts";

const withPush: CloudSuiteArgs = { ...minimalSuite, push: { enabled: true } };
const off: CloudSuiteArgs = { ...minimalSuite, push: { enabled: false } };

const settingsOf = (args: CloudSuiteArgs) =>
  JSON.parse(find<ConfigMap>(args, "ConfigMap", "cloudsuite-apps").data?.["apps.json"] ?? "").apps;
const proxiesOf = (args: CloudSuiteArgs) => {
  const file = find<ConfigMap>(args, "ConfigMap", "cloudsuite-config").data?.["domain.config.php"] ?? "";
  const [, list = ""] = /'trusted_proxies' => \[([^\]]*)\]/.exec(file) ?? [];
  return [...list.matchAll(/'([^']+)'/g)].map(([, range]) => range);
};

describe("the push server", () => {
  test("runs beside the suite, restricted, and is asked how it is at the port of its metrics", () => {
    const { image, command, args, securityContext, ports, startupProbe, readinessProbe, livenessProbe } = container(
      withPush,
      "push",
    );
    expect([image, command, args]).toEqual(["ghcr.io/nextcloud/notify_push:v1.4.1", undefined, undefined]);
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(pod(withPush, "push").securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65534 });
    expect(ports).toMatchObject([{ containerPort: 7867 }, { name: "metrics", containerPort: 7868 }]);
    for (const probe of [startupProbe, readinessProbe, livenessProbe])
      expect(probe?.httpGet).toEqual({ path: "/metrics", port: "metrics" });
    expect(find<Service>(withPush, "Service", "push").spec?.ports).toMatchObject([{ port: 7867, targetPort: "http" }]);
    expect(find<PodMonitor>(withPush, "PodMonitor", "push").spec.podMetricsEndpoints).toEqual([{ port: "metrics" }]);
  });

  test("has its settings by environment, and no secret in them", () => {
    const value = (name: string) => variable(withPush, "push", name);
    expect(value("DATABASE_URL")).toBe("postgres://app@cloudsuite-db-pooler.team.svc:5432/cloudsuite");
    expect(value("PGPASSWORD")).toEqual({ name: "cloudsuite-db-app", key: "password" });
    expect(value("REDIS_URL")).toBe("redis://:$(KEYSTORE_PASSWORD)@keystore.team.svc:6379/1");
    expect(value("KEYSTORE_PASSWORD")).toEqual({ name: "keystore-password", key: "password" });
    expect(value("NEXTCLOUD_URL")).toBe("http://cloudsuite.team.svc:80");
    expect([value("PORT"), value("METRICS_PORT")]).toEqual(["7867", "7868"]);
    // Kubernetes fills in only what stands before.
    const names = container(withPush, "push").env?.map(({ name }) => name) ?? [];
    expect(names.indexOf("KEYSTORE_PASSWORD")).toBeLessThan(names.indexOf("REDIS_URL"));
  });

  test("reads the keystore's database that Nextcloud has", () => {
    const file = find<ConfigMap>(withPush, "ConfigMap", "cloudsuite-config").data?.["cache.config.php"];
    const [, database] = /'dbindex' => (\d+)/.exec(file ?? "") ?? [];
    expect(variable(withPush, "push", "REDIS_URL")).toMatch(new RegExp(`/${database}$`));
  });

  test("connects to stores of others, whatever their names have in them", () => {
    const elsewhere: CloudSuiteArgs = {
      ...withPush,
      database: {
        ...{ host: "pg.example.org", port: 5433, database: "team/db", user: "team@corp" },
        password: { name: "pg", key: "pw" },
      },
      keystore: { host: "redis.example.org", port: 6380 },
    };
    expect(variable(elsewhere, "push", "DATABASE_URL")).toBe("postgres://team%40corp@pg.example.org:5433/team%2Fdb");
    expect(variable(elsewhere, "push", "PGPASSWORD")).toEqual({ name: "pg", key: "pw" });
    expect(variable(elsewhere, "push", "REDIS_URL")).toBe("redis://redis.example.org:6380/1");
    expect(variable(elsewhere, "push", "KEYSTORE_PASSWORD")).toBeUndefined();
    const own = edges(resolvedSuite(elsewhere)).filter(({ from }) => from === "push");
    expect(own.map(({ to }) => to)).toEqual(["existing-database", "existing-keystore", "cloudsuite"]);
  });

  test("is rolled with the passwords that it reads", () => {
    const rolled = onPlatform(withPush, {
      secrets: { existing: { "cloudsuite-s3-credentials": "s3" }, revisions: { "keystore-password": 2 } },
    });
    expect(find<Deployment>(rolled, "Deployment", "push").spec?.template.metadata?.annotations).toEqual({
      "hearth/secret-revisions": "keystore-password=2",
    });
  });

  test("comes after the web, and before the Job that asks it", () => {
    const awaited = (kind: string, name: RegExp) =>
      ownObjects(withPush).find(({ object }) => object.kind === kind && name.test(object.metadata.name))?.after;
    expect(awaited("Deployment", /^push$/)).toEqual(["Deployment/cloudsuite"]);
    expect(awaited("Job", /^cloudsuite-configure-/)).toContain("Deployment/push");
  });

  test("reaches database, keystore and Nextcloud, and is reached by clients and Prometheus", () => {
    const own = edges(resolvedSuite(withPush)).filter(({ from, to }) => [from, to].includes("push"));
    expect(own.map(({ from, to, ports }) => `${from} ${to} ${ports}`)).toEqual([
      "push cloudsuite-db-pooler 5432",
      "push keystore 6379",
      "ingress push 7867",
      "push cloudsuite 80",
      "prometheus push 7868",
    ]);
    const unwatched = edges(resolvedSuite(onPlatform(withPush, { monitoring: false })));
    expect(unwatched.filter(({ from, to }) => from === "prometheus" && to === "push")).toEqual([]);
  });

  test("has connections of its own in the database's pool", () => {
    const poolOf = (args: CloudSuiteArgs) => {
      const { objects } = planOf({ component: cloudSuiteComponent, args });
      const [, size] = /"default_pool_size":"(\d+)"/.exec(JSON.stringify(objects)) ?? [];
      return Number(size);
    };
    expect(poolOf(withPush) - poolOf(minimalSuite)).toBe(10);
    expect(poolOf(off)).toBe(poolOf(minimalSuite));
  });
});

describe("clients", () => {
  test("find it below /push of the suite's host, by Traefik's routes and by the Gateway API", () => {
    const { routes } = find<IngressRoute>(withPush, "IngressRoute", "cloudsuite").spec;
    expect(routes.find(({ services }) => services?.[0]?.name === "push")).toMatchObject({
      match: expect.stringMatching(
        /^Host\(`cloud\.example\.org`\) && .*\(Path\(`\/push`\) \|\| PathPrefix\(`\/push\/`\)\)$/,
      ),
      middlewares: [{ name: "cloudsuite-strict-transport" }],
      services: [{ name: "push", port: 7867 }],
    });
    const gateway = onPlatform(withPush, { ingress: { kind: "gateway", clusterIssuer: "internal" } });
    const rule = find<HTTPRoute>(gateway, "HTTPRoute", "cloudsuite").spec.rules?.find(
      ({ backendRefs }) => backendRefs?.[0]?.name === "push",
    );
    expect(rule?.matches).toEqual([{ path: { type: "PathPrefix", value: "/push" } }]);
    expect(rule?.filters?.map(({ type }) => type)).toEqual(["ResponseHeaderModifier"]);
  });

  test("are sent there by the app, which the Job turns on", () => {
    expect(settingsOf(withPush).notify_push).toEqual({ base_endpoint: "https://cloud.example.org/push" });
    expect(variable(withPush, "configure", "APPS_ON")).toBe("notify_push");
    expect(variable(withPush, "configure", "PUSH")).toBe("on");
  });
});

describe("turned off", () => {
  test("it leaves no trace but the Job's, which turns the app off", () => {
    const withoutJob = (args: CloudSuiteArgs) => ids(args).filter((id) => !id.startsWith("Job/"));
    expect(withoutJob(off)).toEqual(withoutJob(minimalSuite));
    expect(settingsOf(off)).toEqual(settingsOf(minimalSuite));
    const alertsOf = (args: CloudSuiteArgs) => find<PrometheusRule>(args, "PrometheusRule", "cloudsuite-alerts").spec;
    expect(alertsOf(off)).toEqual(alertsOf(minimalSuite));
    expect(alertsOf(withPush)).not.toEqual(alertsOf(minimalSuite));
    expect(variable(off, "configure", "APPS_OFF")).toContain("notify_push");
    expect(variable(off, "configure", "PUSH")).toBe("off");
  });

  test("an app that somebody set up by hand stays as it is", () => {
    for (const name of ["APPS_ON", "APPS_OFF", "PUSH"])
      expect(variable(minimalSuite, "configure", name) ?? "", name).not.toMatch(/notify_push|^off$/);
  });
});

describe("Nextcloud's trusted proxies", () => {
  const named = (clusterNetworks?: string[]) =>
    onPlatform(withPush, {
      ingress: { clusterIssuer: "internal", trustedProxies: ["192.0.2.0/24"] },
      ...(clusterNetworks && { clusterNetworks }),
    });

  test("have the pods among them where the settings say where these are", () => {
    expect(proxiesOf(named(["10.42.0.0/16", "10.43.0.0/16"]))).toEqual([
      ...["192.0.2.0/24", "10.42.0.0/16", "10.43.0.0/16"],
    ]);
    expect(proxiesOf({ ...named(["10.42.0.0/16"]), push: undefined })).toEqual(["192.0.2.0/24"]);
    expect(proxiesOf(withPush)).toEqual(proxiesOf(minimalSuite));
  });

  test("that leave the pods out are refused with push, and only then", () => {
    const said = (args: CloudSuiteArgs) => cloudSuiteProblems(args).map(({ code, path }) => `${code} ${path}`);
    expect(said(named())).toEqual(["push-proxies push"]);
    // An empty list says as little.
    expect(said(named([]))).toEqual(["push-proxies push"]);
    expect(said(named(["10.42.0.0/16"]))).toEqual([]);
    expect(said({ ...named(), push: { enabled: false } })).toEqual([]);
    expect(said(withPush)).toEqual([]);
  });
});

test("an app's settings by hand are refused beside push", () => {
  const both = { ...withPush, apps: { notify_push: { base_endpoint: "https://elsewhere.example.org" } } };
  expect(cloudSuiteProblems(both).map(({ code, path }) => `${code} ${path}`)).toEqual(["app-managed apps.notify_push"]);
  expect(cloudSuiteProblems({ ...both, push: undefined })).toEqual([]);
});
