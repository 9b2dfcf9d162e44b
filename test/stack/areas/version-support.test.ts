import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programs, releaseDay } from "@hearth-platform/hearth/catalogue/releases";
import { supportProblems } from "@hearth-platform/hearth/catalogue/support";
import { OfficeEngine } from "@hearth-platform/hearth/cloudsuite/args";
import { addDays } from "@hearth-platform/hearth/core/days";
import { checkConfigFile } from "@hearth-platform/stack/areas/suites/config-file";
import { formatProblem } from "@hearth-platform/stack/settings/report";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import { describe, expect, it, onTestFinished } from "vitest";
import { hearthOn } from "../../support/caller.ts";
import { good } from "../suite-file.ts";

const project = join(import.meta.dirname, "../../..");

function problemsOf(stack: string, today: string): string[] {
  const { source } = sourceFromFile(project, stack);
  return source ? checkStack(project, source, { today }).problems.map(formatProblem) : [];
}

/** The first day on which a default of the tables, less its notice, has something to be told of. */
const firstWarning = Array.from({ length: 400 }, (_, after) => addDays(releaseDay, after)).find((day) =>
  Object.values(programs).some((program) => supportProblems("", program, program.deployed, day).length > 0),
);

it.each(["dev", "prod"])("stack %s is clean from the release until the first end that the tables know", (stack) => {
  expect(firstWarning).toBe("2026-12-18");
  const days = Array.from({ length: 400 }, (_, after) => addDays(releaseDay, after));
  const before = days.filter((day) => day < (firstWarning ?? ""));
  expect(before.length).toBeGreaterThan(0);
  for (const day of before) expect(problemsOf(stack, day), day).toEqual([]);
  expect(problemsOf(stack, firstWarning ?? "")).toEqual([
    expect.stringMatching(
      /: warning: hearth:forge\.version: GitLab 19\.4 has had no fixes since 2026-12-17\. \[version-ended\]/,
    ),
  ]);
});

describe("a stack", () => {
  const judge = (settings: object, today: string) =>
    checkStack(project, { file: "Pulumi.test.yaml", values: { profile: "production", ...settings } }, { today })
      .problems.filter(({ code }) => code.startsWith("version-end"))
      .map(({ path }) => path);

  it("is judged by the versions it names, and by the defaults of the areas it has", () => {
    expect(
      judge({ forge: { version: "18.11.11" }, hub: { version: "2.12.1" }, database: { version: "14" } }, "2026-11-22"),
    ).toEqual(["hearth:forge.version", "hearth:hub.version", "hearth:database.version"]);
    expect(judge({ hub: {} }, "2030-12-31")).toEqual(["hearth:database.version", "hearth:keystore.version"]);
    expect(judge({}, "2030-12-31")).toEqual([]);
  });

  it("is judged by the programs of its suites' apps that are on", () => {
    const apps = {
      push: { enabled: true, version: "v1.3.5" },
      previews: { enabled: true, version: "20250101_000000" },
    };
    const suite = (own: object) => ({ cloudsuites: [{ name: "team", config: "suites/team/config.yaml", ...own }] });
    const ended = ["hearth:cloudsuites[0].push.version", "hearth:cloudsuites[0].previews.version"];
    expect(judge(suite(apps), "2026-11-24").filter((path) => path.startsWith("hearth:cloudsuites"))).toEqual(ended);
    const off = { push: { ...apps.push, enabled: false }, previews: { ...apps.previews, enabled: false } };
    expect(judge(suite(off), "2026-11-24").filter((path) => path.startsWith("hearth:cloudsuites"))).toEqual([]);
  });

  it.each([
    ["gcr.io/distroless/nodejs24-debian12:nonroot", ["hearth:siteWebhook.baseImage"]],
    [
      `registry.example.org/gcr/distroless/nodejs24-debian12@sha256:${"0".repeat(64)}`,
      ["hearth:siteWebhook.baseImage"],
    ],
    ["gcr.io/distroless/nodejs24-debian13:nonroot", []],
    ["docker.io/library/node:24.21.0-slim", []],
  ])("is judged by the base %s of the image it builds", (baseImage, warned) => {
    const repository = "registry.example.org/hearth/site-webhook";
    expect(judge({ siteWebhook: { enabled: false, repository, baseImage } }, "2026-11-24")).toEqual(warned);
  });
});

describe("a config.yaml", () => {
  const ended = (content: string, context: object) =>
    checkConfigFile("config.yaml", Buffer.from(content), { today: "2035-01-01", ...context })
      .problems.filter(({ code }) => code === "version-ended")
      .map(({ path, line }) => `${path}:${line}`);

  it("is warned of each version at its line", () => {
    const old = good
      .replace(/cloudsuite: \d\S+/, "cloudsuite: 31.0.8-apache")
      .replace(/office: \d\S+/, "office: 23.05.1");
    expect(ended(old, {})).toEqual([
      "versions.cloudsuite:4",
      "versions.db:5",
      "versions.keystore:6",
      "versions.office:7",
      "versions.whiteboard:8",
    ]);
    expect(ended(old, { officeEngine: OfficeEngine.onlyoffice })).not.toContain("versions.office:7");
  });

  it("is not judged without a day", () => {
    expect(ended(good, { today: undefined })).toEqual([]);
  });

  it("is judged by ./hearth validate as of the caller's day, and --strict makes it an error", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-versions-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "config.yaml"), good);
    const run = (today: string, ...options: string[]) =>
      hearthOn(today, folder, "validate", "--offline", ...options, "config.yaml");
    expect(await run(programs.nextcloud.lines[1].ends)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("warning: versions.cloudsuite: Nextcloud 31 gets no fixes after 2026-02-28."),
    });
    expect(await run("2026-03-01", "--strict")).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("error: versions.cloudsuite: Nextcloud 31 has had no fixes since 2026-02-28."),
    });
  });
});
