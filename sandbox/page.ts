import { join } from "node:path";
import { contentHash } from "./content-hash.ts";
import { isRunning, startDetached, stopDetached } from "./detached-process.ts";
import { sandboxStack } from "./environment.ts";
import { isHealthy, waitUntil } from "./health.ts";
import { withLock } from "./lock.ts";
import { checkout, type SandboxPaths } from "./paths.ts";
import { choosePorts } from "./ports.ts";
import { createProgress, type Progress } from "./progress.ts";
import { readRecord, type SandboxRecord, writeRecord } from "./record.ts";
import type { Sandbox } from "./started-sandbox.ts";

/** Where the page answers. */
export function pageAddress({ ports }: SandboxRecord): string {
  return `http://127.0.0.1:${ports.page}`;
}

export function pageHealth(record: SandboxRecord): string {
  return `${pageAddress(record)}/healthz`;
}

export function pageLog(paths: SandboxPaths): string {
  return join(paths.logs, "page.log");
}

/** What the page is made of: `./hearth status --page`. */
const codeOfPage = ["cli", "stack", "components", "policy", "package-lock.json"];

/**
 * Starts the sandbox's page; one that runs is left alone, unless its code has changed, which reads the stack, or the API server moved.
 * @returns its address
 * @throws when it does not start
 */
export async function startPage(sandbox: Sandbox, progress: Progress = createProgress()): Promise<string> {
  const waiting = () => progress.step("Waiting for another start of the page");
  // Of two starts at once the second ends the first's page, which is recorded by then.
  return withLock(sandbox.paths.folder, { stale: 15_000, patience: 10 * 60_000, waiting }, () => start(sandbox));
}

async function start(sandbox: Sandbox): Promise<string> {
  const { paths } = sandbox;
  const old = (await readRecord(paths)) ?? sandbox.record;
  const code = `${await contentHash(codeOfPage)} ${old.ports["kube-apiserver"]}`;
  const isCurrent = old.code?.page === code && isRunning(old.processes.page) && (await isHealthy(pageHealth(old)));
  if (isCurrent) return pageAddress(old);
  await stopDetached(old.processes.page);
  const { ports } = await choosePorts(old.ports, ["page"]);
  const record = { ...old, ports };
  const identity = await startDetached({
    program: process.execPath,
    args: [
      ...[join(checkout, "cli", "main.mjs"), "status", "--sandbox", "--stack", sandboxStack],
      ...["--page", "--port", String(ports.page)],
    ],
    env: { ...process.env, HEARTH_SANDBOX: paths.name },
    cwd: checkout,
    log: pageLog(paths),
  });
  const recorded = {
    ...record,
    processes: { ...record.processes, page: identity },
    code: { ...record.code, page: code },
  };
  await writeRecord(paths, recorded);
  const answers = async () => !isRunning(identity) || (await isHealthy(pageHealth(recorded)));
  if (!(await waitUntil(answers, 30_000)) || !isRunning(identity))
    throw new Error(`The sandbox's page did not start: see ${pageLog(paths)}.`);
  return pageAddress(recorded);
}
