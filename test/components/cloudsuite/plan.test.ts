import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { CronJob, Job } from "kubernetes-types/batch/v1.d.ts";
import type { ConfigMap, Container, Namespace, PersistentVolumeClaim, PodSpec } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import type { CloudSuiteArgs } from "../../../components/cloudsuite/args.ts";
import { cloudSuitePlan, planCloudSuite } from "../../../components/cloudsuite/plan.ts";
import type { IngressRoute } from "../../../components/crds/generated/ingress-route.ts";
import { objectId } from "../../../components/plan.ts";
import { inOrder } from "../../../components/references.ts";
import { completeSuite, minimalSuite, onPlatform } from "./suite.ts";

/** What the suite makes itself, without its stores. */
function ownObjects(args: CloudSuiteArgs) {
  const { foundation, application } = planCloudSuite(args);
  return [...foundation.objects, ...application.objects];
}

function ids(args: CloudSuiteArgs): string[] {
  return ownObjects(args).map(({ object }) => objectId(object));
}

function find<T>(args: CloudSuiteArgs, kind: string, name: string | RegExp): T {
  const found = ownObjects(args).find(
    ({ object }) =>
      object.kind === kind &&
      (typeof name === "string" ? object.metadata.name === name : name.test(object.metadata.name)),
  );
  if (!found) throw new Error(`${kind}/${name} is missing; there are ${ids(args).join(", ")}.`);
  return found.object as T;
}

const workloads = {
  web: (args: CloudSuiteArgs) => find<Deployment>(args, "Deployment", "cloudsuite").spec?.template.spec,
  office: (args: CloudSuiteArgs) => find<Deployment>(args, "Deployment", "office").spec?.template.spec,
  whiteboard: (args: CloudSuiteArgs) => find<Deployment>(args, "Deployment", "whiteboard").spec?.template.spec,
  cron: (args: CloudSuiteArgs) =>
    find<CronJob>(args, "CronJob", "cloudsuite-cron").spec?.jobTemplate.spec?.template.spec,
  backup: (args: CloudSuiteArgs) =>
    find<CronJob>(args, "CronJob", "cloudsuite-config-backup").spec?.jobTemplate.spec?.template.spec,
  configure: (args: CloudSuiteArgs) => find<Job>(args, "Job", /^cloudsuite-configure-/).spec?.template.spec,
};
const suitePods = ["web", "cron", "configure"] as const;

function pod(args: CloudSuiteArgs, workload: keyof typeof workloads): PodSpec {
  const spec = workloads[workload](args);
  if (!spec) throw new Error(`${workload} has no pod.`);
  return spec;
}

function container(args: CloudSuiteArgs, workload: keyof typeof workloads): Container {
  const [first] = pod(args, workload).containers;
  if (!first) throw new Error(`${workload} has no container.`);
  return first;
}

function variable(args: CloudSuiteArgs, workload: keyof typeof workloads, name: string) {
  const found = container(args, workload).env?.find((entry) => entry.name === name);
  return found?.value ?? found?.valueFrom?.secretKeyRef;
}

const onShare: CloudSuiteArgs = {
  ...completeSuite,
  storage: { ...completeSuite.storage, storageClass: "smb-csi" },
  replicas: { ...completeSuite.replicas, cloudsuite: 3 },
};

test("a complete suite is these objects, in this order", () => {
  expect(inOrder(cloudSuitePlan(completeSuite)).map(({ planned }) => planned.object)).toMatchSnapshot();
});

test("its Secrets are generated as alphanumerics, so that every image takes them as they are", () => {
  expect(cloudSuitePlan(completeSuite).secrets).toMatchSnapshot();
});

test.each([
  ["complete", completeSuite],
  ["minimal", minimalSuite],
  ["on a network share", onShare],
  ["under maintenance", { ...completeSuite, maintenance: true }],
])("a suite that is %s has every object once, with namespace and labels, in the form that is stored", (_, args) => {
  const plan = cloudSuitePlan(args);
  expect(() => inOrder(plan)).not.toThrow();
  for (const { object } of ownObjects(args)) {
    if (object.kind !== "Namespace") expect(object.metadata.namespace, objectId(object)).toBe("team");
    expect(object.metadata.labels, objectId(object)).toMatchObject({ "app.kubernetes.io/managed-by": "hearth" });
    expect(emptyPaths(object), objectId(object)).toEqual([]);
  }
});

/** Fields the API server would drop, so that every `up` would send them again. */
function emptyPaths(value: unknown, path = ""): string[] {
  if (value === undefined || value === null || value === "") return [path];
  if (typeof value !== "object") return [];
  const entries = Object.entries(value);
  // An emptyDir without settings is stored as it is; a pod without annotations has none either way.
  if (entries.length === 0) return /\.(emptyDir|annotations)$/.test(path) ? [] : [path];
  return entries.flatMap(([key, child]) => emptyPaths(child, `${path}.${key}`));
}

describe("namespace", () => {
  const level = (args: CloudSuiteArgs) =>
    find<Namespace>(args, "Namespace", "team").metadata?.labels?.["pod-security.kubernetes.io/enforce"];

  test("keeps every pod restricted without office, and baseline with it", () => {
    expect(level(minimalSuite)).toBe("restricted");
    expect(level(completeSuite)).toBe("baseline");
  });
});

describe("pods that run the suite's PHP", () => {
  test.each(suitePods.slice(1))("%s has what the web has: image, configuration, volumes, environment", (workload) => {
    const web = container(completeSuite, "web");
    const other = container(completeSuite, workload);
    expect(other.image).toBe(web.image);
    for (const mount of other.volumeMounts ?? [])
      if (mount.name !== "apps") expect(web.volumeMounts).toContainEqual(mount);
    const extra = /^(APPS_|SETTINGS|WHITEBOARD_|OFFICE_)/;
    for (const entry of other.env ?? []) if (!extra.test(entry.name)) expect(web.env).toContainEqual(entry);
    const names = (other.env ?? []).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["NC_dbhost", "NC_dbpassword", "KEYSTORE_PASSWORD", "AWS_SECRET_ACCESS_KEY"]),
    );
  });

  test("run as www-data on a read-only root, under the restricted profile", () => {
    for (const workload of suitePods) {
      expect(pod(completeSuite, workload).securityContext).toMatchObject({
        runAsUser: 33,
        runAsNonRoot: true,
        fsGroup: 33,
      });
      expect(container(completeSuite, workload).securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  test("only the web knows the administrator's password", () => {
    expect(variable(completeSuite, "web", "NEXTCLOUD_ADMIN_PASSWORD")).toEqual({
      name: "cloudsuite-admin",
      key: "password",
    });
    for (const workload of ["cron", "configure"] as const)
      expect(variable(completeSuite, workload, "NEXTCLOUD_ADMIN_PASSWORD")).toBeUndefined();
  });

  test("share the node of the web where its volume has one writer, and no node where it has many", () => {
    const affinity = {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          expect.objectContaining({ topologyKey: "kubernetes.io/hostname" }),
        ],
      },
    };
    for (const workload of ["cron", "configure", "backup"] as const) {
      expect(pod(completeSuite, workload).affinity).toEqual(affinity);
      expect(pod(onShare, workload).affinity).toBeUndefined();
    }
  });
});

describe("web", () => {
  const deployment = (args: CloudSuiteArgs) => find<Deployment>(args, "Deployment", "cloudsuite");

  test("never runs two versions on one volume", () => {
    expect(deployment(completeSuite).spec?.strategy).toEqual({ type: "Recreate" });
  });

  test("has an hour for a first start or an upgrade, and what waits for it has more", () => {
    const { startupProbe } = container(completeSuite, "web");
    const budget = (startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0);
    expect(budget).toBe(3600);
    expect(deployment(completeSuite).spec?.progressDeadlineSeconds).toBeGreaterThan(budget);
    expect(Number(deployment(completeSuite).metadata?.annotations?.["pulumi.com/timeoutSeconds"])).toBeGreaterThan(
      budget,
    );
  });

  test("is ready by what status.php says, not by its answering", () => {
    expect(container(completeSuite, "web").readinessProbe?.exec?.command).toEqual([
      "php",
      "/hearth/ready.php",
      "http://127.0.0.1:80/status.php",
    ]);
  });

  test("listens on port 80 without root", () => {
    expect(pod(completeSuite, "web").securityContext?.sysctls).toEqual([
      { name: "net.ipv4.ip_unprivileged_port_start", value: "0" },
    ]);
  });

  test("prepares the whole volume first, with the image it will run", () => {
    const [prepare] = pod(completeSuite, "web").initContainers ?? [];
    expect(prepare?.command).toEqual(["sh", "/hearth/prepare.sh"]);
    expect(prepare?.image).toBe("docker.io/library/nextcloud:31.0.8-apache");
    expect(prepare?.volumeMounts).toContainEqual({ name: "suite", mountPath: "/volume" });
  });

  test("finishes what an interrupted start left before Apache starts", () => {
    const { volumeMounts } = container(completeSuite, "web");
    expect(volumeMounts?.map(({ mountPath }) => mountPath)).toContain(
      "/docker-entrypoint-hooks.d/before-starting/finish-start.sh",
    );
    const scripts = pod(completeSuite, "web").volumes?.find(({ name }) => name === "scripts");
    expect(scripts?.configMap?.defaultMode).toBe(0o555);
  });

  test("mounts every configuration file where Nextcloud reads it", () => {
    const files = Object.keys(find<ConfigMap>(completeSuite, "ConfigMap", "cloudsuite-config").data ?? {});
    const mounted = container(completeSuite, "web").volumeMounts?.filter(({ name }) => name === "configuration");
    expect(mounted?.map(({ subPath }) => subPath)).toEqual(files);
    expect(files).toHaveLength(7);
  });

  test("is rolled by a change of its configuration, not by one of the office", () => {
    const hash = (args: CloudSuiteArgs) =>
      deployment(args).spec?.template.metadata?.annotations?.["hearth/configuration"];
    expect(hash({ ...completeSuite, domain: "files.example.org" })).not.toBe(hash(completeSuite));
    expect(hash({ ...completeSuite, office: undefined })).toBe(hash(completeSuite));
  });

  test("is rolled by a raised revision of a Secret it reads", () => {
    const raised = onPlatform(completeSuite, {
      secrets: { ...completeSuite.platform.secrets, revisions: { "keystore-password": 2 } },
    });
    expect(deployment(raised).spec?.template.metadata?.annotations?.["hearth/secret-revisions"]).toBe(
      "keystore-password=2",
    );
  });

  test("scales on a network share only: spread over nodes, one disrupted at a time, many writers", () => {
    expect(deployment(onShare).spec?.replicas).toBe(3);
    expect(pod(onShare, "web").topologySpreadConstraints).toHaveLength(1);
    expect(ids(onShare)).toContain("PodDisruptionBudget/cloudsuite");
    expect(ids(completeSuite)).not.toContain("PodDisruptionBudget/cloudsuite");
    const claim = (args: CloudSuiteArgs) =>
      find<PersistentVolumeClaim>(args, "PersistentVolumeClaim", "cloudsuite").spec;
    expect(claim(onShare)).toMatchObject({ accessModes: ["ReadWriteMany"], storageClassName: "smb-csi" });
    expect(claim(completeSuite)).toMatchObject({
      accessModes: ["ReadWriteOnce"],
      storageClassName: "replicated-block",
    });
    // PHP takes "0" for false, and the modes of a share are those of its mount.
    expect(variable(onShare, "cron", "NC_check_data_directory_permissions")).toBe("0");
    expect(variable(completeSuite, "cron", "NC_check_data_directory_permissions")).toBeUndefined();
  });

  test("keeps its volume, which has the keys to the data", () => {
    const kept = ownObjects(completeSuite).filter(({ holdsData }) => holdsData);
    expect(kept.map(({ object }) => objectId(object))).toEqual(["Namespace/team", "PersistentVolumeClaim/cloudsuite"]);
  });
});

describe("background jobs", () => {
  test("run every five minutes, one at a time, and never for ever", () => {
    const { spec } = find<CronJob>(completeSuite, "CronJob", "cloudsuite-cron");
    expect(spec).toMatchObject({ schedule: "*/5 * * * *", concurrencyPolicy: "Forbid", suspend: false });
    expect(spec?.jobTemplate.spec?.activeDeadlineSeconds).toBe(3600);
    expect(container(completeSuite, "cron").command).toEqual(["php", "-f", "/var/www/html/cron.php"]);
  });
});

describe("configuration of the apps", () => {
  const settings = (args: CloudSuiteArgs) =>
    JSON.parse(find<ConfigMap>(args, "ConfigMap", "cloudsuite-apps").data?.["apps.json"] ?? "").apps;

  test("comes after web, office and whiteboard", () => {
    const job = ownObjects(completeSuite).find(({ object }) => object.kind === "Job");
    expect(job?.after).toEqual(["Deployment/office", "Deployment/whiteboard", "Deployment/cloudsuite"]);
  });

  test("turns on what is enabled and off what is not", () => {
    expect(variable(completeSuite, "configure", "APPS_ON")).toBe("richdocuments whiteboard");
    expect(variable(completeSuite, "configure", "APPS_OFF")).toBe("onlyoffice");
    expect(variable(minimalSuite, "configure", "APPS_ON")).toBeUndefined();
    expect(variable(minimalSuite, "configure", "APPS_OFF")).toBe("richdocuments onlyoffice whiteboard");
  });

  test("sends Nextcloud to the office inside the cluster and browsers to its public name", () => {
    expect(settings(completeSuite).richdocuments).toEqual({
      wopi_url: "http://office.team.svc:9980",
      public_wopi_url: "https://office.cloud.example.org",
    });
  });

  test("gives the whiteboard's secret by the name of a variable, filled in by the Job", () => {
    expect(settings(completeSuite).whiteboard).toEqual({
      collabBackendUrl: "https://cloud.example.org/whiteboard",
      jwt_secret_key: `\${WHITEBOARD_JWT_SECRET}`,
    });
    const secret = { name: "whiteboard-credentials", key: "jwt-secret" };
    expect(variable(completeSuite, "configure", "WHITEBOARD_JWT_SECRET")).toEqual(secret);
    expect(variable(completeSuite, "whiteboard", "JWT_SECRET_KEY")).toEqual(secret);
  });

  test("is a Job of another name whenever it would do something else, and of the same name otherwise", () => {
    const name = (args: CloudSuiteArgs) => find<Job>(args, "Job", /^cloudsuite-configure-/).metadata?.name;
    expect(name({ ...completeSuite })).toBe(name(completeSuite));
    const newer = { ...completeSuite, versions: { ...completeSuite.versions, cloudsuite: "31.0.9-apache" } };
    expect(name(newer)).not.toBe(name(completeSuite));
    expect(name({ ...completeSuite, whiteboard: undefined })).not.toBe(name(completeSuite));
    expect(name(completeSuite)).toMatch(/^cloudsuite-configure-[0-9a-f]{8}$/);
  });
});

describe("maintenance", () => {
  const closed = { ...completeSuite, maintenance: true };

  test("shows the page, stops the background jobs, and runs no configuration, for which no apps would be loaded", () => {
    expect(variable(closed, "web", "NC_maintenance")).toBe("1");
    expect(variable(completeSuite, "web", "NC_maintenance")).toBeUndefined();
    expect(find<CronJob>(closed, "CronJob", "cloudsuite-cron").spec?.suspend).toBe(true);
    expect(ids(closed).filter((id) => id.startsWith("Job/"))).toEqual([]);
  });
});

describe("office", () => {
  const onlyoffice: CloudSuiteArgs = completeSuite.office
    ? { ...completeSuite, office: { ...completeSuite.office, engine: "onlyoffice" } }
    : completeSuite;

  test("is Collabora with the four capabilities of its document jails, and no root", () => {
    expect(container(completeSuite, "office")).toMatchObject({
      image: "docker.io/collabora/code:25.04.5.1.1",
      securityContext: {
        allowPrivilegeEscalation: true,
        capabilities: { drop: ["ALL"], add: ["CHOWN", "FOWNER", "MKNOD", "SYS_CHROOT"] },
      },
    });
    expect(pod(completeSuite, "office").securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1001 });
    expect(variable(completeSuite, "office", "aliasgroup1")).toBe("https://cloud.example.org:443");
    expect(variable(completeSuite, "office", "server_name")).toBe("office.cloud.example.org");
  });

  test("is OnlyOffice where the settings say so, with its secret shared with the app", () => {
    expect(container(onlyoffice, "office").image).toBe("docker.io/onlyoffice/documentserver:25.04.5.1.1");
    const secret = { name: "office-credentials", key: "jwt-secret" };
    expect(variable(onlyoffice, "office", "JWT_SECRET")).toEqual(secret);
    expect(variable(onlyoffice, "configure", "OFFICE_JWT_SECRET")).toEqual(secret);
    expect(variable(onlyoffice, "configure", "APPS_ON")).toBe("onlyoffice whiteboard");
    for (const { object } of ownObjects(onlyoffice)) expect(emptyPaths(object), objectId(object)).toEqual([]);
  });

  test("leaves its administration unreachable from outside", () => {
    const rule = (args: CloudSuiteArgs) => find<IngressRoute>(args, "IngressRoute", "office").spec.routes[0]?.match;
    expect(rule(completeSuite)).toBe(
      "Host(`office.cloud.example.org`) && !(PathRegexp(`^/browser/[^/]+/admin/`) || PathPrefix(`/cool/adminws`) || PathPrefix(`/cool/getMetrics`))",
    );
    expect(rule(onlyoffice)).toContain("!(PathPrefix(`/info`)");
  });

  test("and whiteboard leave no trace where they are off", () => {
    const found = JSON.stringify(ownObjects(minimalSuite).map(({ object }) => [object.kind, object.metadata]));
    expect(found).not.toMatch(/office|whiteboard/);
    expect(planCloudSuite(minimalSuite).foundation.secrets.map(({ name }) => name)).toEqual(["cloudsuite-admin"]);
  });
});

describe("routes", () => {
  const routes = (name: string, args = completeSuite) => find<IngressRoute>(args, "IngressRoute", name).spec;

  test("send the domain to the web and /whiteboard, without that prefix, to the whiteboard", () => {
    expect(routes("cloudsuite")).toMatchObject({
      entryPoints: ["websecure"],
      tls: { secretName: "cloudsuite-tls" },
      routes: [
        { match: "Host(`cloud.example.org`)", services: [{ name: "cloudsuite", port: 80 }] },
        {
          match: "Host(`cloud.example.org`) && (Path(`/whiteboard`) || PathPrefix(`/whiteboard/`))",
          middlewares: [{ name: "cloudsuite-strict-transport" }, { name: "whiteboard-prefix" }],
          services: [{ name: "whiteboard", port: 3002 }],
        },
      ],
    });
  });

  test("send HTTP to HTTPS, calendars and contacts to where Nextcloud has them, and ask for HTTPS from then on", () => {
    expect(routes("cloudsuite-to-https")).toMatchObject({
      entryPoints: ["web"],
      routes: [{ match: "Host(`cloud.example.org`) || Host(`office.cloud.example.org`)" }],
    });
    const middleware = (name: string) => find<{ spec: object }>(completeSuite, "Middleware", name).spec;
    expect(middleware("cloudsuite-strict-transport")).toEqual({ headers: { stsSeconds: 15552000 } });
    expect(middleware("cloudsuite-dav-redirect")).toEqual({
      redirectRegex: {
        regex: "^https://([^/]+)/\\.well-known/(?:card|cal)dav/?$",
        replacement: "https://$1/remote.php/dav/",
        permanent: true,
      },
    });
  });

  test("use the entry points of the settings", () => {
    const args = onPlatform(completeSuite, {
      ingress: { clusterIssuer: "internal", entryPoint: "https", httpEntryPoint: "http" },
    });
    expect(routes("cloudsuite", args).entryPoints).toEqual(["https"]);
    expect(routes("cloudsuite-to-https", args).entryPoints).toEqual(["http"]);
    expect(find<{ spec: object }>(args, "Certificate", "office-tls").spec).toEqual({
      secretName: "office-tls",
      dnsNames: ["office.cloud.example.org"],
      issuerRef: { name: "internal", kind: "ClusterIssuer" },
    });
  });
});

describe("stores", () => {
  test("are the suite's own: a database with backups in its bucket, a keystore as cache, both buckets", () => {
    const { database, keystore, objectStorage } = planCloudSuite(completeSuite);
    expect(database).toMatchObject({
      name: "cloudsuite-db",
      version: "16",
      database: "cloudsuite",
      instances: 2,
      storageSize: "10Gi",
      backup: { bucket: "backups-team-a1b2", credentials: "object-store" },
    });
    expect(keystore).toMatchObject({ use: "cache", version: "8.1.4-alpine", storageSize: "5Gi" });
    expect(objectStorage?.buckets).toEqual([{ name: "data-team-a1b2" }, { name: "backups-team-a1b2" }]);
  });

  test("have a pool for every request the web can serve at once", () => {
    expect(planCloudSuite(completeSuite).database?.clients).toEqual([
      { name: "cloudsuite", connections: 32 },
      { name: "cloudsuite-cron", connections: 10 },
    ]);
    expect(planCloudSuite(onShare).database?.clients[0]?.connections).toBe(96);
  });

  test("can be existing ones, of which nothing is made", () => {
    const password = { name: "external", key: "password" };
    const args: CloudSuiteArgs = {
      ...completeSuite,
      database: { host: "pg.example.org", port: 6432, database: "team", user: "team", password },
      keystore: { host: "redis.example.org", port: 6380, password },
      existingBuckets: true,
    };
    expect(planCloudSuite(args)).toMatchObject({ database: undefined, keystore: undefined, objectStorage: undefined });
    expect(cloudSuitePlan(args).buckets).toEqual([]);
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
    expect(() => planCloudSuite(onPlatform(completeSuite, { secrets: undefined }))).toThrow(
      "Secret team/cloudsuite-s3-credentials can't be generated",
    );
  });
});

describe("what operators of a cluster expect", () => {
  const args = onPlatform(completeSuite, {
    images: { mirrors: { "docker.io": "mirror.example.org" }, pullSecrets: ["pull"] },
    privateCa: { configMap: "company-ca" },
    workload: { tolerations: [{ key: "dedicated", operator: "Exists" }] },
    workloads: { "cloudsuite-cron": { priorityClassName: "low" } },
  });
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
    expect(pod(completeSuite, "cron").initContainers).toBeUndefined();
  });
});
