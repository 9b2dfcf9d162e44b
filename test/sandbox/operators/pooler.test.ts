import { type Pooler, poolerObjects } from "@hearth-platform/sandbox/operators/pooler";
import { describe, expect, it } from "vitest";

interface Deployment {
  spec: {
    replicas: number;
    template: { spec: { containers: Record<string, unknown>[]; initContainers: object[]; nodeSelector?: object } };
  };
}

const pooler = (spec: Partial<Pooler["spec"]> = {}): Pooler => ({
  apiVersion: "postgresql.cnpg.io/v1",
  kind: "Pooler",
  metadata: { name: "forge-db-pooler", namespace: "forge", uid: "1" },
  spec: { cluster: { name: "forge-db" }, instances: 2, ...spec },
});

describe("a Pooler", () => {
  it("gets a Deployment and a Service of its name, which find each other", () => {
    const [, service, deployment] = poolerObjects(pooler());
    expect(service).toMatchObject({
      kind: "Service",
      metadata: { name: "forge-db-pooler" },
      spec: { ports: [{ port: 5432, targetPort: "pgbouncer" }], selector: { "cnpg.io/poolerName": "forge-db-pooler" } },
    });
    expect(deployment).toMatchObject({
      kind: "Deployment",
      metadata: { name: "forge-db-pooler" },
      spec: { replicas: 2, template: { metadata: { labels: { "cnpg.io/poolerName": "forge-db-pooler" } } } },
    });
  });

  it("takes what its template says about the pod and the container", () => {
    const resources = { limits: { memory: "64Mi" } };
    const template = {
      spec: { nodeSelector: { disk: "fast" }, containers: [{ name: "pgbouncer", image: "pgbouncer:1", resources }] },
    };
    const deployment = poolerObjects(pooler({ template }))[2] as unknown as Deployment;
    const { containers, nodeSelector } = deployment.spec.template.spec;
    expect(nodeSelector).toEqual({ disk: "fast" });
    expect(containers).toHaveLength(1);
    expect(containers[0]).toMatchObject({ name: "pgbouncer", image: "pgbouncer:1", resources });
  });

  it("runs the image that its settings of PgBouncer name, unless the template names another", () => {
    const image = (template: Pooler["spec"]["template"]) => {
      const [, , made] = poolerObjects(pooler({ pgbouncer: { image: "mirror/pgbouncer:1" }, template }));
      return (made as unknown as Deployment).spec.template.spec.containers[0]?.image;
    };
    expect(image({ spec: { containers: [{ name: "pgbouncer" }] } })).toBe("mirror/pgbouncer:1");
    expect(image({ spec: { containers: [{ name: "pgbouncer", image: "other:2" }] } })).toBe("other:2");
  });

  it("gives the operator's init container what the template says of it, and nothing of the other container", () => {
    const resources = { limits: { memory: "64Mi" } };
    const of = (template: Pooler["spec"]["template"]) =>
      (poolerObjects(pooler({ template }))[2] as unknown as Deployment).spec.template.spec.initContainers;
    expect(of({ spec: { containers: [{ name: "pgbouncer", resources }] } })).toEqual([
      expect.not.objectContaining({ resources }),
    ]);
    const template = { spec: { containers: [], initContainers: [{ name: "bootstrap-controller", resources }] } };
    expect(of(template)).toEqual([expect.objectContaining({ name: "bootstrap-controller", resources })]);
  });
});
