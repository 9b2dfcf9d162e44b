import { controlPlanePaths } from "./control-plane/configuration.ts";
import { controlPlaneParts, partLog, partPid } from "./control-plane/parts.ts";
import { isRunning } from "./detached-process.ts";
import { isHealthy } from "./health.ts";
import { ownParts } from "./own-parts.ts";
import { type SandboxPaths, sandboxPaths } from "./paths.ts";
import { readRecord, type SandboxRecord } from "./record.ts";
import { siteWebhookHealth, siteWebhookLog } from "./site-webhook.ts";

/** One part of the sandbox, as it is now. */
export interface PartStatus {
  readonly name: string;
  readonly state: "running" | "not answering" | "stopped";
  /** URL; absent for a part that listens nowhere and before the first start. */
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
    const pid = await partPid(files, part);
    const address = record && `${part.scheme}://127.0.0.1:${record.ports[part.name]}`;
    const healthy = pid !== undefined && address !== undefined && (await isHealthy(address + part.health));
    return { name: part.name, state: state(pid, healthy), address, pid, log: partLog(files, part) };
  });
  const own = ownParts.map(async (part): Promise<PartStatus> => {
    const recorded = record?.processes[part.name];
    const pid = isRunning(recorded) ? recorded.pid : undefined;
    const healthy = pid !== undefined && record !== undefined && (await part.isHealthy(record));
    const address = record && part.port && `http://127.0.0.1:${record.ports[part.port]}`;
    return { name: part.name, state: state(pid, healthy), address, pid, log: part.log(paths) };
  });
  return Promise.all([...controlPlane, ...own, ...(record ? siteWebhook(record, paths) : [])]);
}

/** The webhook's container; no row before the stack has deployed one. */
function siteWebhook(record: SandboxRecord, paths: SandboxPaths): Promise<PartStatus>[] {
  const recorded = record.processes["site-webhook"];
  if (!recorded) return [];
  const row = async (): Promise<PartStatus> => {
    const pid = isRunning(recorded) ? recorded.pid : undefined;
    const healthy = pid !== undefined && (await isHealthy(siteWebhookHealth(record)));
    const address = `http://127.0.0.1:${record.ports["site-webhook"]}`;
    return { name: "site-webhook", state: state(pid, healthy), address, pid, log: siteWebhookLog(paths) };
  };
  return [row()];
}

function state(pid: number | undefined, healthy: boolean): PartStatus["state"] {
  if (pid === undefined) return "stopped";
  return healthy ? "running" : "not answering";
}
