import { readFileSync } from "node:fs";
import { join } from "node:path";
import { configurationProblems } from "@hearth-platform/cli/policies/configuration";
import { type ListedPolicy, listPolicies } from "@hearth-platform/cli/policies/list";
import { limitPolicies } from "@hearth-platform/hearth/admission/policies";
import { evaluate, isStackPolicy, policySettings } from "@hearth-platform/policy/core/policy";
import { PolicyResource } from "@hearth-platform/policy/core/resource";
import { strictest } from "@hearth-platform/policy/core/stack-facts";
import { packs } from "@hearth-platform/policy/policies";
import { configProblems } from "@hearth-platform/stack/areas/suites/config-file";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { componentResource } from "../../policy/support/fixtures.ts";
import { PackProcess } from "../../policy/support/pack-process.ts";
import { replaced } from "../../policy/support/trees.ts";
import { hearth } from "../../support/caller.ts";

const project = join(import.meta.dirname, "../../..");
const read = (...path: string[]) => readFileSync(join(project, ...path), "utf8");
const list = listPolicies();

describe("hearth policies", () => {
  it("prints a table with every policy", async () => {
    const { status, stdout } = await hearth(project, "policies");
    expect(status).toBe(0);
    for (const { id } of list) expect(stdout).toContain(`│ ${id} `);
  });

  it("prints nothing but JSON for programs", async () => {
    const { stdout } = await hearth(project, "policies", "--json");
    const policies: ListedPolicy[] = JSON.parse(stdout);
    expect(policies.find(({ id }) => id === "lim-db-replicas")).toMatchObject({
      pack: "platform-limits",
      severity: "high",
      levels: { production: "mandatory", development: "mandatory", maintenance: "mandatory" },
      validated: true,
      admissionCounterpart: "database-replicas",
    });
  });

  it("refuses words behind it", async () => {
    expect(await hearth(project, "policies", "all")).toMatchObject({ status: 2, stdout: "" });
  });
});

describe("where else a rule is enforced", () => {
  it("names admission policies that there are", () => {
    const admissionCounterparts = list.flatMap(({ admissionCounterpart }) => admissionCounterpart ?? []);
    expect(limitPolicies.map(({ id }) => id)).toEqual(expect.arrayContaining(admissionCounterparts));
    expect(new Set(admissionCounterparts).size).toBe(admissionCounterparts.length);
  });

  const config = parse(read("suites/team/config.yaml"));
  const production = replaced(config, "replicas.db", 2);
  const load = { users: 0, files: 0 };

  it.each<[id: string, path: string, value: unknown]>([
    ["lim-db-major", "versions.db", "17"],
    ["lim-cloudsuite-replicas", "replicas.cloudsuite", 2],
    ["lim-db-replicas", "replicas.db", 1],
    ["lim-db-replicas", "replicas.db", 3],
    ["lim-keystore-replicas", "replicas.keystore", 2],
    ["lim-db-volume", "storage.dbSize", "9Gi"],
    ["lim-keystore-volume", "storage.keystoreSize", "4Gi"],
    ["lim-cloudsuite-resources", "resources.cloudsuite.limits.memory", "1Gi"],
    ["lim-db-resources", "resources.db.requests.cpu", "50m"],
    ["lim-keystore-resources", "resources.keystore.limits.cpu", "100m"],
    ["lim-office-resources", "office.resources.limits.cpu", "500m"],
    ["lim-whiteboard-resources", "whiteboard.resources.requests.memory", "128Mi"],
    ["lim-storage-class", "storage.storageClass", "standard"],
    ["lim-requests", "resources.db.requests.memory", "8Gi"],
    ["lim-s3-location", "s3.region", "eu1"],
    ["lim-office-domain", "office.domain", "office.example.net"],
    ["wl-image-tag", "versions.cloudsuite", "latest"],
  ])("%s and `hearth validate` both tell of %s: %s", (id, path, value) => {
    const policy = packs.flatMap(({ policies }) => policies).find((each) => each.id === id);
    if (!policy || isStackPolicy(policy)) throw new Error(`${id} is no rule on one resource.`);
    expect(list.find((each) => each.id === id)?.validated).toBe(true);
    const told = (suite: unknown) => {
      const resource = new PolicyResource(componentResource("CloudSuite", suite as Record<string, unknown>));
      const facts = { ...strictest, loads: { example: load } };
      return {
        policy: evaluate(policy, resource, policySettings(policy), facts).violations.length > 0,
        validate: configProblems(suite, { ...load, profile: "production" }).problems.length > 0,
      };
    };
    expect(told(production)).toEqual({ policy: false, validate: false });
    expect(told(replaced(production, path, value))).toEqual({ policy: true, validate: true });
  });
});

describe("docs/reference/policies.md", () => {
  const page = read("docs/reference/policies.md");

  it("has the place each violation links to", async () => {
    for (const folder of ["limits", "baseline"]) {
      await using pack = await PackProcess.start(folder, strictest);
      const { policiesList } = await pack.info();
      expect(policiesList.length).toBeGreaterThan(3);
      for (const { name, url } of policiesList) {
        expect(url).toBe(`docs/reference/policies.md#${name}`);
        expect(page).toContain(`\n### ${name}\n`);
      }
    }
  });

  it("shows the example as it is", () => {
    expect(page).toContain(`\`\`\`json\n${read("examples/policies/Policies.prod.json")}\`\`\``);
  });
});

describe("the configuration of the policies", () => {
  const problems = (content: object | string) => {
    const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
    return configurationProblems("Policies.prod.json", Buffer.from(text));
  };

  it("may be the example, by our check and by the published schema", () => {
    const example = read("examples/policies/Policies.prod.json");
    expect(problems(example)).toEqual([]);
    const schema = JSON.parse(read("schemas/policies.schema.json"));
    expect(new Ajv({ strict: false }).validate(schema, JSON.parse(example))).toBe(true);
  });

  it.each<[what: string, content: object, path: string, line: number]>([
    ["a policy that is not there", { "lim-db-replica": {} }, "lim-db-replica", 2],
    ["a level alone", { "wl-spread": "mandatory" }, "wl-spread", 2],
    ["a level nobody knows", { "wl-spread": { enforcementLevel: "strict" } }, "wl-spread.enforcementLevel", 3],
    ["a setting of another policy", { "wl-spread": { moving: [] } }, "wl-spread.moving", 3],
    ["a setting of another type", { "lim-db-volume": { files: "many" } }, "lim-db-volume.files", 3],
    [
      "an exemption without reason",
      { "wl-spread": { exempt: [{ name: "a", until: "2030-01-01" }] } },
      "wl-spread.exempt[0].reason",
      4,
    ],
    [
      "an exemption without end",
      { "wl-spread": { exempt: [{ name: "a", reason: "b" }] } },
      "wl-spread.exempt[0].until",
      4,
    ],
    [
      "a day of another form",
      { "wl-spread": { exempt: [{ name: "a", reason: "b", until: "1/1/2030" }] } },
      "wl-spread.exempt[0].until",
      7,
    ],
  ])("may not have %s", (_, content, path, line) => {
    expect(problems(content)).toMatchObject([{ path, line }]);
  });
});
