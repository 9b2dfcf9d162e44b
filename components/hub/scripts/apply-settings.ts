/**
 * Job: makes the hub's settings true in a running hub, by its API. What is so already stays untouched, so that it may run at any time.
 * Node runs these files as they are mounted, without packages. What can't be done holds up nothing else, and is told at the end.
 *
 * SETTINGS_FILE: `HubSettings` as JSON; the rest as in `hub-api.ts`.
 */
import { readFileSync } from "node:fs";
import type { HubSettings } from "../configuration.ts";
import type { ExecHistory, GCHistory, Schedule } from "../generated/hub-api.ts";
import { applyLibrary, applyProject } from "./apply-projects.ts";
import { applyRobot, deleteRobots, knownRobots } from "./apply-robots.ts";
import { api, ready } from "./hub-api.ts";

const settings: HubSettings = JSON.parse(readFileSync(process.env.SETTINGS_FILE ?? "/settings/settings.json", "utf8"));
const problems: string[] = [];

async function step(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { message, cause } = error as Error;
    problems.push(`${what}: ${message}${cause instanceof Error ? ` (${cause.message})` : ""}`);
  }
}

async function applyGarbageCollection({ schedule: cron, deleteUntagged }: HubSettings["garbageCollection"]) {
  const now = await api<GCHistory>("GET", "/system/gc/schedule");
  const untagged = JSON.parse(now?.job_parameters || "{}").delete_untagged === true;
  if (now?.schedule?.cron === cron && untagged === deleteUntagged) return;
  const wanted: Schedule = { schedule: { type: "Custom", cron }, parameters: { delete_untagged: deleteUntagged } };
  await api(now?.schedule?.cron ? "PUT" : "POST", "/system/gc/schedule", wanted);
  console.log("Garbage collection: set its schedule.");
}

async function applyAuditLog(purge: HubSettings["auditLogPurge"]) {
  const path = "/system/purgeaudit/schedule";
  const now = await api<ExecHistory>("GET", path);
  const cron = now?.schedule?.cron;
  if (purge) {
    const parameters = JSON.parse(now?.job_parameters || "{}");
    const same = Object.entries(purge.parameters).every(([name, value]) => parameters[name] === value);
    if (cron === purge.schedule && same) return;
    const wanted: Schedule = { schedule: { type: "Custom", cron: purge.schedule }, parameters: purge.parameters };
    await api(cron ? "PUT" : "POST", path, wanted);
    console.log("Audit log: set the schedule of its purge.");
  } else if (cron) {
    // The hub asks for these, though it uses none of them.
    const unused = { audit_retention_hour: -1, include_event_types: "", include_operations: "" };
    const none: Schedule = { schedule: { type: "None" }, parameters: unused };
    await api("PUT", path, none);
    console.log("Audit log: removed the schedule of its purge.");
  }
}

await ready();
await step("Garbage collection", () => applyGarbageCollection(settings.garbageCollection));
await step("Audit log", () => applyAuditLog(settings.auditLogPurge));
const { libraryQuota, projects, robots } = settings;
if (libraryQuota !== undefined) await step("Project library", () => applyLibrary(libraryQuota));
for (const project of projects) await step(`Project ${project.name}`, () => applyProject(project));
await step("Robots", async () => {
  const known = await knownRobots();
  for (const robot of robots) await step(`Robot ${robot.name}`, () => applyRobot(robot, known));
  await deleteRobots(robots, known);
});
if (problems.length > 0) throw new Error(["These settings could not be applied:", ...problems].join("\n- "));
console.log("The hub has its settings.");
