import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AdmissionArgs } from "@hearth-platform/hearth/admission/args";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { planAdmission } from "../support/plans.ts";
import { platform } from "../support/platform.ts";
import { kubernetesObjects, sandbox } from "../support/stack.ts";

const folder = mkdtempSync(join(tmpdir(), "hearth-admission-"));
const block = "admission-block";
const shared = "admission-shared";
const stranger = "admission-stranger";

const args: AdmissionArgs = {
  namespace: "admission-limits",
  action: "deny",
  namespaces: [
    { name: block, storageClass: "replicated-block" },
    { name: shared, storageClass: "smb-csi", files: 10_001 },
  ],
  platform,
};

const kubectl = (...words: string[]) => sandbox("kubectl", ...words);

/** Objects as a file for kubectl, which reads JSON as well. */
function file(name: string, items: readonly object[]): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  return path;
}

const workload = (kind: "Deployment" | "StatefulSet", name: string, replicas: number) => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name },
  spec: {
    replicas,
    ...(kind === "StatefulSet" && { serviceName: name }),
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: "example.org/it:1" }] } },
  },
});

const claim = (storage: string) => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data-keystore-0" },
  spec: { accessModes: ["ReadWriteOnce"], storageClassName: "replicated-block", resources: { requests: { storage } } },
});

const image = (tag: string) => `registry.example.org:5000/cloudnative-pg/postgresql${tag}`;

const cluster = (instances: number, tag: string, size: string, metadata: object = { name: "forge-db" }) => ({
  apiVersion: "postgresql.cnpg.io/v1",
  kind: "Cluster",
  metadata,
  spec: { instances, imageName: image(tag), storage: { size } },
});
const suiteCluster = (tag: string) =>
  cluster(2, tag, "10Gi", { name: "cloudsuite-db", labels: { "app.kubernetes.io/part-of": "cloudsuite" } });

type Verdict = "admitted" | "warned" | "refused";

/** What the API server says to a command of kubectl; a refusal has to name the policy. */
async function verdict(...words: string[]): Promise<{ verdict: Verdict; all: string }> {
  const { exitCode, all } = await kubectl(...words);
  const judged = all.includes(`ValidatingAdmissionPolicy '${args.namespace}-`);
  if (exitCode === 0) return { verdict: judged ? "warned" : "admitted", all };
  if (!judged) throw new Error(all);
  return { verdict: "refused", all };
}

const create = (namespace: string, object: object) =>
  verdict("create", "--namespace", namespace, "--dry-run=server", "-f", file("created", [object]));

beforeAll(async () => {
  for (const name of [block, shared, stranger]) await kubectl("create", "namespace", name);
  const planned = planAdmission(args).objects.map(({ object }) => object);
  const applied = await kubectl("apply", "--server-side", "--validate=strict", "-f", file("limits", planned));
  expect(applied.exitCode, applied.all).toBe(0);
  // The API server takes new policies up a moment after it has stored them, each for itself.
  for (const bad of [workload("StatefulSet", "keystore", 2), cluster(3, ":17", "1Gi"), claim("1Gi")])
    await vi.waitFor(async () => expect((await create(block, bad)).verdict).not.toBe("admitted"), { timeout: 60_000 });
});

// The policies stay: an API server that has lost its last one with ConfigMaps for parameters reads none of the next one.
afterAll(() => kubectl("delete", "namespace", "--wait=false", block, shared, stranger));

it("every policy's expressions have types and costs that the API server accepts", async () => {
  const policies = async () =>
    (await kubernetesObjects("validatingadmissionpolicies")).filter(({ metadata }) =>
      metadata.name.startsWith(`${args.namespace}-`),
    );
  await expect
    .poll(async () => (await policies()).every(({ status }) => status?.typeChecking), { timeout: 60_000 })
    .toBe(true);
  for (const { metadata, status } of await policies())
    expect([metadata.name, status?.typeChecking]).toEqual([metadata.name, {}]);
});

describe("an object that is created", () => {
  it.each<[Verdict, string, string, object]>([
    ["admitted", block, "one web pod on block storage", workload("Deployment", "cloudsuite", 1)],
    ["refused", block, "two web pods on block storage", workload("Deployment", "cloudsuite", 2)],
    ["admitted", block, "no web pod", workload("Deployment", "cloudsuite", 0)],
    ["admitted", shared, "three web pods on shared storage", workload("Deployment", "cloudsuite", 3)],
    ["refused", shared, "four web pods on shared storage", workload("Deployment", "cloudsuite", 4)],
    ["admitted", block, "one keystore pod", workload("StatefulSet", "keystore", 1)],
    ["refused", block, "two keystore pods", workload("StatefulSet", "keystore", 2)],
    ["admitted", block, "two of something else", workload("StatefulSet", "other", 2)],
    ["admitted", block, "two web pods of the forge", workload("Deployment", "forge-webservice", 2)],
    ["warned", block, "one web pod of the forge", workload("Deployment", "forge-webservice", 1)],
    ["admitted", block, "no web pod of the forge", workload("Deployment", "forge-webservice", 0)],
    ["admitted", block, "a keystore volume of 5Gi", claim("5Gi")],
    ["admitted", block, "a keystore volume of 5120Mi", claim("5120Mi")],
    ["warned", block, "a keystore volume of 5G, which is less", claim("5G")],
    ["admitted", block, "a database of major 16", cluster(2, ":16.15-standard-trixie", "10Gi")],
    [
      "admitted",
      block,
      "a database of major 12 by tag and digest",
      cluster(2, `:12.22@sha256:${"0".repeat(64)}`, "10Gi"),
    ],
    ["admitted", block, "the forge's database of major 18", cluster(2, ":18.0", "10Gi")],
    ["refused", block, "a database of major 19", cluster(2, ":19.0", "10Gi")],
    ["refused", block, "a suite's database of major 17", suiteCluster(":17.0")],
    ["refused", block, "a database of major 11", cluster(2, ":11.22", "10Gi")],
    ["refused", block, "a database of tag latest", cluster(2, ":latest", "10Gi")],
    ["refused", block, "a database without tag, behind a registry's port", cluster(2, "", "10Gi")],
    ["refused", block, "a database of three instances", cluster(3, ":16", "10Gi")],
    ["refused", block, "a database of one instance in production", cluster(1, ":16", "10Gi")],
    ["warned", block, "a database on a volume of no size", cluster(2, ":16", "much")],
    ["warned", block, "a database on less than 10Gi", cluster(2, ":16", "9Gi")],
    ["warned", shared, "a database on 10Gi for 10,001 files", cluster(2, ":16", "10Gi")],
    ["admitted", shared, "a database on 20Gi for 10,001 files", cluster(2, ":16", "20Gi")],
    ["admitted", stranger, "two keystore pods where it is not ours", workload("StatefulSet", "keystore", 2)],
    ["admitted", stranger, "a database of major 17 where it is not ours", cluster(3, ":17", "1Gi")],
  ])("is %s in %s: %s", async (expected, namespace, _what, object) => {
    const answer = await create(namespace, object);
    expect(answer.verdict, answer.all).toBe(expected);
  });
});

describe("what runs", () => {
  beforeAll(async () => {
    const running = [
      workload("StatefulSet", "keystore", 1),
      workload("Deployment", "cloudsuite", 1),
      workload("Deployment", "forge-webservice", 0),
      cluster(2, ":16", "10Gi"),
    ];
    const made = await kubectl("apply", "--server-side", "--namespace", block, "-f", file("running", running));
    expect(made.exitCode, made.all).toBe(0);
  });

  it.each<[Verdict, string, number]>([
    ["refused", "statefulset/keystore", 2],
    ["admitted", "statefulset/keystore", 0],
    ["admitted", "statefulset/keystore", 1],
    ["refused", "deployment/cloudsuite", 2],
    ["admitted", "deployment/cloudsuite", 0],
    ["refused", "cluster.postgresql.cnpg.io/forge-db", 3],
    ["refused", "cluster.postgresql.cnpg.io/forge-db", 1],
    ["admitted", "cluster.postgresql.cnpg.io/forge-db", 2],
    // From maintenance to less than the limit; what ran with less stays as it was.
    ["warned", "deployment/forge-webservice", 1],
    ["admitted", "deployment/forge-webservice", 1],
    ["admitted", "deployment/forge-webservice", 2],
  ])("is %s when kubectl scales %s to %i", async (expected, what, replicas) => {
    const answer = await verdict("scale", "--namespace", block, what, `--replicas=${replicas}`);
    expect(answer.verdict, answer.all).toBe(expected);
  });

  it("can still be changed elsewhere where it broke a limit before the policies came", async () => {
    const before = file("before", [workload("StatefulSet", "keystore", 3)]);
    const warnOnly = { ...args, action: "warn" as const };
    const [binding] = planAdmission(warnOnly).objects.filter(
      ({ object }) => object.metadata.name.endsWith("keystore-replicas") && object.kind.endsWith("Binding"),
    );
    await kubectl("apply", "--server-side", "-f", file("warn", [binding?.object ?? {}]));
    const apply = ["apply", "--server-side", "--namespace", block, "-f", before];
    await expect.poll(async () => (await verdict(...apply)).verdict, { timeout: 60_000 }).toBe("warned");
    const label = await verdict("label", "--namespace", block, "statefulset/keystore", "example.org/note=kept");
    expect(label.verdict, label.all).toBe("admitted");
  });
});

it("without its limits nothing is judged, so that a lost ConfigMap stops no maintenance", async () => {
  await kubectl("delete", "configmap", "--namespace", args.namespace ?? "", "limits");
  await expect
    .poll(async () => (await create(shared, workload("Deployment", "cloudsuite", 4))).verdict, { timeout: 60_000 })
    .toBe("admitted");
});
