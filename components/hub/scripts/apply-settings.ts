/**
 * Job: makes the hub's settings true in a running hub, by its API. What is so already stays untouched, so that it may run at any time.
 * Node runs these files as they are mounted, without packages. What can't be done holds up nothing else, and is told at the end.
 *
 * SETTINGS_FILE: `HubSettings` as JSON; the rest as in `hub-api.ts`.
 */
import { readFileSync } from "node:fs";
import type { HubSettings } from "../configuration.ts";
import type { GCHistory, Schedule } from "../generated/hub-api.ts";
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

await ready();
await step("Garbage collection", () => applyGarbageCollection(settings.garbageCollection));
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
