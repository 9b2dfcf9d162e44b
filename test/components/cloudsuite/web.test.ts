import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuiteProblems } from "@hearth-platform/hearth/cloudsuite/rules";
import { objectId } from "@hearth-platform/hearth/core/plan";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { ConfigMap, PersistentVolumeClaim } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import { container, find, ids, ownObjects, pod, suitePods, variable } from "./objects.ts";
import { completeSuite, onPlatform, sharedSuite } from "./suite.ts";

describe("pods that run the suite's PHP", () => {
  test.each(suitePods.slice(1))("%s has what the web has: image, configuration, volumes, environment", (workload) => {
    const web = container(completeSuite, "web");
    const other = container(completeSuite, workload);
    expect(other.image).toBe(web.image);
    for (const mount of other.volumeMounts ?? [])
      if (mount.name !== "apps") expect(web.volumeMounts).toContainEqual(mount);
    const extra = /^(APPS_|SETTINGS|GIVEN_SECRETS|CONFIG_KEYS|WHITEBOARD_|OFFICE_)/;
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
      expect(pod(sharedSuite, workload).affinity).toBeUndefined();
    }
  });
});

describe("apps that come as an image", () => {
  const args = onPlatform(
    { ...completeSuite, appsImage: "registry.example.org/team/apps:34.0.4-1" },
    { images: { mirrors: { "registry.example.org": "mirror.example.org" } } },
  );

  test.each(suitePods)(
    "are placed in the pod of %s before it starts, and nothing in it can change them",
    (workload) => {
      const placing = pod(args, workload).initContainers?.find(({ name }) => name === "image-apps");
      expect(placing).toMatchObject({
        image: "mirror.example.org/team/apps:34.0.4-1",
        command: ["cp", "-R", "/apps/.", "/copy/"],
        volumeMounts: [{ name: "image-apps", mountPath: "/copy" }],
      });
      expect(container(args, workload).volumeMounts).toContainEqual({
        name: "image-apps",
        mountPath: "/image-apps",
        readOnly: true,
      });
      expect(pod(completeSuite, workload).volumes?.map(({ name }) => name)).not.toContain("image-apps");
    },
  );

  test("are known to Nextcloud beside those of the store, and their files to Apache", () => {
    const file = (name: string, key: string) => find<ConfigMap>(args, "ConfigMap", name).data?.[key];
    expect(file("cloudsuite-config", "apps.config.php")).toMatch(
      /'path' => '\/image-apps',\s+'url' => '\/image-apps',\s+'writable' => false,/,
    );
    expect(container(args, "web").volumeMounts).toContainEqual(
      expect.objectContaining({
        mountPath: "/etc/apache2/conf-enabled/image-apps.conf",
        subPath: "image-apps.conf",
      }),
    );
    expect(file("cloudsuite-scripts", "image-apps.conf")).toContain("Alias /image-apps /image-apps");
  });
});

test("a mirror of the app store is asked instead, also at a private address", () => {
  const url = "https://apps.example.org/api/v1";
  const suite = { ...completeSuite, appStore: { url, privateAddress: true } };
  for (const workload of suitePods) {
    expect(variable(suite, workload, "NC_appstoreurl")).toBe(url);
    expect(variable(suite, workload, "NC_allow_local_remote_servers")).toBe("1");
    expect(variable({ ...suite, appStore: { url } }, workload, "NC_allow_local_remote_servers")).toBeUndefined();
  }
});

test.each([
  ["appStore.url", { appStore: { url: "http://apps.example.org/api/v1" } }],
  ["appStore.url", { appStore: { url: "https://apps.example.org/api/v1/" } }],
  ["appStore.url", { appStore: { url: "https://apps.example.org/api/v1?key=x" } }],
  ["appStore.url", { appStore: { url: "https://user:word@apps.example.org/api/v1" } }],
  ["appsImage", { appsImage: "registry.example.org/team/apps" }],
  ["appsImage", { appsImage: "registry.example.org:5000/team/apps" }],
  ["appsImage", { appsImage: "https://registry.example.org/team/apps:1.0" }],
  ["appsImage", { appsImage: "registry.example.org/Team/apps:1.0" }],
  ["appsImage", { appsImage: "registry.example.org/team/apps:latest" }],
])("%s is refused or warned of in %j", (path, given) => {
  expect(cloudSuiteProblems({ ...completeSuite, ...given }).map((problem) => problem.path)).toEqual([path]);
});

test.each(["registry.example.org:5000/team/apps:34.0.4-1", "apps:1.0"])("%s is an image of apps", (appsImage) => {
  expect(cloudSuiteProblems({ ...completeSuite, appsImage })).toEqual([]);
});

describe("the nightly backup", () => {
  const [before] = pod(completeSuite, "backup").initContainers ?? [];
  const mount = (of: typeof before, volume: string) => of?.volumeMounts?.find(({ name }) => name === volume);

  test("reads the folder of config.php, and no other", () => {
    expect(mount(before, "suite")).toEqual({
      name: "suite",
      mountPath: "/config",
      subPath: "html/config",
      readOnly: true,
    });
    expect(mount(container(completeSuite, "backup"), "suite")).toBeUndefined();
  });

  test("copies what is left of it without the secrets that every pod has from its environment", () => {
    expect(before?.command).toEqual([
      ...["php", "/hearth/without-secrets.php", "/config/config.php", "/copy/config.php"],
      ...["dbpassword", "objectstore.arguments.key", "objectstore.arguments.secret", "redis.password"],
    ]);
    expect(container(completeSuite, "backup").command).toEqual(["sh", "/hearth/copy-configuration.sh"]);
    expect(mount(container(completeSuite, "backup"), "copy")).toMatchObject({ mountPath: "/copy", readOnly: true });
    expect(pod(completeSuite, "backup").volumes).toContainEqual({
      name: "copy",
      emptyDir: { medium: "Memory", sizeLimit: "16Mi" },
    });
  });

  test("leaves nothing out that a pod does not have: neither a keystore's password where it has none, nor that of mail set by hand", () => {
    const mail = { host: "smtp.example.org", from: "team@example.org", user: "team" };
    const left = (args: CloudSuiteArgs) => pod(args, "backup").initContainers?.[0]?.command?.slice(4) ?? [];
    expect(left({ ...completeSuite, keystore: { host: "redis", port: 6379 } })).not.toContain("redis.password");
    expect(left(onPlatform(completeSuite, { mail }))).not.toContain("mail_smtppassword");
    const password = { name: "mail", key: "password" };
    expect(left(onPlatform(completeSuite, { mail: { ...mail, password } }))).toContain("mail_smtppassword");
    expect(
      variable(onPlatform(completeSuite, { mail: { ...mail, password } }), "cron", "NC_mail_smtppassword"),
    ).toEqual(password);
  });

  test("the Job that configures removes the same from config.php, the keystore's password last", () => {
    const left = pod(completeSuite, "backup").initContainers?.[0]?.command?.slice(4) ?? [];
    expect(variable(completeSuite, "configure", "GIVEN_SECRETS")).toBe(left.join(" "));
    expect(left.at(-1)).toBe("redis.password");
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

  test("gets its config.php back first where its database comes from a cluster that is gone, and only there", () => {
    const initContainers = (recover: CloudSuiteArgs["recover"]) =>
      pod({ ...completeSuite, recover }, "web").initContainers?.map(({ name }) => name);
    expect(initContainers({ suffix: "r1", keepSource: false })).toEqual([
      "restore-configuration",
      ...(initContainers(undefined) ?? []),
    ]);
    expect(initContainers({ suffix: "r1" })).toEqual(initContainers(undefined));
  });

  test("trusts your own authority where it gets its config.php back, and has each volume once", () => {
    const privateCa = { configMap: "authority" };
    const platform = { ...completeSuite.platform, privateCa };
    const { volumes = [], initContainers = [] } = pod(
      { ...completeSuite, platform, recover: { suffix: "r1", keepSource: false } },
      "web",
    );
    const names = volumes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const restoring = initContainers.find(({ name }) => name === "restore-configuration");
    expect(restoring?.volumeMounts).toContainEqual(
      expect.objectContaining({ mountPath: "/etc/ssl/certs/private-ca.crt" }),
    );
    for (const { volumeMounts = [] } of initContainers)
      for (const { name } of volumeMounts) expect(names).toContain(name);
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
    expect(deployment(sharedSuite).spec?.replicas).toBe(3);
    expect(pod(sharedSuite, "web").topologySpreadConstraints).toHaveLength(1);
    expect(ids(sharedSuite)).toContain("PodDisruptionBudget/cloudsuite");
    expect(ids(completeSuite)).not.toContain("PodDisruptionBudget/cloudsuite");
    const claim = (args: CloudSuiteArgs) =>
      find<PersistentVolumeClaim>(args, "PersistentVolumeClaim", "cloudsuite").spec;
    expect(claim(sharedSuite)).toMatchObject({ accessModes: ["ReadWriteMany"], storageClassName: "smb-csi" });
    expect(claim(completeSuite)).toMatchObject({
      accessModes: ["ReadWriteOnce"],
      storageClassName: "replicated-block",
    });
    // PHP takes "0" for false, and the modes of a share are those of its mount.
    expect(variable(sharedSuite, "cron", "NC_check_data_directory_permissions")).toBe("0");
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

describe("maintenance", () => {
  const closed = { ...completeSuite, maintenance: true };

  test("shows the page, stops the background jobs, and runs no configuration, for which no apps would be loaded", () => {
    expect(variable(closed, "web", "NC_maintenance")).toBe("1");
    expect(variable(completeSuite, "web", "NC_maintenance")).toBeUndefined();
    expect(find<CronJob>(closed, "CronJob", "cloudsuite-cron").spec?.suspend).toBe(true);
    expect(ids(closed).filter((id) => id.startsWith("Job/"))).toEqual([]);
  });
});
