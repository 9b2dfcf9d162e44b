import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuiteComponent } from "@hearth-platform/hearth/cloudsuite/component";
import { ownStores } from "@hearth-platform/hearth/cloudsuite/stores";
import { innerComponents, planOf } from "@hearth-platform/hearth/core/component";
import { objectId } from "@hearth-platform/hearth/core/plan";
import { inOrder } from "@hearth-platform/hearth/core/references";
import type { ConfigMap, Namespace } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import { container, emptyPaths, find, ownObjects, ownPlan, pod, suitePods, variable, workloads } from "./objects.ts";
import { completeSuite, minimalSuite, onPlatform, sharedSuite } from "./suite.ts";

test("what a complete suite makes itself is these objects, in this order", () => {
  const ids = inOrder(ownPlan(completeSuite)).map(({ planned }) => objectId(planned.object));
  const withoutHash = ids.map((id) => id.replace(/-[0-9a-f]{8}$/, "-HASH"));
  expect(withoutHash).toMatchInlineSnapshot(`
    [
      "Namespace/team",
      "NetworkPolicy/default-deny",
      "NetworkPolicy/allow-keystore",
      "NetworkPolicy/allow-keystore-exporter",
      "NetworkPolicy/allow-cloudsuite-db-pooler",
      "NetworkPolicy/allow-database-instances",
      "NetworkPolicy/allow-all",
      "NetworkPolicy/allow-certificate-solver",
      "NetworkPolicy/allow-cloudsuite",
      "NetworkPolicy/allow-nextcloud",
      "NetworkPolicy/allow-cloudsuite-config-backup",
      "NetworkPolicy/allow-office",
      "NetworkPolicy/allow-whiteboard",
      "Certificate/cloudsuite-tls",
      "Certificate/office-tls",
      "ConfigMap/cloudsuite-config",
      "ConfigMap/cloudsuite-scripts",
      "PersistentVolumeClaim/cloudsuite",
      "Deployment/cloudsuite",
      "Service/cloudsuite",
      "Deployment/office",
      "Service/office",
      "PodMonitor/office",
      "Deployment/whiteboard",
      "Service/whiteboard",
      "Middleware/cloudsuite-strict-transport",
      "Middleware/cloudsuite-dav-redirect",
      "Middleware/whiteboard-prefix",
      "Middleware/cloudsuite-to-https",
      "IngressRoute/cloudsuite",
      "IngressRoute/office",
      "IngressRoute/cloudsuite-to-https",
      "ConfigMap/cloudsuite-apps",
      "Job/cloudsuite-configure-HASH",
      "CronJob/cloudsuite-cron",
      "CronJob/cloudsuite-config-backup",
      "PrometheusRule/cloudsuite-alerts",
    ]
  `);
});

test("its Secrets are generated as alphanumerics, so that every image takes them as they are", () => {
  expect(ownPlan(completeSuite).secrets).toMatchInlineSnapshot(`
    [
      {
        "data": {
          "password": {
            "password": 32,
          },
          "username": {
            "value": "admin",
          },
        },
        "name": "cloudsuite-admin",
        "namespace": "team",
        "neverChanges": true,
        "revision": 0,
      },
      {
        "data": {
          "password": {
            "password": 32,
          },
          "proof_key": {
            "form": "pem",
            "privateKey": "RSA",
          },
          "proof_key.pub": {
            "publicKeyOf": "proof_key",
          },
          "username": {
            "value": "admin",
          },
        },
        "name": "office-credentials",
        "namespace": "team",
        "revision": 0,
      },
      {
        "data": {
          "jwt-secret": {
            "password": 48,
          },
        },
        "name": "whiteboard-credentials",
        "namespace": "team",
        "revision": 0,
      },
    ]
  `);
});

test.each([
  ["complete", completeSuite],
  ["minimal", minimalSuite],
  ["on a network share", sharedSuite],
  ["under maintenance", { ...completeSuite, maintenance: true }],
])("a suite that is %s has every object once, with namespace and labels, in the form that is stored", (_, args) => {
  const plan = planOf({ component: cloudSuiteComponent, args });
  expect(() => inOrder(plan)).not.toThrow();
  for (const { object } of ownObjects(args)) {
    if (object.kind !== "Namespace") expect(object.metadata.namespace, objectId(object)).toBe("team");
    expect(object.metadata.labels, objectId(object)).toMatchObject({ "app.kubernetes.io/managed-by": "hearth" });
    // Selectors of all are empty where they are stored, too.
    const empty = emptyPaths(object).filter((path) => !/\.(podSelector|namespaceSelector)$/.test(path));
    expect(empty, objectId(object)).toEqual([]);
  }
});

describe("namespace", () => {
  const level = (args: CloudSuiteArgs) =>
    find<Namespace>(args, "Namespace", "team").metadata?.labels?.["pod-security.kubernetes.io/enforce"];

  test("keeps every pod restricted without office, and baseline with it", () => {
    expect(level(minimalSuite)).toBe("restricted");
    expect(level(completeSuite)).toBe("baseline");
  });
});

describe("stores", () => {
  test("are the suite's own: a database with backups in its bucket, a keystore as cache, both buckets", () => {
    const { database, keystore, objectStorage } = ownStores(completeSuite);
    expect(database).toMatchObject({
      name: "cloudsuite-db",
      version: "16",
      database: "cloudsuite",
      instances: 2,
      storageSize: "10Gi",
      backup: { bucket: "backups-team-a1b2", credentials: "object-store" },
    });
    expect(keystore).toMatchObject({ use: "cache", version: "8.1.4-alpine", storageSize: "5Gi" });
    expect(objectStorage?.buckets).toEqual([
      { name: "data-team-a1b2" },
      { name: "backups-team-a1b2", versioning: false },
    ]);
  });

  test("have a pool for every request the web can serve at once", () => {
    expect(ownStores(completeSuite).database?.clients).toEqual([
      { name: "cloudsuite", connections: 32 },
      { name: "cloudsuite-cron", connections: 10 },
    ]);
    expect(ownStores(sharedSuite).database?.clients[0]?.connections).toBe(96);
  });

  test("are given what the suite was given: defaults of their own would be in the state", () => {
    const args = {
      ...completeSuite,
      recover: { suffix: "r1" },
      objectStorage: {},
      platform: { ...completeSuite.platform, privateCa: { configMap: "authority" } },
    };
    const [storage, database, keystore] = innerComponents("team", cloudSuiteComponent.stages(args)).map(
      (inner) => inner.args,
    );
    expect([storage, database, keystore].map((store) => (store as CloudSuiteArgs).platform)).toEqual(
      [1, 2, 3].map(() => args.platform),
    );
    expect(storage).toMatchObject({ settings: args.objectStorage });
    expect(database).toHaveProperty("recover", args.recover);
    expect(database).not.toHaveProperty("backup.schedule");
    expect(keystore).not.toHaveProperty("password");
  });

  test("can be existing ones, of which nothing is made", () => {
    const password = { name: "external", key: "password" };
    const args: CloudSuiteArgs = {
      ...completeSuite,
      database: { host: "pg.example.org", port: 6432, database: "team", user: "team", password },
      keystore: { host: "redis.example.org", port: 6380, password },
      existingBuckets: true,
    };
    expect(ownStores(args)).toMatchObject({ database: undefined, keystore: undefined, objectStorage: undefined });
    expect(planOf({ component: cloudSuiteComponent, args }).buckets).toEqual([]);
    expect(variable(args, "cron", "NC_dbhost")).toBe("pg.example.org:6432");
    expect(variable(args, "cron", "NC_dbpassword")).toEqual(password);
    expect(variable(args, "cron", "KEYSTORE_PASSWORD")).toEqual(password);
    expect(find<ConfigMap>(args, "ConfigMap", "cloudsuite-config").data?.["cache.config.php"]).toContain(
      "'port' => 6380",
    );
  });
});

describe("secrets", () => {
  test("of the object store come from a store of secrets, with the two keys of the specification", () => {
    const args = onPlatform(completeSuite, { secrets: { store: { name: "vault" } } });
    const { spec } = find<{ spec: { data: { secretKey: string }[] } }>(
      args,
      "ExternalSecret",
      "cloudsuite-s3-credentials",
    );
    expect(spec.data.map(({ secretKey }) => secretKey)).toEqual(["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]);
    expect(variable(args, "cron", "AWS_ACCESS_KEY_ID")).toEqual({
      name: "cloudsuite-s3-credentials",
      key: "AWS_ACCESS_KEY_ID",
    });
  });

  test("that can't be generated are asked for by name", () => {
    expect(() => ownPlan(onPlatform(completeSuite, { secrets: undefined }))).toThrow(
      "Secret team/cloudsuite-s3-credentials can't be generated",
    );
  });
});

describe("what operators of a cluster expect", () => {
  const args = onPlatform(
    { ...completeSuite, push: { enabled: true }, previews: { enabled: true } },
    {
      images: { mirrors: { "docker.io": "mirror.example.org" }, pullSecrets: ["pull"] },
      privateCa: { configMap: "company-ca" },
      workload: { tolerations: [{ key: "dedicated", operator: "Exists" }] },
      workloads: { "cloudsuite-cron": { priorityClassName: "low" } },
    },
  );
  const all = Object.keys(workloads) as (keyof typeof workloads)[];

  test("every pod takes its images from the mirror, with the pull secret and the tolerations", () => {
    for (const workload of all) {
      const spec = pod(args, workload);
      for (const { image } of [...spec.containers, ...(spec.initContainers ?? [])])
        expect(image, workload).toMatch(/^(mirror\.example\.org|ghcr\.io)\//);
      expect(spec.imagePullSecrets, workload).toEqual([{ name: "pull" }]);
      expect(spec.tolerations, workload).toEqual([{ key: "dedicated", operator: "Exists" }]);
    }
  });

  test("every container has requests and limits", () => {
    for (const workload of all)
      for (const { resources } of [...pod(args, workload).containers, ...(pod(args, workload).initContainers ?? [])])
        expect(Object.keys(resources ?? {}), workload).toEqual(["requests", "limits"]);
  });

  test("one workload has settings of its own", () => {
    expect(pod(args, "cron").priorityClassName).toBe("low");
    expect(pod(args, "web").priorityClassName).toBeUndefined();
  });

  test("a private authority is trusted beside the public ones", () => {
    for (const workload of suitePods) {
      expect(pod(args, workload).initContainers?.[0]?.name).toBe("trust");
      expect(container(args, workload).volumeMounts).toContainEqual({
        name: "trust",
        mountPath: "/etc/ssl/certs/ca-certificates.crt",
        subPath: "ca-certificates.crt",
        readOnly: true,
      });
    }
    expect(variable(args, "whiteboard", "NODE_EXTRA_CA_CERTS")).toBe("/private-ca/ca.crt");
    expect(container(args, "backup").volumeMounts).toContainEqual({
      name: "private-ca",
      mountPath: "/etc/ssl/certs/private-ca.crt",
      subPath: "ca.crt",
      readOnly: true,
    });
    expect(pod(args, "office").initContainers?.map(({ name }) => name)).toEqual(["trust"]);
    expect(variable(args, "office", "extra_params")).toContain(
      "--o:storage.ssl.ca_file_path=/etc/ssl/certs/ca-certificates.crt",
    );
    expect(variable(completeSuite, "office", "extra_params")).toBe(
      "--o:ssl.enable=false --o:ssl.termination=true --o:fetch_update_check=0 --o:allow_update_popup=false",
    );
    const platform = { ...completeSuite.platform, privacy: { officeUpdateCheck: true } };
    expect(variable({ ...completeSuite, platform }, "office", "extra_params")).not.toContain("update");
    expect(pod(completeSuite, "cron").initContainers).toBeUndefined();
  });
});

test("the domain is the host, in the certificate, trusted by Nextcloud, and where the office takes documents from", () => {
  const suite = { ...completeSuite, domain: "files.example.net" };
  const texts = (kind: string, name: string) => JSON.stringify(find<object>(suite, kind, name));
  expect(texts("IngressRoute", "cloudsuite")).toContain("Host(`files.example.net`)");
  expect(find<{ spec: { dnsNames: string[] } }>(suite, "Certificate", "cloudsuite-tls").spec.dnsNames).toEqual([
    "files.example.net",
  ]);
  expect(find<ConfigMap>(suite, "ConfigMap", "cloudsuite-config").data?.["domain.config.php"]).toMatch(
    /'trusted_domains' => \[\s+'files\.example\.net',/,
  );
  expect(variable(suite, "office", "aliasgroup1")).toBe("https://files.example.net:443");
});
