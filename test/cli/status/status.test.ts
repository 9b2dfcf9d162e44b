import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { statusScreen } from "@hearth-platform/cli/status/report";
import { StatusOutput } from "@hearth-platform/cli/status/schema";
import { describe, expect, it } from "vitest";
import { committedStack, type StackFiles, withSettings } from "../../support/stack-files.ts";
import { ago, faultsOf, LiveWorld } from "./world.ts";

/** A world with room on its volumes. */
function soundWorld(files?: StackFiles): LiveWorld {
  const world = new LiveWorld(files);
  world.volumes.push({
    namespace: "platform",
    name: "data-keystore-0",
    usedBytes: 2 ** 30,
    capacityBytes: 10 * 2 ** 30,
  });
  return world;
}

describe("a stack that stands as its settings say", () => {
  it("is sound, and nothing but what is fine is said of it", async () => {
    const report = await soundWorld().report();
    expect(report.sound).toBe(true);
    expect(StatusOutput.parse(report)).toEqual(report);
    expect(report.checks.map(({ status, subject }) => `${status} ${subject}`)).toMatchInlineSnapshot(`
      [
        "ok platform-db",
        "ok platform-keystore",
        "ok forge",
        "ok hub",
        "ok cloud",
        "ok cloud-db",
        "ok cloud-keystore",
        "ok site-webhook",
        "ok copies",
        "ok settings",
        "ok certificates",
        "ok Secrets",
        "ok volumes",
        "ok backup of platform/forge-db",
        "ok backup of cloud/cloudsuite-db",
        "ok platform/forge-backup",
        "ok platform/hub-key-backup",
        "ok cloud/cloudsuite-cron",
        "ok cloud/cloudsuite-config-backup",
        "ok copies/copy-platform",
        "ok copies/copy-cloud",
        "ok platform/forge-db-drill",
        "ok cloud/cloudsuite-db-drill",
        "ok recovery kit",
      ]
    `);
  });

  it("fits on a screen of 100 columns", async () => {
    const lines = statusScreen(await soundWorld().report()).split("\n");
    expect(lines[0]).toBe("Stack prod at https://10.0.0.1:6443, 2026-11-25 12:00 UTC");
    expect(lines.at(-2)).toBe("Stack prod is sound.");
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines.length).toBeLessThan(45);
  });

  it("tells versions with their ends, pods and the age of backups in words and numbers", async () => {
    const { components, checks } = await soundWorld().report();
    const forge = components.find(({ name }) => name === "forge");
    expect(forge?.workloads.find(({ name }) => name === "forge-webservice")).toMatchObject({
      ...{ kind: "Deployment", state: "present", ready: 2, wanted: 2, restarts: 0 },
      program: { title: "GitLab", version: "19.4.3", fixesUntil: "2026-12-17" },
    });
    expect(checks.find(({ subject }) => subject === "platform-db")?.message).toBe(
      "PostgreSQL 17.11 (fixes until 2029-11-08), PgBouncer 1.25.2; 4 of 4 pods ready, no restarts; primary forge-db-1.",
    );
    expect(checks.find(({ subject }) => subject === "backup of platform/forge-db")).toMatchObject({
      message: "The last ended 9 hours ago; its size can't be seen with your keys.",
      numbers: { hours: 9 },
    });
    expect(checks.find(({ code }) => code === "certificate-ends")?.numbers).toEqual({ days: 60, certificates: 8 });
  });
});

const broken: readonly (readonly [string, (world: LiveWorld) => void, RegExp])[] = [
  [
    "a Deployment scaled to none",
    (world) => Object.assign(world.one("Deployment", "hub-core"), { spec: { replicas: 0 }, status: {} }),
    /^problem hub: Deployment platform\/hub-core is scaled to 0/,
  ],
  [
    "a Deployment without a ready pod",
    (world) => {
      world.one("Deployment", "forge-webservice").status = {};
    },
    /^problem forge: Deployment platform\/forge-webservice has no ready pod\./,
  ],
  [
    "a Deployment that is gone",
    (world) => world.remove("Deployment", "site-webhook"),
    /^problem site-webhook: Nothing of it is in the cluster\.$/,
  ],
  [
    "a database without its standby",
    (world) => {
      world.one("Cluster", "forge-db").status.readyInstances = 1;
    },
    /^warning platform-db: Cluster platform\/forge-db has 1 of 2 pods ready\./,
  ],
  [
    "a database that its operator can't go on with",
    (world) => {
      const { status } = world.one("Cluster", "forge-db");
      Object.assign(status, { readyInstances: 0, phase: "Setting up primary", phaseReason: "Waiting for a secret" });
    },
    /^problem platform-db: Cluster platform\/forge-db: Setting up primary \(Waiting for a secret\)\./,
  ],
  [
    "a database that is fenced",
    (world) => {
      world.one("Cluster", "forge-db").metadata.annotations = { "cnpg.io/fencedInstances": '["*"]' };
    },
    /^warning platform-db: Cluster platform\/forge-db: Fenced: \["\*"\]\./,
  ],
  [
    "an image of another version",
    (world) => {
      world.one("Deployment", "hub-core").spec.template.spec.containers[0].image = "goharbor/harbor-core:v2.12.4";
    },
    /^warning Deployment platform\/hub-core: It runs goharbor\/harbor-core:v2\.12\.4, and the settings say .*v2\.15\.2\.$/,
  ],
  [
    "a version without fixes",
    (world) => {
      world.one("Deployment", "hub-core").spec.template.spec.containers[0].image = "goharbor/harbor-core:v2.12.4";
    },
    /^warning Harbor: Harbor 2\.12 has had no fixes since 2026-03-20\./,
  ],
  [
    "fewer pods than the settings ask for",
    (world) =>
      Object.assign(world.one("Deployment", "forge-webservice"), {
        spec: { replicas: 1 },
        status: { readyReplicas: 1 },
      }),
    /^warning Deployment platform\/forge-webservice: It has 1 pods, and the settings say 2\.$/,
  ],
  [
    "a certificate that has ended",
    (world) => {
      world.one("Certificate", "hub-tls").status.notAfter = ago.hours(24 * 3);
    },
    /^problem certificate platform\/hub-tls: It ended 3 days ago\./,
  ],
  [
    "a certificate that is not renewed",
    (world) => {
      world.one("Certificate", "hub-tls").status.notAfter = ago.hours(-24 * 10);
    },
    /^warning certificate platform\/hub-tls: It ends in 10 days\./,
  ],
  [
    "a certificate of the database operator's that ends",
    (world) => {
      world.one("Cluster", "forge-db").status.certificates.expirations["forge-db-ca"] = "2026-11-27 12:00:00 +0000 UTC";
    },
    /^warning certificate platform\/forge-db-ca: It ends in 2 days\./,
  ],
  [
    "a certificate that is gone",
    (world) => world.remove("Certificate", "hub-tls"),
    /^problem certificate platform\/hub-tls: It is not in the cluster/,
  ],
  [
    "a Secret that is gone",
    (world) => world.remove("Secret", "hub-csrf-key"),
    /^problem Secret platform\/hub-csrf-key: It is not in the cluster\./,
  ],
  [
    "a Deployment of several that is gone",
    (world) => world.remove("Deployment", "hub-portal"),
    /^problem hub: Deployment platform\/hub-portal is not in the cluster\. Harbor 2\.15\.2; 7 of 9 pods ready/,
  ],
  [
    "several Secrets that are gone",
    (world) => ["hub-csrf-key", "hub-admin"].forEach((name) => void world.remove("Secret", name)),
    /^problem 2 Secrets: These are not in the cluster: platform\/hub-csrf-key, platform\/hub-admin\. Pods that start now wait\.$/,
  ],
  [
    "a Secret that the store does not give",
    (world) => {
      const conditions = [{ type: "Ready", status: "False", message: "key not found" }];
      world.one("ExternalSecret", "hub-admin").status = { conditions };
    },
    /^problem Secret platform\/hub-admin: The secret store does not provide it: key not found\./,
  ],
  [
    "a Secret that nobody syncs",
    (world) => {
      world.one("ExternalSecret", "hub-admin").status = {};
    },
    /^warning Secret platform\/hub-admin: It is not synced yet\./,
  ],
  [
    "a volume that is nearly full",
    ({ volumes }) =>
      volumes.push({ namespace: "platform", name: "data-keystore-0", usedBytes: 96, capacityBytes: 100 }),
    /^problem volume platform\/data-keystore-0: 96 % of 100 bytes are used\./,
  ],
  [
    "a volume that fills",
    ({ volumes }) =>
      volumes.push({ namespace: "platform", name: "data-keystore-0", usedBytes: 85, capacityBytes: 100 }),
    /^warning volume platform\/data-keystore-0: 85 % of 100 bytes are used\./,
  ],
  [
    "a backup that is too old",
    (world) => {
      world.one("Backup", "forge-db-1").status.stoppedAt = ago.hours(50);
    },
    /^problem backup of platform\/forge-db: The last ended 2 days ago/,
  ],
  [
    "no backup",
    (world) => world.remove("Backup", "forge-db-1"),
    /^problem backup of platform\/forge-db: There is none\.$/,
  ],
  [
    "a backup that failed after one that did not",
    (world) => {
      const failed = structuredClone(world.one("Backup", "forge-db-1"));
      failed.status = { phase: "failed", startedAt: ago.hours(1), error: "no space" };
      world.objects.push({ ...failed, metadata: { ...failed.metadata, name: "forge-db-2" } });
    },
    /^problem backup of platform\/forge-db: The newest failed: no space The last ended 9 hours ago/,
  ],
  [
    "a log that is not archived",
    (world) => {
      const conditions = [{ type: "ContinuousArchiving", status: "False", message: "access denied" }];
      world.one("Cluster", "forge-db").status.conditions = conditions;
    },
    /^problem backup of platform\/forge-db: The write-ahead log is not archived: access denied$/,
  ],
  [
    "a schedule of backups that is suspended",
    (world) => {
      world.one("ScheduledBackup", "forge-db").spec.suspend = true;
    },
    /^warning backup of platform\/forge-db: Its schedule is suspended\./,
  ],
  [
    "an archive of the forge that failed",
    (world) => {
      world.one("CronJob", "forge-backup").status = {
        lastScheduleTime: ago.hours(2),
        lastSuccessfulTime: ago.hours(26),
      };
    },
    /^problem platform\/forge-backup: The CronJob last ended well 26 hours ago, and the last run failed\.$/,
  ],
  [
    "a CronJob that has not run",
    (world) => {
      world.one("CronJob", "forge-backup").status = {
        lastScheduleTime: ago.hours(74),
        lastSuccessfulTime: ago.hours(73),
      };
    },
    /^problem platform\/forge-backup: The CronJob last ended well 3 days ago\.$/,
  ],
  [
    "a suite's cron that stands still",
    (world) => {
      world.one("CronJob", "cloudsuite-cron").status = {
        lastScheduleTime: ago.hours(3),
        lastSuccessfulTime: ago.hours(3),
      };
    },
    /^problem cloud\/cloudsuite-cron: The CronJob last ended well 3 hours ago\.$/,
  ],
  [
    "a CronJob that is suspended",
    (world) => {
      world.one("CronJob", "forge-backup").spec.suspend = true;
    },
    /^warning platform\/forge-backup: The CronJob is suspended\.$/,
  ],
];

describe("a stack with", () => {
  it.each(broken)("%s is told of it", async (_, spoil, says) => {
    const world = soundWorld();
    spoil(world);
    const report = await world.report();
    const faults = faultsOf(report);
    expect(faults).toContainEqual(expect.stringMatching(says));
    expect(report.sound).toBe(!faults.some((each) => each.startsWith("problem")));
    expect(StatusOutput.parse(JSON.parse(JSON.stringify(report))), "the form of its schema").toEqual(report);
  });

  it("a CronJob that was made just now waits for its first run", async () => {
    const world = soundWorld();
    const job = world.one("CronJob", "forge-backup");
    job.status = {};
    Object.assign(job.metadata, { creationTimestamp: ago.hours(1) });
    expect(faultsOf(await world.report())).toEqual([]);
  });

  it.each([
    ["0 4 * * 0", 7, 9],
    ["0 4 1 * *", 31, 34],
    ["0 4 1 1 *", 366, 401],
  ])("a CronJob of the schedule %s is late after its own time", async (schedule, soon, late) => {
    const world = soundWorld();
    const job = world.one("CronJob", "forge-backup");
    job.spec.schedule = schedule;
    const endedBefore = async (days: number) => {
      job.status = { lastScheduleTime: ago.hours(days * 24 + 1), lastSuccessfulTime: ago.hours(days * 24) };
      return faultsOf(await world.report());
    };
    expect(await endedBefore(soon)).toEqual([]);
    expect(await endedBefore(late)).toEqual([
      `problem platform/forge-backup: The CronJob last ended well ${late} days ago.`,
    ]);
  });

  it("a forge in maintenance has its pods and its archive stopped by the settings, which is sound", async () => {
    const world = soundWorld(withSettings(committedStack("prod"), { "forge.maintenance": true }));
    const { sound, checks } = await world.report();
    expect(checks.find(({ subject }) => subject === "platform/forge-backup")).toMatchObject({
      status: "ok",
      message: "The CronJob is suspended, as the settings say.",
    });
    expect(sound, JSON.stringify(checks.filter(({ status }) => status === "problem"))).toBe(true);
  });

  it("a cron run under way, or one of many that failed, is told nothing of", async () => {
    const world = soundWorld();
    const active = [{ kind: "Job", name: "x" }];
    world.one("CronJob", "forge-backup").status = {
      lastScheduleTime: ago.hours(0),
      lastSuccessfulTime: ago.hours(24),
      active,
    };
    world.one("CronJob", "cloudsuite-cron").status = {
      lastScheduleTime: ago.hours(0),
      lastSuccessfulTime: ago.hours(0.5),
    };
    expect(faultsOf(await world.report())).toEqual([]);
  });

  it("restarts counts them, with the last", async () => {
    const world = soundWorld();
    world.objects = world.objects.filter(({ kind }) => kind !== "Pod");
    world.objects.push(world.pod("platform", "keystore", "StatefulSet", 3));
    const { checks } = await world.report();
    const row = checks.find(({ subject }) => subject === "platform-keystore");
    expect(row?.message).toContain("2 of 2 pods ready, 3 restarts, the last 2026-11-25 10:00 UTC.");
    expect(row?.numbers).toEqual({ readyPods: 2, wantedPods: 2, restarts: 3 });
  });
});

it("a cluster that has nothing of the stack is told so, and nothing else is", async () => {
  const world = soundWorld();
  world.objects = [];
  expect(faultsOf(await world.report())).toEqual(["problem the stack: Nothing of it is in this cluster."]);
});

it("Secrets that the caller may not list are unknown also where another one is not synced", async () => {
  const world = soundWorld();
  world.closed.add("secrets");
  world.one("ExternalSecret", "hub-admin").status = {};
  const { checks } = await world.report();
  const told = checks
    .filter(({ code }) => code === "stack-secrets")
    .map(({ status, message }) => `${status}: ${message}`);
  expect(told).toEqual([
    "warning: It is not synced yet.",
    expect.stringMatching(/^unknown: You may not list those of /),
  ]);
});

it("what the caller may not read is unknown, and breaks nothing", async () => {
  const world = soundWorld();
  for (const each of ["deployments", "backups", "cronjobs", "secrets", "nodes"]) world.closed.add(each);
  const report = await world.report();
  expect(report.sound).toBe(true);
  const unknown = report.checks.filter(({ status }) => status === "unknown").map(({ code }) => code);
  expect(new Set(unknown)).toEqual(
    new Set(["components", "drift", "backups", "kit", "scheduled-jobs", "stack-secrets", "volumes"]),
  );
});

describe("firing alerts", () => {
  const alert = (labels: object, state = "firing") => ({
    labels,
    annotations: { summary: "It is down." },
    state,
    activeAt: "2026-11-25T11:30:00.123Z",
  });

  async function withPrometheus(answer: unknown, status = 200): Promise<string[]> {
    const server = createServer((request, response) => {
      response.statusCode = request.url === "/api/v1/alerts" ? status : 404;
      response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const world = soundWorld();
    world.prometheus = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      const { checks } = await world.report();
      return checks
        .filter(({ code }) => code === "alerts")
        .map(({ status, subject, message }) => `${status} ${subject}: ${message}`);
    } finally {
      server.close();
    }
  }

  it("of the stack's namespaces are told, those that page as problems", async () => {
    const alerts = [
      alert({ alertname: "HearthForgeWebDown", namespace: "platform", severity: "page" }),
      alert({ alertname: "HearthHubErrors", namespace: "platform", severity: "ticket" }, "pending"),
      alert({ alertname: "HearthCertificateExpires", namespace: "cloud", severity: "ticket" }),
      alert({ alertname: "Other", namespace: "monitoring", severity: "page" }),
    ];
    expect(await withPrometheus({ status: "success", data: { alerts } })).toEqual([
      "problem HearthForgeWebDown: page in platform, since 2026-11-25 11:30 UTC. It is down.",
      "warning HearthCertificateExpires: ticket in cloud, since 2026-11-25 11:30 UTC. It is down.",
    ]);
  });

  it("are none where none fires", async () => {
    expect(await withPrometheus({ data: { alerts: [] } })).toEqual([
      "ok alerts: None fires in the stack's namespaces.",
    ]);
  });

  it.each([
    ["answers with an error", "no", 503, "answers 503."],
    ["is no Prometheus", { data: {} }, 200, "does not answer as Prometheus does."],
    ["speaks no JSON", "<html>", 200, "can't be asked"],
  ])("are unknown where the server %s", async (_, answer, status, says) => {
    expect(await withPrometheus(answer, status)).toEqual([
      expect.stringMatching(new RegExp(`^unknown alerts: http://127\\.0\\.0\\.1:\\d+/ ${says}`)),
    ]);
  });
});
