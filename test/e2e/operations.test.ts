import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hearth } from "../support/caller.ts";
import { operations, sectionsOf } from "../support/operations-page.ts";
import { type DevStack, kubernetesObjects, runningPlatform } from "../support/stack.ts";

/** The commands of docs/how-to/operations.md, as they stand there, on the whole platform. */

const runbooks = sectionsOf("docs/reference/alerts.md");
const patience = { timeout: 120_000, interval: 500 };
const folder = mkdtempSync(join(tmpdir(), "hearth-operations-"));
let stack: DevStack;
let environment: Record<string, string>;
let node = "";

beforeAll(async () => {
  stack = await runningPlatform();
  const sandbox = await openSandbox();
  environment = {
    ...sandboxEnvironment(sandbox),
    PATH: `${dirname(sandbox.programs.kubectl)}:${process.env.PATH}`,
    HOME: folder,
  } as Record<string, string>;
  node = (await kubernetesObjects("nodes"))[0]?.metadata.name ?? "";
}, 900_000);

afterAll(() => rmSync(folder, { recursive: true }));

async function run(command: string) {
  const { exitCode, all } = await execa("sh", ["-c", command.replace("NODE", node)], {
    cwd: folder,
    env: environment,
    extendEnv: false,
    reject: false,
    all: true,
    timeout: 120_000,
  });
  return { exitCode, all };
}

/** The page's commands of a section that `pattern` matches. */
function commands(title: string, pattern: RegExp): string[] {
  const found = operations()
    .filter((operation) => operation.title === title)
    .flatMap((operation) => operation.commands.filter((command) => pattern.test(command)));
  expect(found, title).not.toEqual([]);
  return found;
}

async function succeed(...all: readonly string[]) {
  for (const command of all) {
    const { exitCode, all: output } = await run(command);
    expect(exitCode, `${command}\n${output}`).toBe(0);
  }
}

const one = async (...args: string[]) => (await kubernetesObjects("-n", "platform", ...args))[0];

test("what there is can be listed", async () => {
  await succeed(...commands("List", /./));
  expect((await run(commands("List", /pods -l/)[0] ?? "")).all).toContain("forge-webservice-");
});

// No image runs in a simulated pod, and nothing measures it: the commands get as far as the pod that they name.
const inPods = [
  ...operations().flatMap(({ commands: all }) => all.filter((line) => / (logs|exec|top) /.test(line))),
  ...new Set(runbooks.flatMap(({ commands: all }) => all.filter((line) => / (logs|top) /.test(line)))),
];
test.each(inPods)("%s is understood, and finds its pod", async (command) => {
  const { all } = await run(`timeout 20 ${command.replace(/ -f$/, "")}`);
  expect(all).not.toMatch(/not found \(|NotFound|unknown (flag|command|shorthand)|error: (required|unable to parse)/);
});

test.each(runbooks)("the commands of the runbook of $title that only look do so", async ({ commands }) => {
  await succeed(...commands.filter((command) => /^kubectl (?:-n \S+ )?(?:get|describe|rollout status) /.test(command)));
});

test("a restart replaces the pods, also of a set", async () => {
  const before = (await one("pod", "keystore-0"))?.metadata.uid;
  const [first = "", ...others] = commands("Restart", /rollout restart|delete pod/);
  await succeed(first);
  // kubectl refuses to restart the same workload twice in one second.
  for (const command of others) await vi.waitFor(() => succeed(command), patience);
  await vi.waitFor(async () => expect((await one("pod", "keystore-0"))?.metadata.uid).not.toBe(before), patience);
  await succeed("kubectl -n platform rollout status deploy/forge-jobs --timeout=110s");
});

test("a Deployment is scaled to zero and back", async () => {
  const [down = "", up = ""] = commands("Scale", /scale/);
  await succeed(down);
  expect((await one("deploy", "forge-jobs"))?.spec?.replicas).toBe(0);
  await succeed(up);
  expect((await one("deploy", "forge-jobs"))?.spec?.replicas).toBe(1);
});

describe("a rollout", () => {
  test("has a status and a history", async () => {
    await succeed(...commands("Rollout: status, history, undo", /rollout (status|history)/));
  });

  test("is undone but for the configuration, and the settings take both back", async () => {
    const target = ["--target", "**forge/forge-runner", "--yes", "--skip-preview"];
    const up = async (...more: string[]) => stack.pulumi("up", ...target, ...more);
    const hash = async () => JSON.stringify((await one("deploy", "forge-runner"))?.spec?.template);
    const configuration = async () => JSON.stringify(await one("configmap", "forge-runner"));
    const runner = (concurrent?: number) =>
      stack.editSettings((settings) => {
        const forge = settings["hearth:forge"] as { runner: object };
        forge.runner = concurrent === undefined ? {} : { concurrent };
      });
    await succeed("kubectl -n platform rollout status deploy/forge-runner --timeout=110s");
    const before = await configuration();
    runner(7);
    const changed = await up();
    expect(changed.exitCode, changed.all).toBe(0);
    expect(await configuration()).not.toBe(before);
    const newer = await hash();

    const [undo = ""] = commands("Rollout: status, history, undo", /undo/);
    await succeed(undo.replace("forge-pages", "forge-runner"));
    expect(await hash()).not.toBe(newer);
    expect(await configuration()).toContain("concurrent = 7");

    const taken = await up("--refresh");
    expect(taken.exitCode, taken.all).toBe(0);
    expect(await hash()).toBe(newer);

    runner();
    const back = await up();
    expect(back.exitCode, back.all).toBe(0);
    expect(await configuration()).not.toContain("concurrent = 7");
  });
});

test("the forge is backed up by its schedule's Job", async () => {
  await succeed(...commands("Forge backup, list, restore", /create job/));
  await succeed("kubectl -n platform delete job forge-backup-now");
});

test("each database of a stack gets a Backup, which is done by the operator", async () => {
  const { status, stdout, stderr } = await hearth(folder, "backup", "--stack", "dev", "--sandbox", "--yes", "--json");
  expect(status, stderr).toBe(0);
  const made: { namespace: string; name: string; cluster: string }[] = JSON.parse(stdout).backups;
  expect(made.map(({ namespace }) => namespace).sort()).toEqual(["club", "platform", "team"]);
  for (const { namespace, name } of made) {
    await vi.waitFor(
      async () =>
        expect((await kubernetesObjects("backups.postgresql.cnpg.io", name, "-n", namespace))[0]?.status?.phase).toBe(
          "completed",
        ),
      patience,
    );
    await succeed(`kubectl -n ${namespace} delete backup.postgresql.cnpg.io ${name}`);
  }
  await succeed(...commands("Database backup", /^kubectl/));
});

test("an ExternalSecret is deleted and applied again while its Secret stays", async () => {
  const before = await one("secret", "forge-s3-credentials");
  const [get = "", remove = "", apply = ""] = commands("Secret refresh", /^kubectl/);
  await succeed(get, remove);
  expect((await one("secret", "forge-s3-credentials"))?.metadata.uid).toBe(before?.metadata.uid);
  await succeed(
    apply,
    "kubectl -n platform wait --for=condition=Ready externalsecret/forge-s3-credentials --timeout=60s",
  );
  expect((await one("secret", "forge-s3-credentials"))?.metadata.uid).toBe(before?.metadata.uid);
  await succeed("kubectl -n platform annotate externalsecret forge-s3-credentials force-sync=1 --overwrite");
});

test("in an emergency a pod is forced away, and a node emptied and taken back", async () => {
  const [force = "", cordon = "", drain = "", uncordon = ""] = commands("Emergency", /./);
  const before = (await one("pod", "forge-gitstore-0"))?.metadata.uid;
  await succeed(force);
  await vi.waitFor(async () => expect((await one("pod", "forge-gitstore-0"))?.metadata.uid).not.toBe(before), patience);
  // Budgets of single pods rightly hold a real drain up.
  await succeed(cordon, `${drain} --dry-run=server`, uncordon, "kubectl delete namespace platform --dry-run=server");
  expect((await kubernetesObjects("node", node))[0]?.spec?.unschedulable).toBeUndefined();
});
