import { ports } from "@hearth-platform/hearth/catalogue/ports";
import { objectId } from "@hearth-platform/hearth/core/plan";
import type { PodMonitor } from "@hearth-platform/hearth/kubernetes/custom-resources/pod-monitor";
import type { KeystoreArgs } from "@hearth-platform/hearth/stores/keystore/args";
import { keystoreComponent } from "@hearth-platform/hearth/stores/keystore/component";
import type { Deployment, StatefulSet } from "kubernetes-types/apps/v1.d.ts";
import type { PersistentVolumeClaim, Service } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import { planKeystore } from "../../../support/plans.ts";
import { forgeKeystore } from "./keystore.ts";

function object<T>(args: KeystoreArgs, id: string): T {
  const found = planKeystore(args).objects.find((planned) => objectId(planned.object) === id);
  if (!found) throw new Error(`The plan has no ${id}.`);
  return found.object as T;
}
const keystoreConnection = (args: KeystoreArgs) => keystoreComponent.outputs(args, () => undefined).connection;
const pod = (args: KeystoreArgs) => object<StatefulSet>(args, "StatefulSet/keystore").spec?.template.spec;
const annotations = (args: KeystoreArgs) =>
  object<StatefulSet>(args, "StatefulSet/keystore").spec?.template.metadata?.annotations;

describe("a keystore", () => {
  test("is one pod keystore-0 with the specification's resources", () => {
    const { spec } = object<StatefulSet>(forgeKeystore, "StatefulSet/keystore");
    expect(spec?.replicas).toBe(1);
    expect(spec?.volumeClaimTemplates).toBeUndefined();
    expect(spec?.template.spec?.containers[0]?.resources).toEqual({
      requests: { cpu: "50m", memory: "128Mi" },
      limits: { cpu: "200m", memory: "256Mi" },
    });
    expect(spec?.template.spec?.terminationGracePeriodSeconds).toBe(60);
  });

  test("is reached at keystore.<namespace>.svc:6379, the port its pod listens on", () => {
    expect(keystoreConnection(forgeKeystore)).toMatchObject({ host: "keystore.forge.svc", port: 6379 });
    const [port] = object<Service>(forgeKeystore, "Service/keystore").spec?.ports ?? [];
    const [containerPort] = pod(forgeKeystore)?.containers[0]?.ports ?? [];
    expect(port).toMatchObject({ port: ports.keystore, targetPort: containerPort?.name });
    expect(containerPort?.containerPort).toBe(ports.keystore);
  });

  test("has a volume of its own that grows in place: 5Gi of replicated-block unless told, protected", () => {
    const claim = object<PersistentVolumeClaim>(forgeKeystore, "PersistentVolumeClaim/data-keystore-0");
    expect(claim.spec).toMatchObject({
      storageClassName: "replicated-block",
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "5Gi" } },
    });
    const larger = object<PersistentVolumeClaim>(
      { ...forgeKeystore, storageSize: "10240Mi" },
      "PersistentVolumeClaim/data-keystore-0",
    );
    expect(larger.spec?.resources?.requests).toEqual({ storage: "10Gi" });
    const holders = planKeystore(forgeKeystore).objects.filter(({ holdsData }) => holdsData);
    expect(holders.map((planned) => objectId(planned.object))).toEqual(["PersistentVolumeClaim/data-keystore-0"]);
    expect(pod(forgeKeystore)?.volumes).toContainEqual({
      name: "data",
      persistentVolumeClaim: { claimName: "data-keystore-0" },
    });
  });

  test("a change of its configuration or of its password's revision rolls the pod, nothing else does", () => {
    const cache = { ...forgeKeystore, use: "cache" as const };
    const rotated = {
      ...forgeKeystore,
      platform: { ...forgeKeystore.platform, secrets: { revisions: { "keystore-password": 1 } } },
    };
    expect(annotations(cache)).not.toEqual(annotations(forgeKeystore));
    expect(annotations(rotated)).not.toEqual(annotations(forgeKeystore));
    expect(annotations({ ...forgeKeystore, storageSize: "10Gi" })).toEqual(annotations(forgeKeystore));
  });
});

describe("its exporter", () => {
  const exporter = (args: KeystoreArgs) =>
    object<Deployment>(args, "Deployment/keystore-exporter").spec?.template.spec?.containers[0];

  test("asks the keystore by its Service with the password of the same Secret, for nobody but Prometheus", () => {
    expect(exporter(forgeKeystore)?.env).toEqual([
      { name: "REDIS_ADDR", value: "redis://keystore.forge.svc:6379" },
      { name: "REDIS_PASSWORD", valueFrom: { secretKeyRef: { name: "keystore-password", key: "password" } } },
      { name: "REDIS_EXPORTER_WEB_LISTEN_ADDRESS", value: ":9121" },
      { name: "REDIS_EXPORTER_DISABLE_SCRAPE_ENDPOINT", value: "true" },
    ]);
    expect(object<PodMonitor>(forgeKeystore, "PodMonitor/keystore-exporter").spec).toEqual({
      selector: { matchLabels: { "app.kubernetes.io/name": "keystore-exporter" } },
      podMetricsEndpoints: [{ port: exporter(forgeKeystore)?.ports?.[0]?.name }],
    });
  });

  test("is a pod of its own: the keystore's has no other container", () => {
    expect(pod(forgeKeystore)?.containers.map(({ name }) => name)).toEqual(["keystore"]);
    expect(pod(forgeKeystore)?.initContainers).toBeUndefined();
  });

  test("is left out without monitoring, as monitor and rules are", () => {
    const { objects } = planKeystore({ ...forgeKeystore, platform: { ...forgeKeystore.platform, monitoring: false } });
    expect(objects.map((planned) => objectId(planned.object))).toEqual([
      "PersistentVolumeClaim/data-keystore-0",
      "ConfigMap/keystore",
      "Service/keystore",
      "StatefulSet/keystore",
    ]);
  });
});

describe("its password", () => {
  test("is generated, and stands in no ConfigMap, argument or literal", () => {
    const plan = planKeystore(forgeKeystore);
    expect(plan.secrets).toMatchObject([
      {
        name: "keystore-password",
        data: { password: { password: 32 }, "password.conf": { template: "requirepass {password}\n" } },
      },
    ]);
    const [container] = pod(forgeKeystore)?.containers ?? [];
    expect(container?.env?.every(({ value }) => value === undefined)).toBe(true);
    expect(JSON.stringify(plan.objects)).not.toContain("requirepass");
  });

  test("may be in an existing Secret, which pod and clients then use", () => {
    const existing = { "keystore-password": "our-password" };
    const args = { ...forgeKeystore, platform: { ...forgeKeystore.platform, secrets: { existing } } };
    expect(planKeystore(args).secrets).toEqual([]);
    expect(keystoreConnection(args).password).toEqual({ name: "our-password", key: "password" });
    expect(JSON.stringify(pod(args))).toContain('"secretName":"our-password"');
  });

  test("may be left out", () => {
    const args = { ...forgeKeystore, password: false };
    expect(planKeystore(args).secrets).toEqual([]);
    expect(keystoreConnection(args).password).toBeUndefined();
    expect(JSON.stringify(planKeystore(args).objects)).not.toContain("password");
  });
});
