import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeClient } from "@hearth-platform/sandbox/kubernetes/client";
import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { type Application, ArgoCd, healthOf } from "../support/argo-cd.ts";
import { hearthIn } from "../support/caller.ts";
import { writeDeliverable } from "../support/deliverable-stack.ts";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { idOf, ObjectHistory } from "../support/object-history.ts";
import { sandbox } from "../support/stack.ts";
import { wholePlatform } from "../support/stack-files.ts";

/** Argo CD's own controller syncs a forge and a suite as `./hearth render --gitops` writes them. The tests are their life, one after the other. */

inEmptySandbox("e2e-gitops");

const project = mkdtempSync(join(tmpdir(), "hearth-gitops-"));
const delivery = join(project, "delivery");
const name = "hearth-test";
const waveKey = "argocd.argoproj.io/sync-wave";
const wave = ({ metadata }: KubernetesObject) => Number(metadata.annotations?.[waveKey]);
const isKept = ({ metadata }: KubernetesObject) =>
  metadata.annotations?.["argocd.argoproj.io/sync-options"] === "Prune=false,Delete=false";

let manifests: KubernetesObject[] = [];
let argo: ArgoCd;
let history: ObjectHistory;

async function kubectl(...args: string[]): Promise<string> {
  const { exitCode, stdout, all } = await sandbox("kubectl", ...args);
  expect(exitCode, all).toBe(0);
  return stdout;
}

const ended = (application: Application | undefined) =>
  /^(Succeeded|Failed|Error)$/.test(application?.status?.operationState?.phase ?? "");

/** The patch of the how-to page, to the end of that sync. */
async function sync(): Promise<void> {
  const before = (await argo.application(name, (found) => found !== undefined, 10_000))?.status?.operationState
    ?.finishedAt;
  await kubectl(
    "-n",
    "argocd",
    "patch",
    "application",
    name,
    "--type",
    "merge",
    "--patch-file",
    join(delivery, "sync.yaml"),
  );
  const done = await argo.application(
    name,
    (found) => found?.operation === undefined && ended(found) && found?.status?.operationState?.finishedAt !== before,
    600_000,
  );
  const { phase, message } = done?.status?.operationState ?? {};
  expect([phase, message]).toEqual(["Succeeded", expect.stringContaining("successfully synced")]);
}

/** Those of the objects that are still in the cluster, by their ids. */
const left = (objects: readonly KubernetesObject[]) =>
  objects
    .map(idOf)
    .filter((id) => history.live.has(id))
    .sort();

const isHealthy = (found: Application | undefined) => found?.status?.health?.status === "Healthy";

/** Of those of the manifests that are there: all but what their controllers write. */
function settled(): Map<string, unknown> {
  const objects = manifests.filter(({ kind }) => kind !== "Job").map((object) => history.live.get(idOf(object)));
  return new Map(
    objects
      .filter((object) => object !== undefined)
      .map((object) => {
        const { managedFields, resourceVersion, ...metadata } = object.metadata;
        return [idOf(object), { ...object, metadata, status: undefined }];
      }),
  );
}

beforeAll(async () => {
  const stack = wholePlatform();
  const [, club] = stack.settings.cloudsuites as object[];
  const replicas = { webservice: 1, autoscaleFactor: 2 };
  writeDeliverable(project, { hub: undefined, cloudsuites: [club], "forge.replicas": replicas }, stack);
  const rendered = await hearthIn(
    project,
    "render",
    "--stack",
    "test",
    "--gitops",
    "delivery",
    "--repository",
    "https://git.example.org/platform.git",
  );
  expect(rendered.status, rendered.stderr).toBe(0);
  const paths = readdirSync(join(delivery, "manifests"), { recursive: true, encoding: "utf8" });
  manifests = paths
    .filter((path) => path.endsWith(".yaml"))
    .map((path) => parse(readFileSync(join(delivery, "manifests", path), "utf8")));
  const { paths: files } = await openSandbox();
  argo = await ArgoCd.start(files.kubeconfig, project, join(files.logs, "argo-cd.log"));
  const kinds = new Map(manifests.map(({ apiVersion, kind }) => [`${apiVersion}/${kind}`, { apiVersion, kind }]));
  history = new ObjectHistory(KubeClient.fromKubeconfig(files.kubeconfig), [...kinds.values()]);
}, 1_200_000);

afterAll(async () => {
  await history?.[Symbol.asyncDispose]();
  await argo?.[Symbol.asyncDispose]();
  rmSync(project, { recursive: true });
});

it("the Application and the health checks are accepted by their published schema, field by field", async () => {
  await kubectl(
    "apply",
    "--server-side",
    "--validate=strict",
    "-f",
    join(delivery, "argocd-cm.yaml"),
    "-f",
    join(delivery, "application.yaml"),
  );
});

it("a Cluster is healthy when it is ready, and not before its operator has written a status", async () => {
  const cluster = manifests.find(({ kind }) => kind === "Cluster") as KubernetesObject;
  const withStatus = (ready: string) => ({ ...cluster, status: { conditions: [{ type: "Ready", status: ready }] } });
  const foreign = { ...withStatus("False"), metadata: { name: "of-another" } };
  expect(
    await healthOf(join(delivery, "argocd-cm.yaml"), [cluster, withStatus("False"), withStatus("True"), foreign]),
  ).toEqual(["Progressing", "Progressing", "Healthy", "Progressing"]);
});

it("a sync ends well, and Argo CD sees everything as healthy and in sync", async () => {
  await sync();
  const { status } = (await argo.application(name, isHealthy, 120_000)) ?? {};
  expect(status?.conditions ?? []).toEqual([]);
  expect(status?.resources?.filter((each) => each.status !== undefined && each.status !== "Synced")).toEqual([]);
  expect(status?.sync?.status).toBe("Synced");
});

it("begins no wave before all of the earlier ones is ready", async () => {
  const waves = [...new Set(manifests.map(wave))].sort((a, b) => a - b);
  expect(waves.length).toBeGreaterThan(10);
  const moment = (object: KubernetesObject) => history.moments(idOf(object));
  await expect
    .poll(() => manifests.filter((object) => moment(object)?.ready === undefined).map(idOf), { timeout: 30_000 })
    .toEqual([]);
  const tooEarly = waves.flatMap((each) => {
    const begins = Math.min(
      ...manifests.filter((object) => wave(object) === each).map((object) => moment(object)?.created ?? 0),
    );
    const late = manifests.filter(
      (object) => wave(object) < each && (moment(object)?.ready ?? Number.POSITIVE_INFINITY) >= begins,
    );
    return late.map((object) => `wave ${each} before ${idOf(object)} of wave ${wave(object)}`);
  });
  expect(tooEarly).toEqual([]);
});

it("runs every Job as a hook, and takes those away that have succeeded", async () => {
  const jobs = manifests.filter(({ kind }) => kind === "Job").map(idOf);
  expect(jobs.length).toBeGreaterThan(2);
  await expect.poll(() => jobs.filter((id) => history.live.has(id)), { timeout: 30_000 }).toEqual([]);
});

it("a second sync changes nothing, and leaves the replicas to the autoscaler", async () => {
  const webservice = "Deployment platform/forge-webservice";
  await kubectl("-n", "platform", "scale", "deployment", "forge-webservice", "--replicas=2");
  await expect.poll(() => history.live.get(webservice)?.spec, { timeout: 30_000 }).toMatchObject({ replicas: 2 });
  const before = settled();
  await sync();
  expect(settled()).toEqual(before);
  expect(history.live.get(webservice)?.spec).toMatchObject({ replicas: 2 });
});

it("what leaves the folder goes, but for what holds data", async () => {
  const gone = manifests.filter(
    ({ kind, metadata }) => (metadata.namespace ?? metadata.name) === "club" && kind !== "Job",
  );
  expect([gone.filter(isKept).length, gone.length]).toEqual([expect.any(Number), expect.any(Number)]);
  rmSync(join(delivery, "manifests", "club"), { recursive: true });
  await sync();
  await expect.poll(() => left(gone), { timeout: 60_000 }).toEqual(gone.filter(isKept).map(idOf).sort());
  expect(left(gone)).toContain("Cluster club/cloudsuite-db");
});

it("deleting the Application keeps what holds data, too", async () => {
  await kubectl("-n", "argocd", "delete", "application", name, "--wait=false");
  await argo.application(name, (found) => found === undefined, 120_000);
  await expect.poll(() => left(manifests), { timeout: 60_000 }).toEqual(manifests.filter(isKept).map(idOf).sort());
});
