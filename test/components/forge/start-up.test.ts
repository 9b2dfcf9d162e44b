import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { forgeProblems } from "@hearth-platform/hearth/forge/rules";
import { Awaited, awaitedMigrations, startUpChecks } from "@hearth-platform/hearth/forge/start-up";
import { defaultVersion } from "@hearth-platform/hearth/forge/versions";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import { completeForge, minimalForge, objectOf } from "./forge.ts";

/** The container that waits, of the pods that Rails serves from. */
function waiting(args: ForgeArgs, workload: string) {
  const { spec } = objectOf<Deployment>(args, `Deployment/${workload}`);
  const container = spec?.template.spec?.initContainers?.find(({ name }) => name === "dependencies");
  if (!container) throw new Error(`${workload} has no container that waits.`);
  return container;
}
const environment = (args: ForgeArgs, workload: string) =>
  Object.fromEntries((waiting(args, workload).env ?? []).map(({ name, value }) => [name, value]));

describe.each([
  ["forge-webservice", "/var/opt/gitlab/templates"],
  ["forge-jobs", "/var/opt/gitlab/templates"],
])("%s", (workload, templates) => {
  test("waits by the image's own check, started by the image's own entrypoint", () => {
    const { command, args } = waiting(completeForge, workload);
    expect(command).toBeUndefined();
    expect(args).toEqual(["/scripts/wait-for-deps"]);
  });

  test("tells the check where the configuration is, to leave out later migrations, and how long to wait", () => {
    expect(environment(minimalForge, workload)).toEqual({
      CONFIG_TEMPLATE_DIRECTORY: templates,
      CONFIG_DIRECTORY: "/srv/gitlab/config",
      ENABLE_BOOTSNAP: "1",
      GITLAB_PRODUCT_USAGE_DATA_ENABLED: "false",
      BYPASS_POST_DEPLOYMENT: "true",
      WAIT_FOR_TIMEOUT: "3600",
      SLEEP_DURATION: "1",
    });
  });

  // The check sets these for `rails-dependencies`; a value of ours would be that of another release.
  test("leaves alone what the check sets itself, and skips no check of the schema", () => {
    for (const name of [
      "SCHEMA_VERSION",
      "SCHEMA_VERSIONS_DIR",
      "DATABASE_FILE",
      "CLICKHOUSE_DATABASE_FILE",
      "BYPASS_SCHEMA_VERSION",
    ])
      expect(environment(completeForge, workload)).not.toHaveProperty(name);
  });

  test("finds the templates of the database and the keystore, the secrets they read and secrets.yml", () => {
    const mounts = (waiting(completeForge, workload).volumeMounts ?? []).map(({ mountPath }) => mountPath);
    expect(mounts).toEqual(
      expect.arrayContaining([templates, expect.stringMatching(/^\/etc\/gitlab/), "/srv/gitlab/config/secrets.yml"]),
    );
    const { data } = objectOf<Required<ConfigMap>>(completeForge, `ConfigMap/${workload}`);
    expect(Object.keys(data)).toEqual(expect.arrayContaining(["database.yml.erb", "resque.yml.erb", "cable.yml.erb"]));
  });
});

describe("the images' checks", () => {
  const problems = (change: Partial<ForgeArgs>) =>
    forgeProblems({ ...completeForge, ...change }).map(({ code, path }) => `${code} ${path}`);

  test("stand by release, from the first, each with its source", () => {
    const [{ since }] = startUpChecks;
    expect(since).toBe("18.0.0");
    for (const { source } of startUpChecks) expect(source).toMatch(/^gitlab-org\//);
  });

  test.each([
    ["18.0.0", Awaited.allMigrations],
    ["18.4.6", Awaited.allMigrations],
    ["18.5.0", Awaited.regularMigrations],
    [defaultVersion, Awaited.regularMigrations],
  ])("of %s waits for %s", (version, awaited) => {
    expect(awaitedMigrations({ version })).toBe(awaited);
  });

  test("that wait for all migrations can't start a forge whose last migrations come after the pods", () => {
    expect(problems({ version: "18.4.6" })).toEqual(["forge-start version"]);
    const [problem] = forgeProblems({ ...completeForge, version: "18.4.6" });
    expect(problem?.message).toContain("18.4.6 wait for all migrations");
    expect(problem?.remedy).toContain("`downtime: true`");
  });

  test("start it with downtime, where all migrations come first, and in later releases", () => {
    expect(problems({ version: "18.4.6", downtime: true })).toEqual([]);
    expect(problems({ version: "18.5.0" })).toEqual([]);
  });
});
