import type { AdmissionArgs } from "@hearth-platform/hearth/admission/args";
import { admissionProblems } from "@hearth-platform/hearth/admission/rules";
import { admission } from "@hearth-platform/hearth/admission/schema";
import { checkArguments } from "@hearth-platform/hearth/core/arguments";
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "kubernetes-types/admissionregistration/v1.d.ts";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import { planAdmission } from "../../support/plans.ts";
import { platform } from "../../support/platform.ts";

const args: AdmissionArgs = {
  namespaces: [{ name: "platform" }, { name: "team", storageClass: "replicated-block", files: 10_001, users: 10 }],
  platform,
};

function objects<T>(kind: string, given: AdmissionArgs = args): T[] {
  return planAdmission(given)
    .objects.map(({ object }) => object)
    .filter((object) => object.kind === kind) as T[];
}

const bindings = (given?: AdmissionArgs) =>
  objects<ValidatingAdmissionPolicyBinding>("ValidatingAdmissionPolicyBinding", given);

function actionsOf(rule: string, given: AdmissionArgs): string[] | undefined {
  return bindings(given).find(({ metadata }) => metadata?.name?.endsWith(rule))?.spec?.validationActions;
}

describe("the limits in the cluster", () => {
  test("are the specification's numbers in one ConfigMap", () => {
    expect(objects<ConfigMap>("ConfigMap").map(({ data }) => data)).toEqual([
      {
        databaseMajorMin: "12",
        databaseMajorMax: "16",
        sharedDatabaseMajorMin: "12",
        sharedDatabaseMajorMax: "18",
        databaseInstancesMin: "2",
        databaseInstancesMax: "2",
        keystoreReplicas: "1",
        keystoreSize: "5Gi",
        forgeWebReplicas: "2",
        syncInterval: "60s",
        databaseResources: "100m 256Mi 500m 512Mi",
        keystoreResources: "50m 128Mi 200m 256Mi",
        officeResources: "100m 512Mi 1 1Gi",
        whiteboardResources: "50m 256Mi 500m 512Mi",
        "cloudsuiteReplicas.platform": "3",
        "databaseSize.platform": "10Gi",
        "cloudsuiteResources.platform": "200m 512Mi 1 2Gi",
        "cloudsuiteReplicas.team": "1",
        "databaseSize.team": "20Gi",
        "cloudsuiteResources.team": "500m 1Gi 2 4Gi",
      },
    ]);
  });

  test.each([
    [0, "10Gi"],
    [10_000, "10Gi"],
    [100_000, "20Gi"],
    [100_001, "50Gi"],
  ])("ask for a database volume by the number of files: %i need %s", (files, size) => {
    const [limits] = objects<ConfigMap>("ConfigMap", { ...args, namespaces: [{ name: "team", files }] });
    expect(limits?.data?.["databaseSize.team"]).toBe(size);
  });

  test.each([
    [0, "200m 512Mi 1 2Gi"],
    [9, "200m 512Mi 1 2Gi"],
    [50, "500m 1Gi 2 4Gi"],
    [51, "1 2Gi 4 8Gi"],
  ])("recommend resources of web pods by the number of users: %i need %s", (users, amounts) => {
    const [limits] = objects<ConfigMap>("ConfigMap", { ...args, namespaces: [{ name: "team", users }] });
    expect(limits?.data?.["cloudsuiteResources.team"]).toBe(amounts);
  });

  test("let a forge for development have one web pod", () => {
    const [limits] = objects<ConfigMap>("ConfigMap", { ...args, platform: { ...platform, profile: "development" } });
    expect(limits?.data?.forgeWebReplicas).toBe("1");
  });

  test("let a stack for production have single ones where it allows them", () => {
    const reason = "One node.";
    const limits = { databaseReplicas: { least: 1, most: 2, reason }, forgeWebReplicas: { least: 1, reason } };
    const [found] = objects<ConfigMap>("ConfigMap", { ...args, platform: { ...platform, limits } });
    expect(found?.data).toMatchObject({ databaseInstancesMin: "1", databaseInstancesMax: "2", forgeWebReplicas: "1" });
  });

  test("hold in the namespaces named and in no other", () => {
    for (const { spec } of bindings())
      expect(spec?.matchResources).toEqual({
        namespaceSelector: {
          matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: ["platform", "team"] }],
        },
      });
  });

  test("warn unless told otherwise; deny refuses what is required, and warns about what is recommended", () => {
    expect(actionsOf("keystore-replicas", args)).toEqual(["Warn", "Audit"]);
    expect(actionsOf("keystore-replicas", { ...args, action: "audit" })).toEqual(["Audit"]);
    expect(actionsOf("keystore-replicas", { ...args, action: "deny" })).toEqual(["Deny", "Audit"]);
    expect(actionsOf("keystore-volume", { ...args, action: "deny" })).toEqual(["Warn", "Audit"]);
  });

  test("leave nothing behind: no object of theirs holds data", () => {
    expect(planAdmission(args).objects.filter(({ holdsData }) => holdsData)).toEqual([]);
  });

  test("of two stacks in a cluster have no name in common", () => {
    const policies = (given: AdmissionArgs) =>
      objects<ValidatingAdmissionPolicy>("ValidatingAdmissionPolicy", given).map(({ metadata }) => metadata?.name);
    const other = policies({ ...args, namespace: "other-limits" });
    expect(other).toHaveLength(bindings().length);
    expect(policies(args).filter((name) => other.includes(name))).toEqual([]);
  });
});

describe("the arguments", () => {
  test("are sound", () => expect(admissionProblems(args)).toEqual([]));

  test.each<[path: string, code: string, wrong: object]>([
    ["namespace", "namespace-reserved", { namespace: "kube-limits" }],
    ["action", "value", { action: "refuse" }],
    ["namespaces", "nothing-to-judge", { namespaces: [] }],
    ["namespaces[0].name", "dns-label", { namespaces: [{ name: "Team" }] }],
    ["namespaces[0].storageClass", "value", { namespaces: [{ name: "team", storageClass: "fast" }] }],
    ["namespaces[1].name", "shared", { namespaces: [{ name: "team" }, { name: "team" }] }],
  ])("are refused at %s: %s", (path, code, wrong) => {
    expect(checkArguments(admission, { ...args, ...wrong }, admissionProblems)).toEqual([
      expect.objectContaining({ path, code, severity: "error" }),
    ]);
  });
});

describe("a drill's own database", () => {
  const conditions = (given: AdmissionArgs) =>
    objects<ValidatingAdmissionPolicy>("ValidatingAdmissionPolicy", given).flatMap(({ metadata, spec }) =>
      (spec?.matchConditions ?? []).map(({ expression }) => [metadata?.name, expression]),
    );

  test("is excused from the rules on databases, for the account of its name, where the stack has drills", () => {
    expect(conditions(args)).toEqual([]);
    const found = conditions({ ...args, drills: true });
    expect(found.map(([name]) => name)).toContain("hearth-limits-database-replicas");
    expect(found.every(([name]) => /database/.test(name ?? ""))).toBe(true);
    expect(new Set(found.map(([, expression]) => expression)).size).toBe(1);
    expect(found[0]?.[1]).toContain(
      "'system:serviceaccount:' + object.metadata.namespace + ':' + object.metadata.name + '-job'",
    );
  });
});
