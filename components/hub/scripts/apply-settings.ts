/**
 * Job: makes the hub's settings true in a running hub, by its API. What is so already stays untouched, so that it may run at any time.
 * One file without packages: Node runs it as it is mounted. (goharbor/harbor api/v2.0/swagger.yaml)
 *
 * HUB_URL: core inside the cluster. HUB_USER: its administrator.
 * SETTINGS_FILE: `HubSettings` as JSON. SECRETS: folder of the passwords `administrator`, `robots/<name>` and `proxy-caches/<project>`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { HubSettings, ProjectSettings, RetentionRule, RobotSettings } from "../configuration.ts";

interface Project {
  readonly project_id: number;
  readonly registry_id?: number;
  readonly metadata: { readonly public?: string; readonly retention_id?: string };
}
interface Quota {
  readonly id: number;
  readonly hard: { readonly storage: number };
}
interface Registry {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly url: string;
  readonly credential?: { readonly access_key?: string };
}
interface Robot {
  readonly id: number;
  readonly name: string;
  readonly description?: string;
}
interface Schedule {
  readonly job_parameters?: string;
  readonly schedule?: { readonly cron?: string };
}

/** Tells the robots of the settings from those made by hand. */
const ours = "Made by hearth";
const patienceSeconds = 300;

const { HUB_URL: url = "", HUB_USER: user = "", SETTINGS_FILE, SECRETS = "/secrets" } = process.env;
const settings: HubSettings = JSON.parse(readFileSync(SETTINGS_FILE ?? "/settings/settings.json", "utf8"));
const authorization = `Basic ${Buffer.from(`${user}:${secret("administrator")}`).toString("base64")}`;

function secret(file: string): string {
  return readFileSync(join(SECRETS, file), "utf8").trim();
}

/** @returns the answer's JSON; undefined where there is none, or nothing of that name */
async function api<T>(method: string, path: string, body?: unknown): Promise<T | undefined> {
  const response = await fetch(`${url}/api/v2.0${path}`, {
    method,
    headers: {
      authorization,
      "content-type": "application/json",
      // A project may be called 42.
      "x-is-resource-name": "true",
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  if (method === "GET" && response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${reason(text)}`);
  return text && method === "GET" ? JSON.parse(text) : undefined;
}

function reason(text: string): string {
  try {
    return JSON.parse(text)
      .errors.map(({ message }: { message: string }) => message)
      .join("; ");
  } catch {
    return text;
  }
}

async function ready(): Promise<void> {
  const deadline = Date.now() + patienceSeconds * 1000;
  for (;;) {
    const response = await fetch(`${url}/api/v2.0/ping`, { signal: AbortSignal.timeout(10_000) }).catch(
      () => undefined,
    );
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error(`${url} did not answer within ${patienceSeconds} s.`);
    await delay(1000);
  }
}

/** All of a list that comes in pages. */
async function all<T>(path: string): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; ; page++) {
    const part = (await api<T[]>("GET", `${path}?page=${page}&page_size=100`)) ?? [];
    found.push(...part);
    if (part.length < 100) return found;
  }
}

async function applyGarbageCollection({ schedule: cron, deleteUntagged }: HubSettings["garbageCollection"]) {
  const now = await api<Schedule>("GET", "/system/gc/schedule");
  const untagged = JSON.parse(now?.job_parameters || "{}").delete_untagged === true;
  if (now?.schedule?.cron === cron && untagged === deleteUntagged) return;
  await api(now?.schedule?.cron ? "PUT" : "POST", "/system/gc/schedule", {
    schedule: { type: "Custom", cron },
    parameters: { delete_untagged: deleteUntagged },
  });
  console.log("Garbage collection: set its schedule.");
}

async function applyProject(wanted: ProjectSettings) {
  const registry = wanted.proxyCache && (await applyRegistry(wanted.name, wanted.proxyCache));
  const path = `/projects/${encodeURIComponent(wanted.name)}`;
  const metadata = { public: String(wanted.public) };
  let project = await api<Project>("GET", path);
  if (!project) {
    await api("POST", "/projects", {
      project_name: wanted.name,
      metadata,
      storage_limit: wanted.storageQuota,
      ...(registry !== undefined && { registry_id: registry }),
    });
    console.log(`Project ${wanted.name}: made.`);
    project = await api<Project>("GET", path);
    if (!project) throw new Error(`Project ${wanted.name} was made, yet the hub does not know it.`);
  } else {
    if ((project.registry_id || undefined) !== registry)
      throw new Error(
        `Project ${wanted.name} can't become or stop being a cache of ${wanted.proxyCache?.url ?? "another registry"}: ` +
          "write another name, or delete the project in the hub first.",
      );
    if (project.metadata.public !== metadata.public) {
      await api("PUT", path, { metadata });
      console.log(`Project ${wanted.name}: ${wanted.public ? "public" : "private"} now.`);
    }
  }
  await applyQuota(wanted, project.project_id);
  await applyRetention(wanted, project);
}

async function applyQuota({ name, storageQuota: storage }: ProjectSettings, project: number) {
  const [quota] = (await api<Quota[]>("GET", `/quotas?reference=project&reference_id=${project}`)) ?? [];
  if (!quota || quota.hard.storage === storage) return;
  await api("PUT", `/quotas/${quota.id}`, { hard: { storage } });
  console.log(`Project ${name}: set its quota.`);
}

async function applyRetention({ name, retention }: ProjectSettings, { project_id, metadata }: Project) {
  const id = metadata.retention_id && Number(metadata.retention_id);
  if (!retention) {
    if (!id) return;
    await api("DELETE", `/retentions/${id}`);
    console.log(`Project ${name}: images stay now.`);
    return;
  }
  const policy = {
    ...(id && { id }),
    algorithm: "or",
    scope: { level: "project", ref: project_id },
    trigger: { kind: "Schedule", settings: { cron: retention.schedule }, references: {} },
    rules: retention.rules.map(retentionRule),
  };
  await api(id ? "PUT" : "POST", id ? `/retentions/${id}` : "/retentions", policy);
  console.log(`Project ${name}: set which images stay.`);
}

function retentionRule(rule: RetentionRule) {
  const counts = {
    latestPushedK: rule.latestPushed,
    latestPulledN: rule.latestPulled,
    nDaysSinceLastPush: rule.pushedWithinDays,
    nDaysSinceLastPull: rule.pulledWithinDays,
  };
  const [template, count] = Object.entries(counts).find(([, value]) => value !== undefined) ?? ["always", undefined];
  const selector = (decoration: string, pattern = "**") => ({ kind: "doublestar", decoration, pattern });
  return {
    action: "retain",
    disabled: false,
    template,
    params: count === undefined ? {} : { [template]: count },
    scope_selectors: { repository: [selector("repoMatches", rule.repositories)] },
    tag_selectors: [selector("matches", rule.tags)],
  };
}

/** @returns the registry's id */
async function applyRegistry(project: string, cache: NonNullable<ProjectSettings["proxyCache"]>): Promise<number> {
  const password = cache.user === undefined ? "" : secret(`proxy-caches/${project}`);
  const find = async () => (await all<Registry>("/registries")).find(({ name }) => name === project);
  const now = await find();
  if (!now) {
    const credential = { type: "basic", access_key: cache.user, access_secret: password };
    await api("POST", "/registries", {
      name: project,
      type: cache.kind,
      url: cache.url,
      ...(cache.user !== undefined && { credential }),
    });
    const made = await find();
    if (!made) throw new Error(`Registry ${project} was made, yet the hub does not know it.`);
    console.log(`Registry ${project}: made.`);
    return made.id;
  }
  if (now.type !== cache.kind)
    throw new Error(
      `Registry ${project} is of kind ${now.type} and can't become ${cache.kind}: write another project.`,
    );
  // Whether the password is the same the hub doesn't tell.
  if (now.url !== cache.url || cache.user !== undefined || now.credential?.access_key) {
    await api("PUT", `/registries/${now.id}`, {
      url: cache.url,
      credential_type: cache.user === undefined ? "" : "basic",
      access_key: cache.user ?? "",
      access_secret: password,
    });
    console.log(`Registry ${project}: set its URL and credentials.`);
  }
  return now.id;
}

async function applyRobots(wanted: readonly RobotSettings[]) {
  const known = await all<Robot>("/robots");
  for (const robot of wanted) await applyRobot(robot, known);
  const names = new Set(wanted.map(({ name }) => fullName(name)));
  for (const { id, name, description } of known)
    if (description === ours && !names.has(name)) {
      await api("DELETE", `/robots/${id}`);
      console.log(`Robot ${name}: deleted.`);
    }
}

function fullName(robot: string): string {
  return `robot$${robot}`;
}

async function applyRobot({ name, projects, access }: RobotSettings, known: readonly Robot[]) {
  const actions = access === "push" ? ["pull", "push"] : ["pull"];
  const robot = {
    description: ours,
    level: "system",
    duration: -1,
    disable: false,
    permissions: projects.map((namespace) => ({
      kind: "project",
      namespace,
      access: actions.map((action) => ({ resource: "repository", action })),
    })),
  };
  let id = known.find((other) => other.name === fullName(name))?.id;
  if (id === undefined) {
    await api("POST", "/robots", { name, ...robot });
    id = (await all<Robot>("/robots")).find((other) => other.name === fullName(name))?.id;
    if (id === undefined) throw new Error(`Robot ${name} was made, yet the hub does not know it as ${fullName(name)}.`);
    console.log(`Robot ${name}: made.`);
  } else await api("PUT", `/robots/${id}`, { name: fullName(name), ...robot });
  await api("PATCH", `/robots/${id}`, { secret: secret(`robots/${name}`) });
}

await ready();
await applyGarbageCollection(settings.garbageCollection);
for (const project of settings.projects) await applyProject(project);
await applyRobots(settings.robots);
console.log("The hub has its settings.");
