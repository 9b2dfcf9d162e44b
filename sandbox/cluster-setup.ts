import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseAllDocuments } from "yaml";
import { ApiError } from "./kubernetes/api.ts";
import { KubeClient } from "./kubernetes/client.ts";
import type { Kind, KubernetesObject } from "./kubernetes/objects.ts";
import { setupHash, setupMark } from "./operators/reload.ts";
import type { Sandbox } from "./started-sandbox.ts";

interface CustomResourceDefinition extends KubernetesObject {
  spec: { group: string; names: { kind: string }; versions: { name: string; served: boolean }[] };
}

const manager = "hearth-sandbox";
/** How long CRDs may take until they are served, in milliseconds. A busy machine needs more than a minute. */
const timeoutMs = 180_000;
const parallel = 8;

/**
 * CRDs that are not installed: what monitoring itself consists of, which is no platform's object. They are half of all
 * CRDs' text, and the API server keeps each many times over in memory.
 */
const leftOut =
  /monitoring\.coreos\.com_(alertmanagers|alertmanagerconfigs|prometheuses|prometheusagents|scrapeconfigs|thanosrulers)\./;

/**
 * Puts into the cluster what an administrator has installed before a platform comes: the operators' CRDs, nodes, storage
 * classes, issuers, a secret store, and KWOK's Stages. What was applied last is remembered in the cluster by its hash, so
 * that nothing is done when nothing changed.
 * @param signal ends the waiting
 * @returns whether anything was applied; operators that run then start themselves anew, as their code may have changed too
 * @throws when the API server refuses an object, or does not serve the CRDs within three minutes
 */
export async function setUpCluster(
  { paths, programs }: Pick<Sandbox, "paths" | "programs">,
  signal?: AbortSignal,
): Promise<boolean> {
  const client = KubeClient.fromKubeconfig(paths.kubeconfig);
  const files = {
    definitions: [...(await yamlFiles(programs.crds)), ...(await yamlFiles(join(import.meta.dirname, "crds")))],
    objects: await yamlFiles(join(import.meta.dirname, "operators", "manifests")),
    stages: await yamlFiles(join(import.meta.dirname, "stages")),
  };
  if (files.definitions.length < 2)
    throw new Error(`${programs.crds} has no CRDs: build the sandbox's programs again.`);
  const hash = createHash("sha256")
    .update(JSON.stringify([files, await operatorsCode()]))
    .digest("hex");
  if ((await setupHash(client)) === hash) return false;

  const definitions = files.definitions.flatMap(documents) as CustomResourceDefinition[];
  await applyAll(client, definitions);
  await waitUntilServed(client, definitions, signal);
  // Objects of the new kinds, Stages last: kwok looks for a kind's schema when its first Stage comes, and only then.
  await applyAll(client, files.objects.flatMap(documents));
  await applyAll(client, files.stages.flatMap(documents));
  await client.apply({ ...setupMark, data: { hash } } as KubernetesObject, manager);
  return true;
}

/**
 * Changes a Stage, so that kwok looks at all of them once more. It keeps those that it had when it looked, as what there
 * is at the version of the newest that it was sent (kwok 0.8, `pkg/config/resources/cache.go`). On a busy machine some are
 * missing then, and their pods and databases stand still until a Stage changes.
 */
export async function showStagesAgain(client: Pick<KubeClient, "apply">): Promise<void> {
  const metadata = { name: "node-ready", annotations: { "hearth.dev/shown-again": new Date().toISOString() } };
  await client.apply({ apiVersion: "kwok.x-k8s.io/v1alpha1", kind: "Stage", metadata }, `${manager}-start`);
}

/** Texts of the YAML files below a folder, in the order of their names. */
async function yamlFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const names = entries.filter((name) => /\.ya?ml$/.test(name) && !leftOut.test(name));
  return Promise.all(names.sort().map((name) => readFile(join(folder, name), "utf8")));
}

/** Stages and operators belong together: a pod, for one, needs both to become Ready. */
async function operatorsCode(): Promise<string[]> {
  const folders = ["kubernetes", "operators"].map((name) => join(import.meta.dirname, name));
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
  );
  const code = files.flat().filter((file) => file.endsWith(".ts"));
  return Promise.all(code.sort().map((file) => readFile(file, "utf8")));
}

function documents(text: string): KubernetesObject[] {
  return parseAllDocuments(text, { merge: true })
    .map((document) => document.toJS({ maxAliasCount: -1 }) as KubernetesObject | null)
    .filter((object) => object !== null);
}

async function applyAll(client: KubeClient, objects: readonly KubernetesObject[]): Promise<void> {
  const waiting = [...objects];
  const work = async () => {
    for (let object = waiting.shift(); object; object = waiting.shift()) await client.apply(object, manager);
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

/** Waits until every kind can be used: its definition established, its schema published, its storage ready. */
async function waitUntilServed(
  client: KubeClient,
  definitions: readonly CustomResourceDefinition[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const served = definitions.flatMap(({ spec }) =>
    spec.versions
      .filter((version) => version.served)
      .map(({ name }) => ({ apiVersion: `${spec.group}/${name}`, kind: spec.names.kind })),
  );
  const deadline = Date.now() + timeoutMs;
  for (let missing = served; missing.length > 0; await delay(200, undefined, { signal })) {
    const { paths } = (await client.read("/openapi/v3")) as { paths: Record<string, unknown> };
    const usable = await Promise.all(
      missing.map(async (kind) => `apis/${kind.apiVersion}` in paths && (await isListed(client, kind))),
    );
    missing = missing.filter((_, index) => !usable[index]);
    if (missing.length > 0 && Date.now() > deadline) {
      const names = missing.map(({ apiVersion, kind }) => `${kind} of ${apiVersion}`).join(", ");
      throw new Error(`The API server does not serve ${names}: see its log, then start again.`);
    }
  }
}

async function isListed(client: KubeClient, kind: Kind): Promise<boolean> {
  try {
    await client.list(kind);
    return true;
  } catch (error) {
    // 404: not established yet. 429: its storage is being made.
    if (error instanceof ApiError && [404, 429].includes(error.code)) return false;
    throw error;
  }
}
