import { baselinePack } from "@hearth-platform/policy/baseline/policies";
import { expect, test } from "vitest";
import { componentResource, type Fixture, resource } from "../support/fixtures.ts";
import { judged } from "../support/verdicts.ts";

/** Where the policy `id` finds something: kind and path of each violation. */
function found(id: string, ...resources: Fixture["resources"]): string[] {
  const policy = baselinePack.policies.find((each) => each.id === id);
  if (!policy) throw new Error(`There is no policy ${id}.`);
  return judged(policy, { resources }).violations.map(({ path }) => path);
}

test("a component without backups is reported, and not its cluster again", () => {
  const parent = componentResource("Database", { name: "forge-db" });
  const cluster = resource(
    { apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster", metadata: { name: "forge-db", namespace: "team" } },
    { parent },
  );
  expect(found("st-database-backup", parent, cluster)).toEqual(["backup"]);
});

test("two suites of one host are reported by their domain, and not again by their routes", () => {
  const suite = (name: string) => {
    const parent = componentResource("CloudSuite", { namespace: name, domain: "app.example.org" }, name);
    const route = resource(
      {
        apiVersion: "traefik.io/v1alpha1",
        kind: "IngressRoute",
        metadata: { name: "cloudsuite", namespace: name },
        spec: { entryPoints: ["websecure"], routes: [{ match: "Host(`app.example.org`)" }] },
      },
      { parent },
    );
    return [parent, route];
  };
  expect(found("net-unique-host", ...suite("team"), ...suite("club"))).toEqual(["domain"]);
});

test("an office that breaks one rule more than its engine may is reported for that rule", () => {
  const securityContext = {
    allowPrivilegeEscalation: true,
    capabilities: { drop: ["ALL"], add: ["MKNOD", "SETPCAP"] },
  };
  const pod = {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    containers: [{ name: "collabora", securityContext }],
  };
  const office = resource(
    { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "office" }, spec: { template: { spec: pod } } },
    { parent: componentResource("CloudSuite", {}) },
  );
  expect(found("wl-pod-security", office)).toEqual([
    "spec.template.spec.containers[0].securityContext.capabilities.add",
  ]);
});
