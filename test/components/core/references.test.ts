import { joinPlans, type KubernetesObject, objectId, type PlannedObject } from "@hearth-platform/hearth/core/plan";
import { inOrder, references } from "@hearth-platform/hearth/core/references";
import { describe, expect, test } from "vitest";

function object(kind: string, name: string, content: object = {}): KubernetesObject {
  return { apiVersion: "v1", kind, metadata: { name, namespace: "forge" }, ...content } as KubernetesObject;
}

describe("references", () => {
  test("of a workload are everything its pods mount, read or run as", () => {
    const pod = {
      serviceAccountName: "runner",
      imagePullSecrets: [{ name: "registry" }],
      containers: [
        {
          env: [
            { valueFrom: { secretKeyRef: { name: "password", key: "p" } } },
            { valueFrom: { configMapKeyRef: { name: "settings", key: "s" } } },
          ],
          envFrom: [{ secretRef: { name: "all" } }, { configMapRef: { name: "more" } }],
        },
      ],
      volumes: [
        { persistentVolumeClaim: { claimName: "data" } },
        { configMap: { name: "files" } },
        { secret: { secretName: "tls" } },
        { projected: { sources: [{ secret: { name: "projected" } }, { configMap: { name: "ca" } }] } },
      ],
    };
    const found = references(object("Deployment", "web", { spec: { template: { spec: pod } } }));
    expect(found.sort()).toEqual([
      "ConfigMap/ca",
      "ConfigMap/files",
      "ConfigMap/more",
      "ConfigMap/settings",
      "Namespace/forge",
      "PersistentVolumeClaim/data",
      "Secret/all",
      "Secret/password",
      "Secret/projected",
      "Secret/registry",
      "Secret/tls",
      "ServiceAccount/runner",
    ]);
  });

  test("of a Certificate leave out the Secret it makes itself", () => {
    expect(references(object("Certificate", "web", { spec: { secretName: "web-tls" } }))).toEqual(["Namespace/forge"]);
  });

  test("of backups name their bucket", () => {
    const spec = { configuration: { destinationPath: "s3://backups-team-a1/" } };
    expect(references(object("ObjectStore", "db-backup", { spec }))).toContain("Bucket/backups-team-a1");
  });
});

describe("inOrder", () => {
  const planned = (kind: string, name: string, content: object = {}, rest: Partial<PlannedObject> = {}) => ({
    object: object(kind, name, content),
    ...rest,
  });
  const order = (...objects: PlannedObject[]) => inOrder(joinPlans({ objects }));

  test("puts an object after what it names", () => {
    const web = planned("Deployment", "web", { volumes: [{ persistentVolumeClaim: { claimName: "data" } }] });
    const ordered = order(web, planned("PersistentVolumeClaim", "data"));
    expect(ordered.map(({ planned: { object } }) => objectId(object))).toEqual([
      "PersistentVolumeClaim/data",
      "Deployment/web",
    ]);
    expect(ordered[1]?.dependsOn).toEqual(["PersistentVolumeClaim/data"]);
  });

  test("places each object once, however many come after it and those before", () => {
    const steps = Array.from({ length: 60 }, (_, index) =>
      planned(
        "ConfigMap",
        `${index}`,
        {},
        { after: [1, 2].flatMap((by) => (by > index ? [] : [`ConfigMap/${index - by}`])) },
      ),
    );
    const names = order(...steps.toReversed()).map(({ planned: { object } }) => Number(object.metadata.name));
    expect(names).toEqual(Array.from({ length: 60 }, (_, index) => index));
  });

  test("who names a Secret waits for the object whose controller makes it", () => {
    const route = planned("IngressRoute", "web", { spec: { tls: { secretName: "web-tls" } } });
    const certificate = planned("Certificate", "web", { spec: { secretName: "web-tls" } });
    const external = planned("ExternalSecret", "keys", { spec: { target: { name: "keys" } } });
    const job = planned("Job", "job", { env: [{ secretKeyRef: { name: "keys" } }] });
    const ordered = order(route, job, certificate, external);
    const dependsOn = Object.fromEntries(
      ordered.map(({ planned: { object }, dependsOn }) => [objectId(object), dependsOn]),
    );
    expect(dependsOn["IngressRoute/web"]).toEqual(["Certificate/web"]);
    expect(dependsOn["Job/job"]).toEqual(["ExternalSecret/keys"]);
  });

  test("explicit order counts, and what is outside the plan does not", () => {
    const first = planned("Job", "first", { serviceAccountName: "elsewhere" });
    const second = planned("Job", "second", {}, { after: ["Job/first"] });
    expect(order(second, first).map(({ dependsOn }) => dependsOn)).toEqual([[], ["Job/first"]]);
  });

  test("an unknown predecessor, a double and a circle are refused", () => {
    expect(() => order(planned("Job", "a", {}, { after: ["Job/b"] }))).toThrow("Job/a comes after Job/b");
    expect(() => order(planned("Job", "a"), planned("Job", "a"))).toThrow("The plan has Job/a twice");
    expect(() =>
      order(planned("Job", "a", {}, { after: ["Job/b"] }), planned("Job", "b", {}, { after: ["Job/a"] })),
    ).toThrow("Job/a → Job/b → Job/a");
  });
});
