/**
 * Projects of the settings with what belongs to them: registry, quota, retention. (goharbor/harbor src/server/v2.0/handler, project.go,
 * registry.go, quota.go and retention.go)
 */
import type { ProjectSettings, RetentionRule } from "../configuration.ts";
import type {
  Project,
  ProjectReq,
  RetentionRule as PublishedRule,
  Quota,
  QuotaUpdateReq,
  Registry,
  RegistryUpdate,
  RetentionPolicy,
} from "../generated/hub-api.ts";
import { all, api, secret, type With } from "./hub-api.ts";

type KnownProject = With<Project, "project_id" | "metadata">;
type KnownRegistry = With<Registry, "id">;
type CacheSettings = NonNullable<ProjectSettings["proxyCache"]>;

/** Makes what is wanted true of one project. */
export async function applyProject(wanted: ProjectSettings): Promise<void> {
  const path = `/projects/${encodeURIComponent(wanted.name)}`;
  const now = await api<KnownProject>("GET", path);
  if (!now) await makeProject(wanted);
  else {
    await applyCache(wanted, now);
    const metadata = { public: String(wanted.public) };
    if (now.metadata.public !== metadata.public) {
      await api("PUT", path, { metadata } satisfies ProjectReq);
      console.log(`Project ${wanted.name}: ${wanted.public ? "public" : "private"} now.`);
    }
  }
  const project = now ?? (await api<KnownProject>("GET", path));
  if (!project) throw new Error("It was made, yet the hub does not know it.");
  await applyQuota(wanted.name, wanted.storageQuota, project.project_id);
  await applyRetention(wanted, project);
}

/** Makes the quota true of the project that every hub has; who deleted it is not contradicted. */
export async function applyLibrary(storageQuota: number): Promise<void> {
  const project = await api<KnownProject>("GET", "/projects/library");
  if (project) await applyQuota("library", storageQuota, project.project_id);
}

async function makeProject(wanted: ProjectSettings): Promise<void> {
  const { name, proxyCache: cache } = wanted;
  const found = cache && (await all<KnownRegistry>("/registries")).find((registry) => registry.name === name);
  if (cache && found) await applyRegistry(name, cache, found);
  const registry = cache && (found?.id ?? (await makeRegistry(name, cache)));
  const project: ProjectReq = {
    project_name: name,
    metadata: { public: String(wanted.public) },
    storage_limit: wanted.storageQuota,
    ...(registry !== undefined && { registry_id: registry }),
  };
  try {
    await api("POST", "/projects", project);
  } catch (error) {
    if (registry !== undefined && !found) await api("DELETE", `/registries/${registry}`);
    throw error;
  }
  console.log(`Project ${name}: made.`);
}

/** What a project that is there already is a cache of. */
async function applyCache({ name, proxyCache: cache }: ProjectSettings, { registry_id: id }: KnownProject) {
  if (!cache && !id) return;
  if (!cache || !id)
    throw new Error(
      `It can't become or stop being a cache of ${cache?.url ?? "another registry"}: ` +
        "write another name; the project that is there keeps its images.",
    );
  const registry = await api<KnownRegistry>("GET", `/registries/${id}`);
  if (!registry) throw new Error(`Its registry ${id} is not in the hub.`);
  await applyRegistry(name, cache, registry);
}

/** Which password the registry has: what it is the hub doesn't tell. */
function mark({ user, passwordRevision }: CacheSettings): string {
  return user === undefined ? "Made by hearth" : `Made by hearth, password of revision ${passwordRevision}`;
}

async function makeRegistry(name: string, cache: CacheSettings): Promise<number> {
  const { kind: type, url, user } = cache;
  const credential = user !== undefined && {
    type: "basic",
    access_key: user,
    access_secret: secret(`proxy-caches/${name}`),
  };
  const wanted: Registry = { name, type, url, description: mark(cache), ...(credential && { credential }) };
  await api("POST", "/registries", wanted);
  const made = (await all<KnownRegistry>("/registries")).find((registry) => registry.name === name);
  if (!made) throw new Error("Its registry was made, yet the hub does not know it.");
  console.log(`Registry ${name}: made.`);
  return made.id;
}

async function applyRegistry(name: string, cache: CacheSettings, now: KnownRegistry): Promise<void> {
  const { kind, url, user } = cache;
  if (now.type !== kind)
    throw new Error(`Its registry is of kind ${now.type} and can't become ${kind}: write another project.`);
  const isSo =
    now.url === url &&
    (now.credential?.access_key ?? "") === (user ?? "") &&
    (user === undefined || now.description === mark(cache));
  if (isSo) return;
  const wanted: RegistryUpdate = {
    url,
    description: mark(cache),
    credential_type: user === undefined ? "" : "basic",
    access_key: user ?? "",
    access_secret: user === undefined ? "" : secret(`proxy-caches/${name}`),
  };
  await api("PUT", `/registries/${now.id}`, wanted);
  console.log(`Registry ${name}: set its URL and credentials.`);
}

async function applyQuota(name: string, storage: number, project: number): Promise<void> {
  const [quota] = (await api<With<Quota, "id">[]>("GET", `/quotas?reference=project&reference_id=${project}`)) ?? [];
  if (!quota || quota.hard?.storage === storage) return;
  await api("PUT", `/quotas/${quota.id}`, { hard: { storage } } satisfies QuotaUpdateReq);
  console.log(`Project ${name}: set its quota.`);
}

async function applyRetention({ name, retention, proxyCache }: ProjectSettings, project: KnownProject) {
  const id = Number(project.metadata.retention_id) || undefined;
  if (!retention) {
    // The hub gives a cache one by itself: without a word in the settings it is not theirs.
    if (id === undefined || proxyCache) return;
    await api("DELETE", `/retentions/${id}`);
    console.log(`Project ${name}: images stay now.`);
    return;
  }
  const wanted: RetentionPolicy = {
    ...(id !== undefined && { id }),
    algorithm: "or",
    scope: { level: "project", ref: project.project_id },
    trigger: { kind: "Schedule", settings: { cron: retention.schedule }, references: {} },
    rules: retention.rules.map(retentionRule),
  };
  const now = id === undefined ? undefined : await api<RetentionPolicy>("GET", `/retentions/${id}`);
  if (now && essence(now) === essence(wanted)) return;
  await api(id ? "PUT" : "POST", id ? `/retentions/${id}` : "/retentions", wanted);
  console.log(`Project ${name}: set which images stay.`);
}

/** What makes a policy the same as another, whatever the hub adds to it. */
function essence({ trigger, rules = [] }: RetentionPolicy): string {
  const settings = trigger?.settings as { cron?: string } | undefined;
  const patterns = (selectors: PublishedRule["tag_selectors"] = []) =>
    selectors.map(({ kind, decoration, pattern }) => [kind, decoration, pattern]);
  return JSON.stringify([
    trigger?.kind,
    settings?.cron,
    rules.map(({ action, template, params, disabled, tag_selectors, scope_selectors }) => [
      [action, template, params, disabled ?? false],
      patterns(tag_selectors),
      patterns(scope_selectors?.repository),
    ]),
  ]);
}

function retentionRule(rule: RetentionRule): PublishedRule {
  const counts = {
    latestPushedK: rule.latestPushed,
    latestPulledN: rule.latestPulled,
    nDaysSinceLastPush: rule.pushedWithinDays,
    nDaysSinceLastPull: rule.pulledWithinDays,
  };
  const [template, count] = Object.entries(counts).find(([, value]) => value !== undefined) ?? ["always", undefined];
  const selector = (decoration: string, pattern: string) => ({ kind: "doublestar", decoration, pattern });
  return {
    action: "retain",
    disabled: false,
    template,
    params: count === undefined ? {} : { [template]: count },
    scope_selectors: { repository: [selector("repoMatches", rule.repositories)] },
    tag_selectors: [selector("matches", rule.tags)],
  };
}
