import { beforeAll, describe, expect, it } from "vitest";
import { hearth } from "../support/caller.ts";
import { DevStack, objectsOf, sandbox, serveStorageClasses } from "../support/stack.ts";
import { type Changes, smallStack, withConfig, withSettings } from "../support/stack-files.ts";

/**
 * A stack beyond the specification's sets in the sandbox that the other tests share, on the real engine and through the gate:
 * a suite on PostgreSQL 17, with its buckets in another region, and every volume of forge and suite on another class.
 */

const name = "widened";
const namespace = "beyond";
const suiteNamespace = "far";
const club = "suites/club/config.yaml";
const storageClass = "longhorn";
const reason = (text: string) => ({ reason: text });

const limits = {
  regions: [{ name: "eu-central-1", endpoint: "*.s3.eu-central-1.amazonaws.com", ...reason("The contract is there.") }],
  storageClasses: [{ name: storageClass, multiWriter: false, expandable: true, ...reason("No other block storage.") }],
  databaseMajors: [{ major: 17, ...reason("A plugin needs it.") }],
};

/** What the stack is with these changes of its settings, and of its suite's file. */
function beyond(settings: Changes, config: Changes = {}) {
  return withConfig(
    withSettings(smallStack(), {
      namespace,
      domain: "beyond.example.org",
      limits,
      storageClass,
      objectStorage: {
        endpoint: "https://fsn1.your-objectstorage.com",
        region: "fsn1",
        bucketSuffix: "wide1",
      },
      forge: {},
      // The sandbox's S3 server has one region.
      cloudsuites: [{ name: suiteNamespace, config: club, existingBuckets: true }],
      siteWebhook: undefined,
      ...settings,
    }),
    club,
    {
      namespace: suiteNamespace,
      domain: "far.example.org",
      "versions.db": "17",
      "s3.region": "eu-central-1",
      "s3.endpoint": "https://team.s3.eu-central-1.amazonaws.com",
      "s3.buckets": { data: "data-far-e2e1", backups: "backups-far-e2e1" },
      "storage.storageClass": storageClass,
      ...config,
    },
  );
}

const stack = new DevStack(beyond({}));
const options = ["--stack", name, "--config-file", stack.stackFile];
const pulumi = (...args: string[]) => sandbox("pulumi", ...args, ...options, "--non-interactive", "--color", "never");
const gate = () => hearth(stack.folder, "gate", "--sandbox", ...options);

beforeAll(async () => {
  await serveStorageClasses(storageClass);
  const made = await stack.init(name);
  expect(made.exitCode, made.all).toBe(0);
});

describe("a stack that widens the limits", () => {
  it("passes the gate, which tells each widening with its reason", async () => {
    const { status, stdout } = await gate();
    expect(status, stdout).toBe(0);
    const said = stdout.replace(/\s+/g, " ");
    for (const text of [
      "Region eu-central-1 is allowed beside the specification: The contract is there.",
      "Class longhorn is allowed beside the specification: No other block storage.",
      "PostgreSQL 17 is allowed beside the specification: A plugin needs it.",
    ])
      expect(said).toContain(text);
  });

  it("comes up, and a second up changes nothing", async () => {
    const up = await pulumi("up", "--yes", "--skip-preview");
    expect(up.exitCode, up.all).toBe(0);
    const again = await pulumi("preview", "--expect-no-changes");
    expect(again.exitCode, again.all).toBe(0);
  });

  it("has the suite on PostgreSQL 17, and every volume on the other class", async () => {
    const suite = await objectsOf(suiteNamespace, "clusters.postgresql.cnpg.io", "persistentvolumeclaims");
    expect(suite.one("Cluster", "cloudsuite-db")?.spec).toMatchObject({
      imageName: expect.stringContaining("postgresql:17."),
      plugins: [{ parameters: { serverName: "cloudsuite-db-pg17" } }],
    });
    expect(suite.one("PersistentVolumeClaim", "cloudsuite")).toMatchObject({ status: { phase: "Bound" } });
    const shared = await objectsOf(namespace, "clusters.postgresql.cnpg.io", "persistentvolumeclaims");
    for (const [objects, cluster, volumes] of [
      [suite, "cloudsuite-db", ["cloudsuite", "cloudsuite-db-1", "data-keystore-0"]],
      [shared, "forge-db", ["data-forge-gitstore-0", "data-keystore-0", "forge-db-1", "forge-toolbox-scratch"]],
    ] as const) {
      expect(objects.one("Cluster", cluster)?.spec).toMatchObject({ storage: { storageClass } });
      for (const volume of volumes)
        expect(objects.one("PersistentVolumeClaim", volume)?.spec, volume).toMatchObject({
          storageClassName: storageClass,
        });
    }
  });

  it("is refused another class for the volumes that it has", async () => {
    stack.use(beyond({ storageClass: undefined }));
    const { status, stdout } = await gate();
    expect(status, stdout).toBe(1);
    for (const [path, data] of [
      ["storageClass", `${namespace}/forge-db`],
      ["storageClass", `${namespace}/data-keystore-0`],
      ["repositoryClass", `${namespace}/data-forge-gitstore-0`],
      ["storageClass", `${suiteNamespace}/cloudsuite-db`],
      ["storageClass", `${suiteNamespace}/data-keystore-0`],
    ])
      expect(stdout.replace(/\s+/g, " ")).toContain(
        `${path}: changes from longhorn to replicated-block, which leaves the data of ${data} behind.`,
      );
  });

  it("is refused a second web pod on a class with a single writer all the same", async () => {
    stack.use(beyond({}, { "replicas.cloudsuite": 2 }));
    const { status, stdout } = await gate();
    expect(status, stdout).toBe(1);
    expect(stdout).toContain("[replicas-storage]");
  });

  it("is refused by the name of each when nothing allows it any more", async () => {
    stack.use(beyond({ limits: undefined }));
    const { status, stdout } = await gate();
    expect(status, stdout).toBe(1);
    for (const setting of ["versions.db", "s3.region", "storage.storageClass", "hearth:storageClass"])
      expect(stdout).toMatch(new RegExp(`error: ${setting}: .*\\[value\\]`));
    for (const key of ["databaseMajors", "regions", "storageClasses"])
      expect(stdout.replace(/\s+/g, " ")).toContain(`An entry allows another: \`hearth:limits: {${key}: [{`);
  });
});

it("a stack whose shared database goes back to PostgreSQL 16 is refused: the forge of 19 can't run on it", async () => {
  stack.use(beyond({ database: { version: "16" } }));
  const { status, stdout } = await gate();
  expect(status, stdout).toBe(1);
  expect(stdout).toContain(
    "error: hearth:database.version: Forge 19.4.3 runs on PostgreSQL 17 to 18, and the database is 16.",
  );
});
