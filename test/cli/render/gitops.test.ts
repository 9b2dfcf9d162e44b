import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { hearthIn } from "../../support/caller.ts";
import { writeDeliverable } from "../../support/deliverable-stack.ts";
import { committedStack, withSettings, writeStack } from "../../support/stack-files.ts";

/** Folders of the tests; the first holds a delivery that several of them read. */
const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-gitops-"));
  folders.push(folder);
  return folder;
};
let plain = "";
let project = "";
beforeAll(async () => {
  plain = project = newFolder();
  writeDeliverable(plain);
  await first();
});
beforeEach(() => {
  project = newFolder();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const repository = "https://git.example.org/platform.git";
const render = (...more: string[]) => hearthIn(project, "render", "--stack", "test", "--gitops", "delivery", ...more);
const first = () => render("--repository", repository);
const file = (name: string) => readFileSync(join(project, "delivery", name), "utf8");

interface Waved {
  readonly object: KubernetesObject & { readonly spec?: unknown };
  readonly wave: number;
  readonly options: string | undefined;
  readonly hook: string | undefined;
}

/** The objects by `namespace/Kind/name`. */
function delivered(): Map<string, Waved> {
  const root = join(project, "delivery/manifests");
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".yaml"));
  return new Map(
    paths.map((path) => {
      const object = parse(readFileSync(join(root, path), "utf8"));
      const { namespace, name, annotations } = object.metadata;
      const argo = (key: string) => annotations[`argocd.argoproj.io/${key}`];
      const waved = { object, wave: Number(argo("sync-wave")), options: argo("sync-options"), hook: argo("hook") };
      return [`${namespace ?? ""}/${object.kind}/${name}`, waved];
    }),
  );
}

const waveOf = (objects: Map<string, Waved>, id: string) => {
  const found = [...objects].find(([key]) => key.startsWith(id));
  if (!found) throw new Error(`there is no ${id}`);
  return found[1].wave;
};

/** Each comes in a later wave than the one before it. */
function expectOrder(objects: Map<string, Waved>, ...ids: string[]): void {
  const waves = ids.map((id) => waveOf(objects, id));
  expect(waves).toEqual([...new Set(waves)].sort((a, b) => a - b));
}

describe("./hearth render --gitops", () => {
  it("puts what the engine creates later into later waves", () => {
    project = plain;
    const objects = delivered();
    expectOrder(
      objects,
      "/Namespace/platform",
      "platform/ExternalSecret/forge-s3-credentials",
      "/Bucket/db-backups",
      "platform/Cluster/forge-db",
      "platform/Pooler/forge-db-pooler",
      "platform/Job/forge-migrations",
      "platform/Deployment/forge-webservice",
      "platform/Deployment/hub-core",
    );
    expectOrder(objects, "/Namespace/cloud", "cloud/Cluster/cloudsuite-db", "cloud/Deployment/cloudsuite");
    const named = [...objects.values()].every(({ wave }) => Number.isInteger(wave) && wave >= 0);
    expect(named).toBe(true);
  });

  it("brings a volume with the first pod that mounts it, since it may be bound no sooner", () => {
    project = plain;
    const objects = delivered();
    for (const [claim, user] of [
      ["platform/PersistentVolumeClaim/data-keystore-0", "platform/StatefulSet/keystore"],
      ["platform/PersistentVolumeClaim/data-forge-gitstore-0", "platform/StatefulSet/forge-gitstore"],
      ["platform/PersistentVolumeClaim/forge-toolbox-scratch", "platform/Deployment/forge-toolbox"],
      ["cloud/PersistentVolumeClaim/cloudsuite", "cloud/Deployment/cloudsuite"],
    ] as const)
      expect([claim, waveOf(objects, claim)]).toEqual([claim, waveOf(objects, user)]);
  });

  it("keeps what holds data when it leaves the folder or the application is deleted, and nothing else", async () => {
    writeDeliverable(project, { allowDataLoss: ["cloud/cloudsuite"] });
    await first();
    const kept = [...delivered()].filter(([, { options }]) => options === "Prune=false,Delete=false");
    const ids = kept.map(([id]) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        "/Namespace/platform",
        "/Namespace/cloud",
        "platform/Cluster/forge-db",
        "platform/PersistentVolumeClaim/data-forge-gitstore-0",
        "platform/PersistentVolumeClaim/data-keystore-0",
      ]),
    );
    expect(ids.filter((id) => /Bucket/.test(id)).length).toBeGreaterThan(10);
    expect(ids.filter((id) => /Deployment|Job|ConfigMap|cloudsuite$/.test(id))).toEqual([]);
  });

  it("makes every Job a hook in its wave, and nothing else", () => {
    project = plain;
    const hooks = [...delivered().values()].filter(({ hook }) => hook !== undefined);
    expect(new Set(hooks.map(({ object, hook }) => `${object.kind} ${hook}`))).toEqual(new Set(["Job Sync"]));
    expect(hooks.length).toBe([...delivered().keys()].filter((id) => /\/Job\//.test(id)).length);
  });

  it("leaves the replicas of what is scaled to its autoscaler, which comes last", async () => {
    writeDeliverable(project, { "forge.replicas": { webservice: 2, autoscaleFactor: 2 } });
    const { stderr, status } = await first();
    expect([status, stderr.includes("error")]).toEqual([0, false]);
    const { spec } = parse(file("application.yaml"));
    expect(spec.ignoreDifferences).toContainEqual({
      group: "apps",
      kind: "Deployment",
      namespace: "platform",
      name: "forge-webservice",
      jsonPointers: ["/spec/replicas"],
    });
    expect(spec.syncPolicy.syncOptions).toContain("RespectIgnoreDifferences=true");
    const objects = [...delivered()];
    const last = Math.max(...objects.map(([, { wave }]) => wave));
    const inLast = objects.filter(([, { wave }]) => wave === last).map(([id]) => id.split("/")[1]);
    expect(new Set(inLast)).toEqual(new Set(["HorizontalPodAutoscaler"]));
  });

  it("writes the Application of the folder's manifests, and remembers where they are had", async () => {
    writeDeliverable(project);
    await render("--repository", repository, "--revision", "main", "--argo-namespace", "gitops");
    const before = file("application.yaml");
    expect(parse(before)).toMatchObject({
      metadata: {
        name: "hearth-test",
        namespace: "gitops",
        annotations: { "argocd.argoproj.io/compare-options": "ServerSideDiff=true" },
      },
      spec: { source: { repoURL: repository, targetRevision: "main", path: "delivery/manifests" } },
    });
    expect(await render()).toMatchObject({ status: 0 });
    expect(file("application.yaml")).toBe(before);
  });

  it("tells Argo CD how to see that objects it does not know are ready", () => {
    project = plain;
    expect(Object.keys(parse(file("argocd-cm.yaml")).data)).toEqual([
      "resource.customizations.health.postgresql.cnpg.io_Backup",
      "resource.customizations.health.postgresql.cnpg.io_Cluster",
      "resource.customizations.health.postgresql.cnpg.io_Database",
      "resource.customizations.health.postgresql.cnpg.io_Pooler",
      // The checks take Lua's string library.
      "resource.customizations.useOpenLibs.postgresql.cnpg.io_Backup",
      "resource.customizations.useOpenLibs.postgresql.cnpg.io_Cluster",
      "resource.customizations.useOpenLibs.postgresql.cnpg.io_Database",
      "resource.customizations.useOpenLibs.postgresql.cnpg.io_Pooler",
    ]);
  });

  it("writes a patch that starts a sync with the Application's own options", () => {
    project = plain;
    const { sync } = parse(file("sync.yaml")).operation;
    expect(sync).toEqual({ prune: true, syncOptions: parse(file("application.yaml")).spec.syncPolicy.syncOptions });
  });

  it("names every setting that needs the engine, and writes nothing", async () => {
    const files = withSettings(committedStack("prod"), {
      secrets: { existing: { "forge-s3-credentials": "s3", "cloudsuite-s3-credentials": "s3" } },
      copies: undefined,
    });
    writeStack(files, project, "Pulumi.test.yaml");
    const { status, stderr } = await first();
    expect(status).toBe(1);
    for (const setting of ["secrets.store", "objectStorage.provisioner", "siteWebhook.repository", "images.lock"])
      expect(stderr).toContain(`error: hearth:${setting}: `);
    expect(readdirSync(project)).not.toContain("delivery");
  });
});

describe("a change that a preview refuses", () => {
  const changed = async (changes: Record<string, unknown>) => {
    writeDeliverable(project);
    await first();
    const before = file("record.json");
    writeDeliverable(project, changes);
    const answer = await render();
    return { ...answer, isKept: file("record.json") === before };
  };

  it.each([
    ["a smaller volume", { "database.storageSize": "5Gi" }, "platform-db.storageSize", "volume-shrinks"],
    ["an older version", { "hub.version": "2.14.3" }, "hub.version", "version-downgrade"],
    ["other buckets", { "objectStorage.bucketSuffix": "other" }, "forge.bucketSuffix", "data-left-behind"],
    ["a suite that is gone", { cloudsuites: undefined }, "", "data-removed"],
  ])("is refused: %s", async (_, changes, path, code) => {
    const { status, stderr, isKept } = await changed(changes);
    expect([status, isKept]).toEqual([1, true]);
    expect(stderr).toContain(`error: ${path === "" ? "" : `${path}: `}`);
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).toContain("hearth:allowDataLoss");
  });

  it("is made where its loss is allowed", async () => {
    const changes = { "database.storageSize": "5Gi", allowDataLoss: ["platform/forge-db"] };
    expect(await changed(changes)).toMatchObject({ status: 0, isKept: false });
  });

  it("is refused where the record of the folder is gone, broken, or of another stack", async () => {
    writeDeliverable(project);
    await first();
    const record = file("record.json");
    writeFileSync(join(project, "delivery/record.json"), record.replace('"stack": "test"', '"stack": "other"'));
    expect((await render()).stderr).toContain("[gitops-folder]");
    writeFileSync(join(project, "delivery/record.json"), "{");
    expect(await render()).toMatchObject({ status: 2, stderr: expect.stringContaining("can't be read") });
    rmSync(join(project, "delivery/record.json"));
    expect(await render()).toMatchObject({ status: 2, stderr: expect.stringContaining("is gone") });
  });
});

describe("the command line", () => {
  it.each([
    ["no folder", [], "--gitops"],
    ["both folders", ["--out", "x", "--gitops", "y"], "cannot be used"],
    ["no repository", ["--gitops", "y"], "--repository"],
    ["a credential", ["--gitops", "y", "--repository", "https://me:hush@example.org/x.git"], "credential"],
  ])("is refused with %s", async (_, args, message) => {
    writeDeliverable(project);
    const { status, stderr } = await hearthIn(project, "render", "--stack", "test", ...args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("hush");
  });
});
