import { objectId } from "@hearth-platform/hearth/core/plan";
import { inOrder } from "@hearth-platform/hearth/core/references";
import type { HubArgs } from "@hearth-platform/hearth/hub/args";
import { hubState } from "@hearth-platform/hearth/hub/configuration/settings";
import { edges } from "@hearth-platform/hearth/hub/network";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.d.ts";
import { describe, expect, it, test } from "vitest";
import { planHub, resolvedHub } from "../../support/plans.ts";
import { completeHub, minimalHub } from "./hub.ts";

const objectsOf = (args: HubArgs) =>
  new Map(planHub(args).objects.map((planned) => [objectId(planned.object), planned]));

describe("the order of a first start", () => {
  const order = inOrder(planHub(completeHub));
  const waitsFor = (id: string) => order.find(({ planned }) => objectId(planned.object) === id)?.dependsOn ?? [];

  it("is backup, migrations, core, jobs, settings", () => {
    expect(waitsFor("Job/hub-migrations-2-14-3")).toContain("Backup/forge-db-hub-2-14-3");
    expect(waitsFor("Deployment/hub-core")).toContain("Job/hub-migrations-2-14-3");
    expect(waitsFor("Deployment/hub-jobservice")).toContain("Deployment/hub-core");
    const settings = order
      .map(({ planned }) => objectId(planned.object))
      .find((id) => id.startsWith("Job/hub-settings-"));
    expect(waitsFor(settings ?? "")).toEqual(
      expect.arrayContaining(["Deployment/hub-core", "Deployment/hub-registry", "Deployment/hub-jobservice"]),
    );
  });
});

describe("secrets", () => {
  it("stand in no ConfigMap and no plain variable", () => {
    const text = JSON.stringify([...objectsOf(completeHub).values()]);
    expect(text).not.toMatch(/"name":"(?:\w*PASSWORD|\w*SECRET|CSRF_KEY|\w*ACCESSKEY|\w*SECRETKEY)","value"/);
  });

  it("that data depends on never change", () => {
    const kept = planHub(completeHub).secrets.filter(({ neverChanges }) => neverChanges);
    expect(kept.map(({ name }) => name)).toEqual(["hub-encryption-key", "hub-admin"]);
    expect(kept[0]?.data).toEqual({ value: { password: 16 } });
  });

  it("of a robot are what docker's clients take", () => {
    const robot = planHub(completeHub).secrets.find(({ name }) => name === "hub-robot-ci");
    expect(robot).toMatchObject({
      type: "kubernetes.io/dockerconfigjson",
      data: {
        username: { value: "robot$ci" },
        ".dockerconfigjson": {
          template: '{"auths":{"hub.example.org":{"username":"robot$ci","password":"{password}"}}}',
        },
      },
    });
  });
});

test("secret variables come before the plain ones that have them inside", () => {
  const core = objectsOf(completeHub).get("Deployment/hub-core")?.object as unknown as Deployment;
  const env = core.spec?.template.spec?.containers[0]?.env ?? [];
  const lastSecret = env.findLastIndex(({ valueFrom }) => valueFrom);
  expect(env.findIndex(({ value }) => value !== undefined)).toBeGreaterThan(lastSecret);
  const names = env.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [, name = ""] of env.flatMap(({ value = "" }) => [...value.matchAll(/(?<!\$)\$\((\w+)\)/g)]))
    expect(names).toContain(name);
});

describe("the hub's plan has", () => {
  it.each<[setting: string, args: HubArgs, absent: RegExp]>([
    ["no backup without a cluster", minimalHub, /^Backup\//],
    ["no copy of the key without a bucket for it", minimalHub, /^CronJob\//],
    ["no policies", minimalHub, /^NetworkPolicy\//],
    ["one pod needs no budget", minimalHub, /^PodDisruptionBudget\//],
    ["no monitors", { ...completeHub, platform: { ...completeHub.platform, monitoring: false } }, /^PodMonitor\//],
  ])("%s", (_, args, absent) => {
    expect([...objectsOf(args).keys()].filter((id) => absent.test(id))).toEqual([]);
  });

  const settingsJob = (args: HubArgs) => [...objectsOf(args).keys()].find((id) => id.startsWith("Job/hub-settings-"));
  it.each<[setting: string, change: Partial<HubArgs>]>([
    ["a project", { projects: [{ name: "apps" }] }],
    ["a robot's access", { robots: [{ name: "ci", projects: ["apps"] }] }],
    ["another time for the audit log", { auditLog: { retentionDays: 7 } }],
    ["a release that purges by other names", { version: "2.12.4" }],
    ["the collection", { garbageCollection: { deleteUntagged: true } }],
    [
      "a robot's new password",
      { platform: { ...completeHub.platform, secrets: { revisions: { "hub-robot-ci": 1 } } } },
    ],
  ])("%s makes a new settings Job", (_, change) => {
    expect(settingsJob({ ...completeHub, ...change })).not.toBe(settingsJob(completeHub));
  });
});

test("the encryption key is copied every night, before the base backup, beside the database's backups", () => {
  const job = objectsOf(completeHub).get("CronJob/hub-key-backup")?.object as CronJob | undefined;
  expect(job?.spec?.schedule).toBe("30 2 * * *");
  const pod = job?.spec?.jobTemplate.spec?.template.spec;
  expect(pod?.containers[0]?.env).toContainEqual({ name: "BUCKET", value: "db-backups-a1b2-platform" });
  expect(pod?.volumes).toContainEqual(
    expect.objectContaining({ secret: expect.objectContaining({ secretName: "hub-encryption-key" }) }),
  );
});

describe("the audit log", () => {
  const purge = (change: Partial<HubArgs>) => hubState(resolvedHub({ ...minimalHub, ...change })).auditLogPurge;
  const operations = "create,delete,pull";

  test("loses entries of each kind after 90 days, every night, those of before 2.13 as well", () => {
    expect(purge({})).toEqual({
      schedule: "0 0 2 * * *",
      parameters: {
        audit_retention_hour: 2160,
        dry_run: false,
        include_event_types: `create_artifact,delete_artifact,pull_artifact,other,${operations}`,
      },
    });
  });

  test("of 2.12 is purged by the names that this release has", () => {
    expect(purge({ version: "2.12.4" })?.parameters).toEqual({
      audit_retention_hour: 2160,
      dry_run: false,
      include_operations: operations,
    });
  });

  test("stays whole if the settings say so", () => {
    expect(purge({ auditLog: { purge: false } })).toBeUndefined();
  });
});

describe("network policies", () => {
  const policies = (args: HubArgs) =>
    new Map(
      planHub(args)
        .objects.map(({ object }) => object as unknown as NetworkPolicy)
        .filter(({ kind }) => kind === "NetworkPolicy")
        .map((policy) => [policy.metadata?.name ?? "", policy.spec]),
    );
  const alone = policies({ ...minimalHub, networkPolicies: true, defaultDeny: true });

  test("have a reason for every edge, and a party on each side that is known", () => {
    for (const { reason } of edges(resolvedHub(completeHub))) expect(reason).toMatch(/^[A-Z].*\.$/);
    expect(() => policies(completeHub)).not.toThrow();
  });

  test("beside a forge are those of the hub's own pods and of its ways to the stores", () => {
    expect([...policies(completeHub).keys()].sort()).toEqual([
      "allow-hub-core",
      "allow-hub-jobservice",
      "allow-hub-key-backup",
      "allow-hub-keystore",
      "allow-hub-migrations",
      "allow-hub-pooler",
      "allow-hub-portal",
      "allow-hub-registry",
      "allow-hub-settings",
    ]);
  });

  test("without a forge deny all else, and let the stores work by names that a forge's have not", () => {
    expect(alone.get("hub-default-deny")).toEqual({ podSelector: {}, policyTypes: ["Ingress", "Egress"] });
    for (const store of ["database-instances", "forge-db-pooler", "all"])
      expect([...alone.keys()]).toContain(`hub-allow-${store}`);
    expect([...alone.keys()].filter((name) => !name.startsWith("hub-") && !name.startsWith("allow-hub-"))).toEqual([]);
  });

  test("open no port of the registry or of a store to the outside, but the registry's where it is asked for", () => {
    const fromOutside = (args: HubArgs, to: string) =>
      edges(resolvedHub(args)).filter((edge) => edge.to === to && ["ingress", "anywhere"].includes(edge.from));
    for (const to of ["hub-registry", "hub-jobservice", "hub-keystore", "hub-pooler"])
      expect(fromOutside(completeHub, to)).toEqual([]);
    expect(fromOutside({ ...completeHub, registryRoute: "registry" }, "hub-registry")).toMatchObject([
      { ports: [5000] },
    ]);
  });
});
