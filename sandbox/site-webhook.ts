import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { webhookNames } from "@hearth-platform/hearth/site-webhook/webhook-names";
import { serviceBundlePath } from "@hearth-platform/site-webhook/build";
import { execa } from "execa";
import { runContainer } from "./container.ts";
import { type ContainerBuilder, findContainerBuilder } from "./container-builder.ts";
import {
  type DetachedCommand,
  isRunning,
  type ProcessIdentity,
  startDetached,
  stopDetached,
} from "./detached-process.ts";
import { sandboxEnvironment } from "./environment.ts";
import { isHealthy, waitUntil } from "./health.ts";
import { KubeClient } from "./kubernetes/client.ts";
import type { KubernetesObject } from "./kubernetes/objects.ts";
import type { SandboxPaths } from "./paths.ts";
import { SandboxRegistry } from "./plugins/docker-build/reference.ts";
import { inFolders, type PodWithVolumes, writeSecretVolumes } from "./pod-secrets.ts";
import { choosePorts } from "./ports.ts";
import type { Progress } from "./progress.ts";
import { readRecord, type SandboxRecord, writeRecord } from "./record.ts";
import type { Sandbox } from "./started-sandbox.ts";

/** As much of the webhook's Deployment as decides on its container. */
interface Deployment extends KubernetesObject {
  metadata: KubernetesObject["metadata"] & { namespace: string };
  spec: { template: { spec: PodSpec } };
}

interface PodSpec extends PodWithVolumes {
  containers: {
    image: string;
    env?: { name: string; value?: string }[];
    volumeMounts?: { name: string; mountPath: string }[];
  }[];
}

const accountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";
/** Renewed by each start; a kubelet would renew it within the hour. */
const tokenLifetime = "720h";

export function siteWebhookHealth(record: SandboxRecord): string {
  return `http://127.0.0.1:${record.ports["site-webhook-operations"]}/readyz`;
}

export function siteWebhookLog(paths: SandboxPaths): string {
  return join(paths.logs, "site-webhook.log");
}

/**
 * Runs the webhook of the stack as its Deployment says, with the real token of its account, against the sandbox's API server; stops
 * one that the stack has no more. What runs as it should is left alone.
 * @returns where it answers; undefined where the stack has none
 * @throws when it does not start
 */
export async function ensureSiteWebhook(sandbox: Sandbox, progress: Progress): Promise<string | undefined> {
  const { paths } = sandbox;
  const old = (await readRecord(paths)) ?? sandbox.record;
  const running = old.processes["site-webhook"];
  const deployment = await findDeployment(paths);
  if (!deployment) {
    await stopDetached(running);
    return undefined;
  }
  const folder = join(paths.folder, "site-webhook");
  const { namespace } = deployment.metadata;
  const { spec } = deployment.spec.template;
  await writeAccount(sandbox, namespace, folder);
  const secrets = await writeSecretVolumes(KubeClient.fromKubeconfig(paths.kubeconfig), namespace, spec, folder);
  const volumes = { [accountFolder]: join(folder, "account"), ...secrets };
  const { image, env } = containerOf(spec);
  const builder = await findContainerBuilder();
  const wanted = createHash("sha256")
    .update(JSON.stringify([builder, image, env, volumes, old.ports["kube-apiserver"]]))
    .digest("hex");
  const mark = join(folder, "runs");
  const same = wanted === (await readFile(mark, "utf8").catch(() => ""));
  if (same && isRunning(running) && (await isHealthy(siteWebhookHealth(old)))) return address(old);

  const step = progress.step(`Starting the site webhook ${builder ? "in its container" : "as a process"}`);
  try {
    await stopDetached(running);
    const { ports } = await choosePorts(old.ports, ["site-webhook", "site-webhook-operations"]);
    const record = { ...old, ports };
    const local = { ...env, ...localEnvironment(record) };
    const identity = await run(builder, { ...sandbox, record }, image, local, volumes);
    const recorded = { ...record, processes: { ...record.processes, "site-webhook": identity } };
    await writeRecord(paths, recorded);
    const answers = async () => !isRunning(identity) || (await isHealthy(siteWebhookHealth(recorded)));
    if (!(await waitUntil(answers, 30_000)) || !isRunning(identity))
      throw new Error(`The site webhook did not start: see ${siteWebhookLog(paths)}.`);
    await writeFile(mark, wanted);
    step.done(address(recorded));
    return address(recorded);
  } catch (error) {
    step.failed();
    throw error;
  }
}

function address({ ports }: SandboxRecord): string {
  return `http://127.0.0.1:${ports["site-webhook"]}`;
}

async function findDeployment(paths: SandboxPaths): Promise<Deployment | undefined> {
  const client = KubeClient.fromKubeconfig(paths.kubeconfig);
  const { items } = await client.list<Deployment>({ apiVersion: "apps/v1", kind: "Deployment" });
  return items.find(({ metadata }) => metadata.name === webhookNames.webhook);
}

function containerOf({ containers: [container] }: PodSpec): { image: string; env: Record<string, string> } {
  const env = Object.fromEntries((container?.env ?? []).map(({ name, value = "" }) => [name, value]));
  return { image: container?.image ?? "", env };
}

/** Differences from a pod: the machine's own network. */
function localEnvironment({ ports }: SandboxRecord): Record<string, string> {
  return {
    WEBHOOK_HOST: "127.0.0.1",
    WEBHOOK_PORT: String(ports["site-webhook"]),
    OPERATIONS_PORT: String(ports["site-webhook-operations"]),
    KUBERNETES_SERVICE_HOST: "127.0.0.1",
    KUBERNETES_SERVICE_PORT: String(ports["kube-apiserver"]),
    DRAIN_SECONDS: "0",
  };
}

/** The files a kubelet mounts: a token of the account, and the authority of the API server. */
async function writeAccount(sandbox: Sandbox, namespace: string, folder: string): Promise<void> {
  const kubectl = async (...args: string[]) => {
    const env = { ...process.env, ...sandboxEnvironment(sandbox) };
    return (await execa("kubectl", [...args, "--namespace", namespace], { env, extendEnv: false })).stdout;
  };
  const account = join(folder, "account");
  await mkdir(account, { recursive: true });
  const files = {
    token: await kubectl("create", "token", webhookNames.webhook, `--duration=${tokenLifetime}`),
    "ca.crt": await kubectl("get", "configmap", "kube-root-ca.crt", "-o", "jsonpath={.data.ca\\.crt}"),
    namespace,
  };
  // The container's user reads them; the sandbox's folder keeps others of this machine out.
  for (const [name, text] of Object.entries(files)) await writeFile(join(account, name), text, { mode: 0o644 });
}

/** The webhook on this machine: in a container of its image, or as a process of the bundle that goes into the image. */
async function run(
  builder: ContainerBuilder | undefined,
  sandbox: Sandbox,
  image: string,
  env: Readonly<Record<string, string>>,
  volumes: Readonly<Record<string, string>>,
): Promise<ProcessIdentity> {
  const { paths, record } = sandbox;
  if (!builder) return startDetached(bundleProcess(paths, env, volumes));
  return runContainer(builder, {
    name: `hearth-${paths.name}-site-webhook`,
    image: new SandboxRegistry(`127.0.0.1:${record.ports.registry}`).mapped(image),
    env,
    volumes,
    log: siteWebhookLog(paths),
    cwd: paths.folder,
    pulumiHome: paths.pulumiHome,
    builderEnv: { ...process.env, ...sandboxEnvironment(sandbox) },
  });
}

/**
 * The webhook without a container: nothing of this machine's environment but PATH, as in its image.
 * @param volumes folders by the path at which a container would see them
 */
export function bundleProcess(
  paths: SandboxPaths,
  env: Readonly<Record<string, string>>,
  volumes: Readonly<Record<string, string>>,
): DetachedCommand {
  return {
    program: process.execPath,
    args: [serviceBundlePath],
    env: { PATH: process.env.PATH, ...inFolders({ SERVICE_ACCOUNT_FOLDER: accountFolder, ...env }, volumes) },
    cwd: paths.folder,
    log: siteWebhookLog(paths),
  };
}
