import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { PolicyRule } from "kubernetes-types/rbac/v1.d.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { hearthIn } from "../../support/caller.ts";
import { type StackFiles, smallStack, withSettings, writeStack } from "../../support/stack-files.ts";

let project = "";
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "hearth-rights-"));
});
afterEach(() => rmSync(project, { recursive: true }));

const rights = (files: StackFiles, ...args: string[]) => {
  writeStack(files, project, "Pulumi.dev.yaml");
  return hearthIn(project, "rights", "--stack", "dev", ...args);
};

describe("hearth rights", () => {
  it("prints one ClusterRole for namespaces that the stack makes, without wildcards", async () => {
    const { status, stdout, stderr } = await rights(smallStack());
    expect([status, stderr]).toEqual([0, ""]);
    const [role, ...others] = parseAllDocuments(stdout).map((each) => each.toJS());
    expect(others).toEqual([]);
    expect(role).toMatchObject({ kind: "ClusterRole", metadata: { name: "hearth-dev" } });
    expect(JSON.stringify(role.rules)).not.toContain('"*"');
    expect(role.rules).toContainEqual({
      apiGroups: [""],
      resources: ["endpoints", "events", "pods"],
      verbs: ["get", "list", "watch"],
    });
  });

  it("prints a Role for a namespace that exists, and binds all to the subject", async () => {
    const settings = withSettings(smallStack(), { existingNamespaces: ["team"] });
    const { stdout } = await rights(settings, "--subject", "ServiceAccount/ci/deployer", "--json");
    const { objects } = JSON.parse(stdout) as { objects: (KubernetesObject & { rules?: PolicyRule[] })[] };
    const subjects = [{ kind: "ServiceAccount", namespace: "ci", name: "deployer" }];
    const team = { name: "hearth-dev", namespace: "team" };
    expect(objects).toContainEqual(expect.objectContaining({ kind: "Role", metadata: team }));
    expect(objects).toContainEqual(expect.objectContaining({ kind: "RoleBinding", metadata: team, subjects }));
    const role = objects.find(({ kind }) => kind === "Role");
    expect(role?.rules?.flatMap(({ resources }) => resources)).toContain("deployments");
    expect(objects.filter(({ kind }) => kind === "Namespace")).toEqual([]);
  });

  it.each(["User", "Group"])("binds all to a %s", async (kind) => {
    const { stdout } = await rights(smallStack(), "--subject", `${kind}/ci`, "--json");
    const { objects } = JSON.parse(stdout) as { objects: object[] };
    const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind, name: "ci" }];
    expect(objects).toContainEqual(expect.objectContaining({ kind: "ClusterRoleBinding", subjects }));
  });

  it("prints nothing of a stack with a problem, and is no success", async () => {
    const faulty = withSettings(smallStack(), { profile: "devel" });
    const { status, stdout, stderr } = await rights(faulty);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^Nothing was printed\..*hearth:profile/s);
    const told = await rights(faulty, "--json");
    expect(told.status).toBe(1);
    expect(JSON.parse(told.stdout)).toMatchObject({ problems: [{ severity: "error" }] });
  });

  it.each([
    "deployer",
    "User/",
    "User/ci/deployer",
    "Group/ci/deployer",
    "ServiceAccount/deployer",
    "ServiceAccount/ci/",
    "Role/ci",
  ])("refuses %s, which is no subject", async (subject) => {
    const { status, stderr } = await rights(smallStack(), "--subject", subject);
    expect(status).toBe(2);
    expect(stderr).toContain("User/NAME, Group/NAME or ServiceAccount/NAMESPACE/NAME");
  });
});
