import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "@hearth-platform/sandbox/health";
import { KubeClient } from "@hearth-platform/sandbox/kubernetes/client";
import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { ensureJudges } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { execa, type ResultPromise } from "execa";
import { parse, stringify } from "yaml";
import { readGoModule } from "../../tools/go-module.ts";

const namespace = "argocd";
const manager = "hearth-test";
const kind = { apiVersion: "argoproj.io/v1alpha1", kind: "Application" };

/** An Application, with as much of what Argo CD says of it as the tests look at. */
export interface Application extends KubernetesObject {
  readonly operation?: object;
  readonly status?: {
    readonly health?: { readonly status: string };
    readonly sync?: { readonly status: string };
    readonly operationState?: { readonly phase: string; readonly message?: string; readonly finishedAt?: string };
    readonly resources?: readonly { readonly kind: string; readonly name: string; readonly status?: string }[];
    readonly conditions?: readonly { readonly message: string }[];
  };
}

/**
 * Argo CD beside an API server: the definitions of 3.5.0, what an installation has, and the application controller of 3.2.0, the last whose
 * engine is a module of its own. A folder stands for every repository.
 */
export class ArgoCd {
  readonly #process: ResultPromise;
  readonly #client: KubeClient;

  private constructor(process: ResultPromise, client: KubeClient) {
    this.#process = process;
    this.#client = client;
  }

  /** Builds the controller where that is still to be done. @param log file that gets what it says */
  static async start(kubeconfig: string, repository: string, log: string): Promise<ArgoCd> {
    const folder = await controller();
    const client = KubeClient.fromKubeconfig(kubeconfig);
    for (const object of await definitions()) await client.apply(object, manager);
    for (const object of installation) await applySoon(client, object);
    const running = execa(join(folder, "argo-cd"), ["-namespace", namespace, "-folder", repository], {
      // Upstream rests for two seconds after each wave, for controllers that are slow to notice.
      env: { KUBECONFIG: kubeconfig, ARGOCD_SYNC_WAVE_DELAY: "0" },
      stdout: { file: log },
      stderr: { file: log, append: true },
      reject: false,
      stdin: "ignore",
    });
    return new ArgoCd(running, client);
  }

  /** The Application once it is so; undefined stands for one that is gone. @throws Error with what Argo CD says where it does not come to that */
  async application(
    name: string,
    isSo: (application: Application | undefined) => boolean,
    within: number,
  ): Promise<Application | undefined> {
    let last: Application | undefined;
    const found = await waitUntil(async () => {
      last = await this.#client.get<Application>(kind, name, namespace);
      return isSo(last);
    }, within);
    if (!found) throw new Error(`Application ${name}: ${JSON.stringify(last?.status, undefined, 2)}`);
    return last;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill();
    await this.#process;
  }
}

/**
 * How Argo CD sees the health of objects.
 * @param checks file with its ConfigMap
 */
export async function healthOf(checks: string, objects: readonly KubernetesObject[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "hearth-health-"));
  try {
    const files = objects.map((_, index) => join(folder, `${index}.yaml`));
    await Promise.all(files.map((file, index) => writeFile(file, stringify(objects[index]))));
    const { stdout } = await execa(join(await controller(), "argo-cd"), ["-health", checks, ...files]);
    return stdout.split("\n");
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function controller(): Promise<string> {
  const [folder = ""] = await ensureJudges(["argo-cd"], createProgress());
  return folder;
}

/** Its custom resource definitions, as the release publishes them. */
async function definitions(): Promise<KubernetesObject[]> {
  return readGoModule(join(import.meta.dirname, "argo-cd"), async ({ folder }) =>
    Promise.all(
      ["application", "appproject"].map(async (name) =>
        parse(await readFile(join(folder, `manifests/crds/${name}-crd.yaml`), "utf8")),
      ),
    ),
  );
}

const partOf = { "app.kubernetes.io/part-of": "argocd" };

/** What `manifests/base/config` of the release makes, as far as the controller reads it, and the project that it makes itself. */
const installation: readonly KubernetesObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "argocd-cm", namespace, labels: partOf } },
  {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "argocd-secret", namespace, labels: partOf },
    stringData: { "server.secretkey": "of the tests" },
  },
  {
    apiVersion: kind.apiVersion,
    kind: "AppProject",
    metadata: { name: "default", namespace },
    spec: {
      sourceRepos: ["*"],
      destinations: [{ server: "*", namespace: "*" }],
      clusterResourceWhitelist: [{ group: "*", kind: "*" }],
    },
  },
];

/** A kind is served a moment after its definition is there. */
async function applySoon(client: KubeClient, object: KubernetesObject): Promise<void> {
  let problem: unknown;
  const isApplied = () =>
    client.apply(object, manager).then(
      () => true,
      (error: unknown) => {
        problem = error;
        return false;
      },
    );
  if (!(await waitUntil(isApplied, 30_000))) throw problem;
}
