import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { HubSettings } from "@hearth-platform/hearth/hub/configuration";
import { execa } from "execa";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeHub } from "./fake-hub.ts";

const scripts = join(import.meta.dirname, "../../../../components/hub/scripts");
const script = join(scripts, "apply-settings.ts");
const password = "Administrat0r";

const settings: HubSettings = {
  garbageCollection: { schedule: "0 0 3 * * 0", deleteUntagged: true },
  auditLogPurge: {
    schedule: "0 0 2 * * *",
    parameters: { audit_retention_hour: 2160, dry_run: false, include_event_types: "pull_artifact,other" },
  },
  libraryQuota: 4096,
  projects: [
    {
      name: "team",
      public: false,
      storageQuota: 1024,
      retention: {
        schedule: "0 0 1 * * *",
        rules: [
          { repositories: "**", tags: "v*", latestPushed: 5 },
          { repositories: "**/tmp", tags: "**", pulledWithinDays: 3 },
        ],
      },
    },
    {
      name: "mirror",
      public: true,
      storageQuota: -1,
      proxyCache: { kind: "docker-hub", url: "https://hub.docker.com", user: "reader", passwordRevision: 0 },
    },
  ],
  robots: [
    { name: "ci", projects: ["team"], access: "push" },
    { name: "cluster", projects: ["team", "mirror"], access: "pull" },
  ],
};

let folder: string;
let hub: FakeHub;
let runs = 0;

// Each run has modules of its own: the query of its first one is passed on to what that imports.
const hooks = registerHooks({
  resolve(specifier, context, next) {
    const [query = ""] = /\?run=\d+$/.exec(context.parentURL ?? "") ?? [];
    const found = next(specifier, context);
    return found.url.startsWith("file:") ? { ...found, url: found.url + query } : found;
  },
});
afterAll(() => hooks.deregister());

vi.setConfig({ testTimeout: 60_000 });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-hub-"));
  hub = await FakeHub.start(password);
  const secrets = {
    administrator: password,
    "robots/ci": "Robot-ci-1",
    "robots/cluster": "Robot-cluster-1",
    "proxy-caches/mirror": "upstream",
  };
  for (const [file, content] of Object.entries(secrets)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await hub[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
  expect(hub.problems).toEqual([]);
});

/** What the script is given, and nothing else of this machine. */
function environment(wanted: HubSettings): Record<string, string> {
  const file = join(folder, "settings.json");
  writeFileSync(file, JSON.stringify(wanted));
  hub.writes.length = 0;
  return { HUB_URL: hub.url, HUB_USER: "admin", SETTINGS_FILE: file, SECRETS: folder };
}

/** Runs the script in this process: what it says, and what it fails with. */
async function run(wanted: HubSettings = settings): Promise<{ error?: Error; log: string }> {
  for (const [name, value] of Object.entries(environment(wanted))) vi.stubEnv(name, value);
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  log.mockClear();
  runs += 1;
  const error = await import(`${script}?run=${runs}`).then(
    () => undefined,
    (failure: Error) => failure,
  );
  return { error, log: log.mock.calls.join("\n") };
}

/** What the hub holds, to compare. */
function state() {
  const { robots, projects, registries, quotas, retentions, schedule, purge } = hub;
  return structuredClone({ robots, projects, registries, quotas, retentions, schedule, purge });
}

const project = (name: string) => hub.projects.find((each) => each.name === name);
const quota = (name: string) => hub.quotas.find(({ ref }) => ref.id === project(name)?.project_id)?.hard.storage;
const retention = (name: string) => hub.retentions.find(({ scope }) => scope?.ref === project(name)?.project_id);
/** The settings with another cache. */
const withCache = (change: Partial<NonNullable<HubSettings["projects"][number]["proxyCache"]>>): HubSettings => ({
  ...settings,
  projects: settings.projects.map(({ proxyCache, ...rest }) => ({
    ...rest,
    ...(proxyCache && { proxyCache: { ...proxyCache, ...change } }),
  })),
});

test("an empty hub gets all of the settings", async () => {
  expect(await run()).toMatchObject({ error: undefined });
  expect(hub.schedule).toEqual({
    schedule: { type: "Custom", cron: "0 0 3 * * 0" },
    parameters: { delete_untagged: true },
  });
  expect(hub.purge).toEqual({
    schedule: { type: "Custom", cron: "0 0 2 * * *" },
    parameters: { audit_retention_hour: 2160, dry_run: false, include_event_types: "pull_artifact,other" },
  });
  expect(hub.projects).toMatchObject([
    { name: "library", metadata: { public: "true" } },
    { name: "team", metadata: { public: "false" } },
    { name: "mirror", metadata: { public: "true" }, registry_id: hub.registries[0]?.id },
  ]);
  expect([quota("library"), quota("team"), quota("mirror")]).toEqual([4096, 1024, -1]);
  expect(hub.registries).toMatchObject([
    {
      name: "mirror",
      type: "docker-hub",
      url: "https://hub.docker.com",
      credential: { access_key: "reader", access_secret: "upstream" },
    },
  ]);
  expect(retention("team")).toMatchObject({
    trigger: { kind: "Schedule", settings: { cron: "0 0 1 * * *" } },
    rules: [
      {
        template: "latestPushedK",
        params: { latestPushedK: 5 },
        scope_selectors: { repository: [{ decoration: "repoMatches", pattern: "**" }] },
        tag_selectors: [{ decoration: "matches", pattern: "v*" }],
      },
      {
        template: "nDaysSinceLastPull",
        scope_selectors: { repository: [{ pattern: "**/tmp" }] },
        tag_selectors: [{ pattern: "**" }],
      },
    ],
  });
  const may = (...actions: string[]) => actions.map((action) => ({ resource: "repository", action }));
  expect(hub.robots).toMatchObject([
    {
      name: "robot$ci",
      secret: "Robot-ci-1",
      duration: -1,
      permissions: [{ namespace: "team", access: may("pull", "push") }],
    },
    {
      name: "robot$cluster",
      secret: "Robot-cluster-1",
      permissions: [
        { kind: "project", namespace: "team", access: may("pull") },
        { kind: "project", namespace: "mirror", access: may("pull") },
      ],
    },
  ]);
});

test("a cache keeps the retention that the hub gives it, unless the settings have one", async () => {
  await run();
  expect(retention("mirror")?.rules).toMatchObject([{ params: { nDaysSinceLastPull: 7 } }]);
  const rules = [{ repositories: "**", tags: "**", pulledWithinDays: 30 }];
  const kept = settings.projects.map((each) => ({ ...each, retention: { schedule: "0 0 1 * * *", rules } }));
  await run({ ...settings, projects: kept });
  expect(retention("mirror")?.rules).toMatchObject([{ params: { nDaysSinceLastPull: 30 } }]);
  // Taken out of the settings it is nobody's, as one made by hand.
  await run();
  expect(retention("mirror")?.rules).toMatchObject([{ params: { nDaysSinceLastPull: 30 } }]);
});

test("a second run writes nothing", async () => {
  await run();
  const before = state();
  expect(await run()).toEqual({ error: undefined, log: "The hub has its settings." });
  expect(hub.writes).toEqual([]);
  expect(state()).toEqual(before);
});

test("what changed in the settings changes in the hub, and nothing else", async () => {
  await run();
  const [team, mirror] = settings.projects;
  if (!team || !mirror) throw new Error("two projects");
  const { retention: _, ...kept } = team;
  const changed: HubSettings = {
    garbageCollection: { schedule: "0 30 4 * * *", deleteUntagged: false },
    auditLogPurge: settings.auditLogPurge,
    projects: [{ ...kept, public: true, storageQuota: 2048 }, mirror],
    robots: [{ name: "cluster", projects: ["*"], access: "pull" }],
  };
  expect(await run(changed)).toMatchObject({ error: undefined });
  expect(hub.writes.map((write) => write.replace(/\d+/, "#"))).toEqual([
    "PUT /system/gc/schedule",
    "PUT /projects/team",
    "PUT /quotas/#",
    "DELETE /retentions/#",
    "PUT /robots/#",
    "DELETE /robots/#",
  ]);
  expect(hub.schedule).toMatchObject({ schedule: { cron: "0 30 4 * * *" }, parameters: { delete_untagged: false } });
  expect(project("team")?.metadata).toEqual({ public: "true" });
  expect(quota("team")).toBe(2048);
  expect(retention("team")).toBeUndefined();
  expect(hub.robots).toMatchObject([{ name: "robot$cluster", permissions: [{ namespace: "*" }] }]);
});

const purge = settings.auditLogPurge ?? { schedule: "", parameters: {} };
test.each([
  ["at another time", { ...purge, schedule: "0 0 5 * * *" }],
  ["after other days", { ...purge, parameters: { ...purge.parameters, audit_retention_hour: 48 } }],
  ["of other entries", { ...purge, parameters: { ...purge.parameters, include_event_types: "other" } }],
])("the audit log is purged %s once the settings say so, whoever made its schedule", async (_, auditLogPurge) => {
  await run();
  expect(await run({ ...settings, auditLogPurge })).toMatchObject({ error: undefined });
  expect(hub.writes).toEqual(["PUT /system/purgeaudit/schedule"]);
  expect(hub.purge).toMatchObject({
    schedule: { cron: auditLogPurge.schedule },
    parameters: auditLogPurge.parameters,
  });
});

test("the audit log is purged no more where the settings keep all of it", async () => {
  const { auditLogPurge: _, ...kept } = settings;
  await run();
  expect(await run(kept)).toMatchObject({ error: undefined });
  expect(hub.purge).toBeUndefined();
  await run(kept);
  expect(hub.writes).toEqual([]);
});

test.each([
  ["URL", { url: "https://mirror.example.org" }],
  ["user", { user: "other" }],
  ["password's revision", { passwordRevision: 1 }],
])("a cache with another %s is told so once", async (_, change) => {
  await run();
  writeFileSync(join(folder, "proxy-caches/mirror"), "renewed");
  expect(await run(withCache(change))).toMatchObject({ error: undefined });
  expect(hub.writes).toEqual([`PUT /registries/${hub.registries[0]?.id}`]);
  expect(hub.registries[0]?.credential?.access_secret).toBe("renewed");
  await run(withCache(change));
  expect(hub.writes).toEqual([]);
});

test("a cache without a user any more is anonymous", async () => {
  await run();
  await run(withCache({ user: undefined, passwordRevision: undefined }));
  expect(hub.registries[0]?.credential).toEqual({});
  await run(withCache({ user: undefined, passwordRevision: undefined }));
  expect(hub.writes).toEqual([]);
});

test("a registry elsewhere that does not answer holds up nothing but its project; nothing of that is left", async () => {
  hub.unreachable.add("hub.docker.com");
  const { error } = await run();
  expect(error?.message).toBe(
    `These settings could not be applied:
- Project mirror: POST /registries: 400 the registry is unhealthy
- Robot cluster: POST /robots: 404 project mirror not found`,
  );
  expect(hub.robots.map(({ name }) => name)).toEqual(["robot$ci"]);
  expect(hub.registries).toEqual([]);
  hub.unreachable.clear();
  expect(await run()).toMatchObject({ error: undefined });
  expect(hub.robots).toHaveLength(2);
});

test("a cache that is there already needs no answer from elsewhere", async () => {
  await run();
  hub.unreachable.add("hub.docker.com");
  expect(await run()).toMatchObject({ error: undefined });
});

test.each([
  ["a project that shall become a cache", () => hub.projects.push({ project_id: 9, name: "mirror", metadata: {} })],
  ["a cache whose name the hub refuses", () => undefined],
])("%s leaves no registry behind", async (_, prepare) => {
  prepare();
  const name = project("mirror") ? "mirror" : "Mirror";
  writeFileSync(join(folder, `proxy-caches/${name}`), "upstream");
  const cache = withCache({}).projects.slice(1);
  const { error } = await run({ ...settings, projects: cache.map((each) => ({ ...each, name })), robots: [] });
  expect(error?.message).toContain(`Project ${name}: `);
  expect(hub.registries).toEqual([]);
});

test("`library` has its quota and stays as public as it is; a hub without it gets none", async () => {
  const only: HubSettings = {
    garbageCollection: settings.garbageCollection,
    projects: [],
    robots: [],
    libraryQuota: 10,
  };
  Object.assign(project("library")?.metadata ?? {}, { public: "false", retention_id: "7" });
  expect(await run(only)).toMatchObject({ error: undefined });
  expect([quota("library"), project("library")?.metadata.public]).toEqual([10, "false"]);
  hub.projects.length = 0;
  expect(await run(only)).toMatchObject({ error: undefined });
  expect(hub.projects).toEqual([]);
});

test("what was made by hand stays: robots, projects, more than a page of them", async () => {
  for (let index = 0; index < 120; index++)
    hub.robots.push({ id: 10_000 + index, name: `robot$hand${index}`, description: "by hand" });
  await run();
  expect(await run({ ...settings, projects: [], robots: [] })).toMatchObject({ error: undefined });
  expect(hub.robots).toHaveLength(120);
  expect(hub.projects).toHaveLength(3);
});

test("a robot whose password was changed in the hub has the settings' again", async () => {
  await run();
  for (const robot of hub.robots) Object.assign(robot, { secret: "other", disable: true });
  await run();
  expect(hub.robots).toMatchObject([
    { secret: "Robot-ci-1", disable: false },
    { secret: "Robot-cluster-1", disable: false },
  ]);
});

test("it waits for a core that starts", async () => {
  hub.starting = 1;
  expect(await run()).toMatchObject({ error: undefined });
});

const mistakes: [string, () => HubSettings, string][] = [
  [
    "another administrator's password ends it at once",
    () => {
      writeFileSync(join(folder, "administrator"), "wrong");
      return settings;
    },
    "GET /users/current: 401 unauthorized",
  ],
  [
    "a robot's project that is not there is told",
    () => ({ ...settings, robots: [{ name: "ci", projects: ["nowhere"], access: "pull" }] }),
    "Robot ci: POST /robots: 404 project nowhere not found",
  ],
  [
    "a schedule the hub refuses is told",
    () => ({ ...settings, garbageCollection: { schedule: "1 0 3 * * 0", deleteUntagged: true } }),
    "Garbage collection: POST /system/gc/schedule: 400 invalid cron string",
  ],
  [
    "a project that shall become a cache is told",
    () => {
      hub.projects.push({ project_id: 9, name: "mirror", metadata: { public: "true" } });
      return settings;
    },
    "Project mirror: It can't become or stop being a cache of https://hub.docker.com",
  ],
];

test.each(mistakes)("%s, with the hub's reason and no secret", async (_, wanted, message) => {
  const { error, log } = await run(wanted());
  expect(error?.message).toContain(message);
  for (const secret of [password, "Robot-ci-1", "upstream"]) expect(`${error?.stack}${log}`).not.toContain(secret);
});

/** As the pod does: Node alone, without packages, and the files as a ConfigMap's volume has them, behind links. */
function inPod() {
  const mounted = join(folder, "scripts");
  cpSync(scripts, join(mounted, "..data"), { recursive: true });
  for (const file of readdirSync(scripts)) symlinkSync(join("..data", file), join(mounted, file));
  const env = environment(settings);
  const run = () =>
    execa(process.execPath, [join(mounted, "apply-settings.ts")], { env, extendEnv: false, all: true, reject: false });
  return { run };
}

test("Node runs it as the files it is, tells what it did, and ends with 1 where it can't", async () => {
  const pod = inPod();
  const { exitCode, all } = await pod.run();
  expect(all).toMatch(
    /^Garbage collection: set its schedule\.[\s\S]*Robot cluster: made\.[\s\S]*\nThe hub has its settings\.$/,
  );
  expect(exitCode).toBe(0);
  hub.unreachable.add("hub.docker.com");
  hub.projects.splice(
    hub.projects.findIndex(({ name }) => name === "mirror"),
    1,
  );
  hub.registries.length = 0;
  expect(await pod.run()).toMatchObject({ exitCode: 1, all: expect.stringContaining("the registry is unhealthy") });
});
