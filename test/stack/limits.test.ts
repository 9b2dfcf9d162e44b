import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { stackFacts } from "@hearth-platform/policy/core/stack-facts";
import { manifests } from "@hearth-platform/stack/delivery/objects";
import { needsOf, objectsOf } from "@hearth-platform/stack/live/preflight/needs";
import { stackPlans } from "@hearth-platform/stack/parts";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { hearthIn } from "../support/caller.ts";
import {
  checkFiles,
  committedStack,
  type StackFiles,
  withConfig,
  withSettings,
  writeStack,
} from "../support/stack-files.ts";

const why = { reason: "It runs there." };
const limits = {
  regions: [{ name: "eu-central-1", endpoint: "s3.eu-central-1.amazonaws.com", ...why }],
  storageClasses: [{ name: "longhorn", multiWriter: true, expandable: false, ...why }],
  databaseMajors: [{ major: 17, ...why }],
  cloudsuiteReplicas: { most: 4, ...why },
};
const file = "suites/team/config.yaml";

/** Stack dev with a suite that goes beyond the specification. */
const beyond = withConfig(withSettings(committedStack("dev"), { admission: { action: "deny" } }), file, {
  "versions.db": "17",
  "s3.region": "eu-central-1",
  "s3.endpoint": "https://s3.eu-central-1.amazonaws.com",
  "storage.storageClass": "longhorn",
  "replicas.cloudsuite": 4,
});
const allowed = withSettings(beyond, { limits });
const codes = (files: StackFiles) => checkFiles(files).problems.map(({ code, path }) => `${code} ${path}`);

describe("a stack that widens nothing", () => {
  it("is refused all of it", () => {
    expect(codes(beyond)).toEqual(
      expect.arrayContaining([
        "value versions.db",
        "value s3.region",
        "value storage.storageClass",
        "replicas replicas.cloudsuite",
      ]),
    );
  });
});

describe("a stack that widens the limits", () => {
  it("has an advice for each of them with its reason, and nothing else", () => {
    const { stack, problems } = checkFiles(allowed);
    expect(stack).toBeDefined();
    expect(problems.map(({ severity, code, path }) => `${severity} ${code} ${path}`)).toEqual([
      "warning limit-widened hearth:limits.regions[0]",
      "warning limit-widened hearth:limits.storageClasses[0]",
      "warning limit-widened hearth:limits.databaseMajors[0]",
      "warning limit-widened hearth:limits.cloudsuiteReplicas",
    ]);
    expect(problems[0]?.message).toContain("It runs there.");
  });

  it("deploys them, and its admission policies know them", () => {
    const { stack } = checkFiles(allowed);
    const objects = [...manifests(stack ? stackPlans(stack) : []).values()] as (KubernetesObject &
      Record<string, never>)[];
    const named = (kind: string, name: string, namespace: string) =>
      objects.find(
        ({ kind: found, metadata }) => found === kind && metadata.name === name && metadata.namespace === namespace,
      );
    expect(named("Cluster", "cloudsuite-db", "team")).toMatchObject({
      spec: { imageName: expect.stringContaining("postgresql:17.") },
    });
    expect(
      objects.filter(({ kind, metadata }) => kind === "PersistentVolumeClaim" && metadata.namespace === "team"),
    ).toContainEqual(
      expect.objectContaining({
        spec: expect.objectContaining({ storageClassName: "longhorn", accessModes: ["ReadWriteMany"] }),
      }),
    );
    expect(named("ConfigMap", "limits", "hearth-limits")).toMatchObject({
      data: { databaseMajorMax: "17", "cloudsuiteReplicas.team": "4", "cloudsuiteReplicas.club": "1" },
    });
  });

  it("has to give a reason", () => {
    expect(codes(withSettings(allowed, { "limits.databaseMajors[0].reason": undefined }))).toContain(
      "missing hearth:limits.databaseMajors[0].reason",
    );
  });

  it.each([
    [16, "Write 17 or more."],
    [19, "Write 18 or less."],
    [17.5, "Write a whole number."],
  ])("is refused PostgreSQL %d, which can't be added", (major, remedy) => {
    const { problems } = checkFiles(withSettings(allowed, { "limits.databaseMajors[0].major": major }));
    const own = problems.filter(({ path }) => path === "hearth:limits.databaseMajors[0].major");
    expect(own).toMatchObject([{ severity: "error", remedy: expect.stringContaining(remedy) }]);
  });

  it("is refused what has ended", () => {
    const ended = withSettings(allowed, { "limits.databaseMajors[0].until": "2026-12-31" });
    const source = { file: "Pulumi.test.yaml", values: ended.settings };
    const problems = (today: string) =>
      checkStack("/nowhere", source, { today }).problems.filter(({ code }) => code === "limit-ended");
    expect(problems("2026-12-31")).toEqual([]);
    expect(problems("2027-01-01")).toMatchObject([{ path: "hearth:limits.databaseMajors[0]" }]);
  });

  it("tells its policies, which pass over what is of a wrong type", () => {
    const facts = (value: unknown) =>
      stackFacts({ PULUMI_CONFIG: JSON.stringify({ "hearth:limits": JSON.stringify(value) }) }).limits;
    expect(facts(limits)).toEqual(limits);
    expect(facts({ ...limits, databaseMajors: "17" })?.databaseMajors).toBeUndefined();
    expect(facts(undefined)).toBeUndefined();
  });
});

/** Every volume of the stack by its class, as `namespace/kind/name`. */
function volumes(files: StackFiles): Record<string, string[]> {
  const { stack, problems } = checkFiles(files);
  if (!stack) throw new Error(JSON.stringify(problems));
  const found: Record<string, string[]> = {};
  for (const object of objectsOf(stackPlans(stack))) {
    const { kind, metadata } = object;
    for (const { name } of needsOf([object]).classes) {
      found[name] ??= [];
      found[name].push(`${metadata.namespace}/${kind}/${metadata.name}`);
    }
  }
  return found;
}

describe("a stack for production on one node", () => {
  const example = "suites/example/config.yaml";
  const single = withConfig(
    withSettings(committedStack("prod"), { "database.instances": 1, "forge.replicas.webservice": 1 }),
    example,
    { "replicas.db": 1 },
  );
  const ways: Readonly<Record<string, string>> = {
    "hearth:database.instances":
      "Write 2. An entry allows another: `hearth:limits: {databaseReplicas: {least: 1, most: 2, reason: <why>}}`.",
    "hearth:forge.replicas.webservice":
      "Write 2. An entry allows another: `hearth:limits: {forgeWebReplicas: {least: 1, reason: <why>}}`.",
    "replicas.db":
      "Write 2. An entry allows another: `hearth:limits: {databaseReplicas: {least: 1, most: 2, reason: <why>}}`.",
  };
  const counts = (files: StackFiles) =>
    checkFiles(files).problems.flatMap(({ code, path, remedy }) =>
      code === "replicas-profile" ? [[path, remedy] as const] : [],
    );

  it("is told the lines with which single instances are allowed", () => {
    expect(Object.fromEntries(counts(single))).toEqual(ways);
  });

  it("is taken with these lines, and each of them is told with its reason", () => {
    const lines = [...new Set(Object.values(ways))].map((way) => parse(way.split("`")[1] ?? "")["hearth:limits"]);
    const files = withSettings(single, { limits: Object.assign({}, ...lines) });
    expect(counts(files)).toEqual([]);
    const { stack, problems } = checkFiles(files);
    expect(stack).toBeDefined();
    expect(problems.filter(({ code }) => code === "limit-widened").map(({ message }) => message)).toEqual([
      "A database of 1 to 2 instances in production is allowed beside the specification: <why>.",
      "A forge with 1 web pod in production is allowed beside the specification: <why>.",
    ]);
  });
});

describe("a cluster that calls its classes otherwise", () => {
  const club = "suites/club/config.yaml";
  const ofCluster = (storageClass: string) =>
    [file, club].reduce(
      (files, each) => withConfig(files, each, { "storage.storageClass": storageClass }),
      withSettings(committedStack("dev"), { storageClass, limits }),
    );

  it("has every volume of forge, hub and suites on the one class that is named once", () => {
    const { longhorn = [], ...others } = volumes(ofCluster("longhorn"));
    expect(others).toEqual({});
    expect(longhorn.sort()).toEqual(
      Object.values(volumes(committedStack("dev")))
        .flat()
        .sort(),
    );
    expect(longhorn).toEqual(
      expect.arrayContaining([
        "platform/Cluster/forge-db",
        "platform/CronJob/forge-backup",
        "platform/PersistentVolumeClaim/data-forge-gitstore-0",
        "platform/PersistentVolumeClaim/data-keystore-0",
        "team/Cluster/cloudsuite-db",
      ]),
    );
  });

  it("has another one for any of them", () => {
    const own = {
      "database.storageClass": "fast",
      "forge.repositoryClass": "fast",
      "cloudsuites[0].dbClass": "fast",
      "cloudsuites[0].keystoreClass": "fast",
      "limits.storageClasses": [
        ...limits.storageClasses,
        { name: "fast", multiWriter: false, expandable: true, reason: "Local disks." },
      ],
    };
    expect(volumes(withSettings(ofCluster("longhorn"), own)).fast?.sort()).toEqual([
      "platform/Cluster/forge-db",
      "platform/CronJob/forge-backup",
      "platform/PersistentVolumeClaim/data-forge-gitstore-0",
      "platform/PersistentVolumeClaim/forge-toolbox-scratch",
      "team/Cluster/cloudsuite-db",
      "team/PersistentVolumeClaim/data-keystore-0",
    ]);
  });
});

describe("what the gate would refuse in production", () => {
  const prod = committedStack("prod");

  it.each([
    ["database.storageSize", "5Gi", "sizing-files hearth:database.storageSize", "Write 10Gi or more"],
    ["keystore.storageSize", "1Gi", "keystore-size hearth:keystore.storageSize", "Write 5Gi."],
    [
      "siteWebhook.sites[0].syncInterval",
      "30s",
      "sync-interval-short hearth:siteWebhook.sites[0].syncInterval",
      "Write 60s or more",
    ],
  ])("is advised of the settings, too: %s", (setting, value, told, remedy) => {
    const { problems } = checkFiles(withSettings(prod, { [setting]: value }));
    const [own] = problems.filter(({ path }) => path === `hearth:${setting}`);
    expect(`${own?.code} ${own?.path}`).toBe(told);
    expect(own?.severity).toBe("warning");
    expect(own?.remedy).toContain(remedy);
  });
});

describe("hearth validate FILE", () => {
  let project = "";
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), "hearth-limits-"));
  });
  afterEach(() => rmSync(project, { recursive: true }));
  const valid = async () => (await hearthIn(project, "validate", "--offline", join(project, file))).status === 0;

  it("judges a file by the stack that names it", async () => {
    writeStack(beyond, project, "Pulumi.one.yaml");
    expect(await valid()).toBe(false);
    writeStack(allowed, project, "Pulumi.one.yaml");
    expect(await valid()).toBe(true);
  });

  it("judges a file that several stacks name by what each of them allows", async () => {
    writeStack(allowed, project, "Pulumi.one.yaml");
    writeStack(beyond, project, "Pulumi.two.yaml");
    expect(await valid()).toBe(false);
  });

  it("judges a file that no stack names by the specification", async () => {
    writeStack(allowed, project, "Pulumi.one.yaml");
    writeFileSync(join(project, "alone.yaml"), stringify(allowed.suites[file]));
    expect((await hearthIn(project, "validate", "--offline", join(project, "alone.yaml"))).status).toBe(1);
  });
});
