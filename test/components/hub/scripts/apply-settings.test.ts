import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { HubSettings } from "@hearth-platform/hearth/hub/configuration";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeHub } from "./fake-hub.ts";

const script = join(import.meta.dirname, "../../../../components/hub/scripts/apply-settings.ts");
const password = "Administrat0r";

const settings: HubSettings = {
  garbageCollection: { schedule: "0 0 3 * * 0", deleteUntagged: true },
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
      proxyCache: { kind: "docker-hub", url: "https://hub.docker.com", user: "reader" },
    },
  ],
  robots: [
    { name: "ci", projects: ["team"], access: "push" },
    { name: "cluster", projects: ["team", "mirror"], access: "pull" },
  ],
};

let folder: string;
let hub: FakeHub;

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
  vi.resetModules();
  const error = await import(script).then(
    () => undefined,
    (failure: Error) => failure,
  );
  return { error, log: log.mock.calls.join("\n") };
}

/** What the hub holds, to compare. */
function state() {
  const { robots, projects, registries, quotas, retentions, schedule } = hub;
  return structuredClone({ robots, projects, registries, quotas, retentions, schedule });
}

test("an empty hub gets all of the settings", async () => {
  expect(await run()).toMatchObject({ error: undefined });
  const id = (name: string) => hub.projects.find((project) => project.name === name)?.project_id;
  const quota = (name: string) => hub.quotas.find(({ ref }) => ref === id(name))?.hard.storage;
  expect(hub.schedule).toEqual({
    schedule: { type: "Custom", cron: "0 0 3 * * 0" },
    parameters: { delete_untagged: true },
  });
  expect(hub.projects).toMatchObject([
    { name: "team", metadata: { public: "false" } },
    { name: "mirror", metadata: { public: "true" }, registry_id: hub.registries[0]?.id },
  ]);
  expect([quota("team"), quota("mirror")]).toEqual([1024, -1]);
  expect(hub.registries).toMatchObject([
    {
      name: "mirror",
      type: "docker-hub",
      url: "https://hub.docker.com",
      credential: { access_key: "reader", access_secret: "upstream" },
    },
  ]);
  // The policy that a cache comes with is gone: the settings have none.
  expect(hub.retentions).toMatchObject([
    {
      scope: { level: "project", ref: id("team") },
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
    },
  ]);
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

test("a second run makes and deletes nothing, and leaves all as it was", async () => {
  await run();
  const before = state();
  expect(await run()).toMatchObject({ error: undefined });
  expect(state()).toEqual(before);
  expect(hub.writes.filter((write) => /^(POST|DELETE)/.test(write))).toEqual([]);
});

test("what changed in the settings changes in the hub", async () => {
  await run();
  const [team, mirror] = settings.projects;
  if (!team || !mirror) throw new Error("two projects");
  const { retention: _, ...kept } = team;
  const changed = {
    garbageCollection: { schedule: "0 30 4 * * *", deleteUntagged: false },
    projects: [{ ...kept, public: true, storageQuota: 2048 }, mirror],
    robots: settings.robots.slice(1),
  };
  expect(await run(changed)).toMatchObject({ error: undefined });
  expect(hub.schedule).toMatchObject({ schedule: { cron: "0 30 4 * * *" }, parameters: { delete_untagged: false } });
  expect(hub.projects[0]?.metadata).toEqual({ public: "true" });
  expect(hub.quotas[0]?.hard).toEqual({ storage: 2048 });
  expect(hub.retentions).toEqual([]);
  expect(hub.robots.map(({ name }) => name)).toEqual(["robot$cluster"]);
});

test("what was made by hand stays: robots, projects, more than a page of them", async () => {
  for (let index = 0; index < 120; index++)
    hub.robots.push({ id: 10_000 + index, name: `robot$hand${index}`, description: "by hand", secret: "x" });
  await run();
  expect(await run({ ...settings, projects: [], robots: [] })).toMatchObject({ error: undefined });
  expect(hub.robots).toHaveLength(120);
  expect(hub.projects).toHaveLength(2);
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
    "another administrator's password",
    () => {
      writeFileSync(join(folder, "administrator"), "wrong");
      return settings;
    },
    "GET /system/gc/schedule: 401 unauthorized",
  ],
  [
    "a registry elsewhere that does not answer",
    () => {
      hub.outside = false;
      return settings;
    },
    "POST /registries: 400 the registry is unhealthy",
  ],
  [
    "a robot's project that is not there",
    () => ({ ...settings, robots: [{ name: "ci", projects: ["nowhere"], access: "pull" }] }),
    "POST /robots: 404 project nowhere not found",
  ],
  [
    "a project that shall become a cache",
    () => {
      hub.projects.push({ project_id: 1, name: "mirror", metadata: { public: "true" } });
      return settings;
    },
    "Project mirror can't become or stop being a cache of https://hub.docker.com",
  ],
];

test.each(mistakes)("%s ends it, with the hub's reason and no secret", async (_, wanted, message) => {
  const { error, log } = await run(wanted());
  expect(error?.message).toContain(message);
  for (const secret of [password, "Robot-ci-1", "upstream"]) expect(`${error?.stack}${log}`).not.toContain(secret);
});

/** As the pod does: Node alone, without packages. */
const inPod = () =>
  execa(process.execPath, [script], { env: environment(settings), extendEnv: false, all: true, reject: false });

test("Node runs it as the file it is, tells what it did, and ends with 1 where it can't", async () => {
  const { exitCode, all } = await inPod();
  expect(exitCode).toBe(0);
  expect(all).toMatch(
    /^Garbage collection: set its schedule\.[\s\S]*Robot cluster: made\.\nThe hub has its settings\.$/,
  );
  hub.outside = false;
  hub.registries.length = 0;
  expect(await inPod()).toMatchObject({ exitCode: 1, all: expect.stringContaining("the registry is unhealthy") });
});
