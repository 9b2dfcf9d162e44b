import { controlPlanePaths } from "./control-plane/configuration.ts";
import { controlPlaneParts, partLog, partPid } from "./control-plane/parts.ts";
import { isRunning } from "./detached-process.ts";
import { isHealthy } from "./health.ts";
import { ownParts } from "./own-parts.ts";
import { pageAddress, pageHealth, pageLog } from "./page.ts";
import { type SandboxPaths, sandboxPaths } from "./paths.ts";
import { type OwnPart, readRecord, type SandboxRecord } from "./record.ts";
import { siteWebhookHealth, siteWebhookLog } from "./site-webhook.ts";

/** One part of the sandbox, as it is now. */
export interface PartStatus {
  readonly name: string;
  readonly state: "running" | "not answering" | "stopped";
  /** URL; absent for a part that listens nowhere or in several places, and before the first start. */
  readonly address?: string;
  readonly pid?: number;
  /** File that holds what the part writes. */
  readonly log: string;
}

/** Looks at every part; starts, builds and changes nothing. */
export async function sandboxStatus(name: string | undefined): Promise<PartStatus[]> {
  const paths = sandboxPaths(name);
  const files = controlPlanePaths(paths);
  const record = await readRecord(paths);

  const controlPlane = controlPlaneParts.map(async (part): Promise<PartStatus> => {
    const pid = partPid(files, part);
    const address = record && `${part.scheme}://127.0.0.1:${record.ports[part.name]}`;
    const healthy = pid !== undefined && address !== undefined && (await isHealthy(address + part.health));
    return { name: part.name, state: state(pid, healthy), address, pid, log: partLog(files, part) };
  });
  const own = ownParts.map(async (part): Promise<PartStatus> => {
    const recorded = record?.processes[part.name];
    const pid = isRunning(recorded) ? recorded.pid : undefined;
    const healthy = pid !== undefined && record !== undefined && (await part.isHealthy(record));
    const [port, ...others] = part.ports;
    const address = record && port && others.length === 0 ? `http://127.0.0.1:${record.ports[port]}` : undefined;
    return { name: part.name, state: state(pid, healthy), address, pid, log: part.log(paths) };
  });
  return Promise.all([...controlPlane, ...own, ...(record ? laterParts(record, paths) : [])]);
}

/** Parts that come with the stack: no row before they first ran. */
function laterParts(record: SandboxRecord, paths: SandboxPaths): Promise<PartStatus>[] {
  const { ports } = record;
  const parts: Array<{ name: OwnPart; address: string; health: string; log: string }> = [
    {
      name: "site-webhook",
      address: `http://127.0.0.1:${ports["site-webhook"]}`,
      health: siteWebhookHealth(record),
      log: siteWebhookLog(paths),
    },
    { name: "page", address: pageAddress(record), health: pageHealth(record), log: pageLog(paths) },
  ];
  return parts
    .filter(({ name }) => record.processes[name])
    .map(async ({ name, address, health, log }) => {
      const recorded = record.processes[name];
      const pid = isRunning(recorded) ? recorded.pid : undefined;
      const healthy = pid !== undefined && (await isHealthy(health));
      return { name, state: state(pid, healthy), address, pid, log };
    });
}

function state(pid: number | undefined, healthy: boolean): PartStatus["state"] {
  if (pid === undefined) return "stopped";
  return healthy ? "running" : "not answering";
}
