import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { waitUntil } from "@hearth-platform/sandbox/health";
import { KubeClient } from "@hearth-platform/sandbox/kubernetes/client";
import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { openSandbox, resetSandbox, startSandbox } from "@hearth-platform/sandbox/sandbox";
import { type CommandResult, DevStack, kubernetesObjects, sandbox } from "../../test/support/stack.ts";
import { type StackFiles, withSettings } from "../../test/support/stack-files.ts";
import { withSuites } from "../growth/stacks.ts";
import type { Figure, Report } from "../report.ts";
import { processorTime } from "../samples.ts";
import { delayed } from "./delay.ts";

const nodes = 1000;
/** Suites in the first stack, which grows; each of the others has as many as it has in the end. */
const sizes = [1, 10, 20] as const;
const perStack = sizes[2];
const stacks = 5;
/** Milliseconds to an API server in the same region. */
const away = 20;

/** What grows with what: a hundred suites in five stacks, on a thousand simulated nodes. Everything is measured once. */
export async function run(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  Object.assign(process.env, { XDG_STATE_HOME: join(folder, "state"), HEARTH_SANDBOX: "bench" });
  try {
    await startSandbox("bench", createProgress());
    const figures: Figure[] = [];
    await simulate(folder, (what, unit, value) => {
      figures.push({ what, unit, values: [value] });
      console.error(`${what}: ${Math.round(value * 100) / 100} ${unit}`);
    });
    return { name: "scale", figures };
  } finally {
    await resetSandbox("bench");
    rmSync(folder, { recursive: true });
  }
}

type Add = (what: string, unit: string, value: number) => void;

async function simulate(folder: string, add: Add): Promise<void> {
  const { kubeconfig } = (await openSandbox()).paths;
  await addNodes(KubeClient.fromKubeconfig(kubeconfig));
  // The nodes tell that they are alive, once a minute each.
  const idle = await requestRate();
  add(`API requests a second of ${nodes} nodes, at rest`, "", idle);

  const first = await newStack("scale-0", withSuites(0));
  let previous = 0;
  for (const size of sizes) {
    first.use(withSuites(size));
    const up = await measured(first, "up", "--yes", "--skip-preview");
    const suites = size - previous;
    add(`up from ${previous} to ${size} suites`, "s", up.seconds);
    add("processor time of it, a new suite", "s", up.cpu / suites);
    add("API requests of it, a new suite", "", (up.requests - idle * up.seconds) / suites);
    const { resources, kilobytes } = await state(first);
    add(`resources of ${size} suites`, "", resources);
    add(`state of ${size} suites`, "KB", kilobytes);
    add(`preview of ${size} suites, nothing to change`, "s", (await measured(first, "preview")).seconds);
    previous = size;
  }

  first.use(withSettings(withSuites(perStack), { images: { mirrors: { "docker.io": "mirror.example.org" } } }));
  const rollout = await measured(first, "up", "--yes", "--skip-preview");
  add(`every pod of ${perStack} suites anew`, "s", rollout.seconds);
  add("API requests of it, a suite", "", (rollout.requests - idle * rollout.seconds) / perStack);

  const far = join(folder, "far.yaml");
  await using _ = await delayed(kubeconfig, far, away);
  for (let index = 1; index < stacks; index++) {
    const files = withSuites(perStack, index * perStack);
    const isFar = index === 1;
    const other = await newStack(
      `scale-${index}`,
      isFar ? withSettings(files, { "kubernetes.kubeconfig": far }) : files,
    );
    const where = isFar ? `, ${away} ms from the API server` : "";
    add(
      `up of stack ${index + 1}, ${perStack} suites${where}`,
      "s",
      (await measured(other, "up", "--yes", "--skip-preview")).seconds,
    );
    add(`preview of it, nothing to change${where}`, "s", (await measured(other, "preview")).seconds);
  }
  await addWhole(add);
}

/** What all suites are together, and what they take with nobody at work. */
async function addWhole(add: Add): Promise<void> {
  const suites = stacks * perStack;
  for (const kind of ["pods", "certificates", "clusters.postgresql.cnpg.io", "persistentvolumeclaims"])
    add(`${kind} of ${suites} suites`, "", (await kubernetesObjects(kind, "--all-namespaces")).length);
  add(`API requests a second of ${suites} suites, at rest`, "", await requestRate());
  const { memory, storage } = await apiServer();
  add("memory of the API server", "MB", memory / 1e6);
  add("etcd's database", "MB", storage / 1e6);
}

async function requestRate(): Promise<number> {
  const before = await apiServer();
  await delay(60_000);
  return ((await apiServer()).requests - before.requests) / 60;
}

async function newStack(name: string, files: StackFiles): Promise<DevStack> {
  const stack = new DevStack(files, name);
  await succeed(stack.init());
  return stack;
}

/** An update or a preview: how long it took, and what the API server answered meanwhile, whoever asked. */
async function measured(stack: DevStack, ...command: string[]) {
  const { plugins } = (await openSandbox()).record.processes;
  const cpu = () => processorTime("self", { ofEndedChildren: true }) + (plugins ? processorTime(plugins.pid) : 0);
  const [used, { requests }, start] = [cpu(), await apiServer(), performance.now()];
  await succeed(stack.pulumi(...command));
  const seconds = (performance.now() - start) / 1000;
  return { seconds, cpu: cpu() - used, requests: (await apiServer()).requests - requests };
}

async function state({ name }: DevStack) {
  const { stdout } = await succeed(sandbox("pulumi", "stack", "export", "--stack", name));
  const { deployment } = JSON.parse(stdout) as { deployment: { resources: unknown[] } };
  return { resources: deployment.resources.length, kilobytes: stdout.length / 1000 };
}

/** What the API server says of itself; all since its start. */
async function apiServer() {
  const { stdout } = await succeed(sandbox("kubectl", "get", "--raw", "/metrics"));
  const sum = (metric: string) =>
    stdout
      .split("\n")
      .filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `))
      .reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);
  return {
    requests: sum("apiserver_request_total"),
    memory: sum("process_resident_memory_bytes"),
    storage: sum("apiserver_storage_size_bytes"),
  };
}

async function addNodes(client: KubeClient): Promise<void> {
  for (let index = 0; index < nodes; index++) {
    const name = `node-${index}`;
    const node = {
      apiVersion: "v1",
      kind: "Node",
      metadata: {
        name,
        annotations: { "kwok.x-k8s.io/node": "fake" },
        labels: {
          "kubernetes.io/arch": "amd64",
          "kubernetes.io/os": "linux",
          "kubernetes.io/hostname": name,
          "topology.kubernetes.io/region": "sandbox",
          "topology.kubernetes.io/zone": `sandbox-${"abc"[index % 3]}`,
        },
      },
    };
    await client.createIfMissing(node, "hearth-bench");
  }
  type Node = KubernetesObject & {
    readonly status?: { readonly conditions?: readonly { type: string; status: string }[] };
  };
  const areReady = async () => {
    const { items } = await client.list<Node>({ apiVersion: "v1", kind: "Node" });
    return items.every(({ status }) =>
      status?.conditions?.some((each) => each.type === "Ready" && each.status === "True"),
    );
  };
  if (!(await waitUntil(areReady, 600_000))) throw new Error("The nodes did not become ready.");
}

async function succeed(command: Promise<CommandResult>): Promise<CommandResult> {
  const result = await command;
  if (result.exitCode !== 0) throw new Error(result.all);
  return result;
}
