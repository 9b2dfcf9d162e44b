import { appSettingsFile, appSwitches } from "@hearth-platform/hearth/cloudsuite/app-settings";
import { cloudSuiteProblems } from "@hearth-platform/hearth/cloudsuite/rules";
import { expect, test } from "vitest";
import { resolvedSuite } from "../../support/plans.ts";
import { minimalSuite } from "./suite.ts";

const withApps = (apps: Record<string, Record<string, string>>) => ({ ...minimalSuite, apps });

test("a suite's own apps are turned on, and get their settings beside hearth's", () => {
  const suite = resolvedSuite(
    withApps({
      calendar: {},
      files: { default_quota: "10 GB" },
      theming: {
        name: "Team",
        slogan: "All files in one place",
        url: "https://team.example.org",
        primary_color: "#226644",
      },
      core: { shareapi_expire_after_n_days: "30" },
    }),
  );
  expect(appSwitches(suite).on).toEqual(["calendar", "files", "theming"]);
  expect(JSON.parse(appSettingsFile(suite))).toEqual({
    apps: {
      core: { shareapi_expire_after_n_days: "30", backgroundjobs_mode: "cron" },
      files: { default_quota: "10 GB" },
      theming: {
        name: "Team",
        slogan: "All files in one place",
        url: "https://team.example.org",
        primary_color: "#226644",
      },
    },
  });
});

test.each([
  ["an app that hearth turns on by another setting", { whiteboard: {} }, "app-managed apps.whiteboard"],
  ["the app that tells Nextcloud's makers", { survey_client: {} }, "app-managed apps.survey_client"],
  ["a key that is no app's id", { "../calendar": {} }, "app-name apps.../calendar"],
  [
    "hearth's own setting of the core",
    { core: { backgroundjobs_mode: "ajax" } },
    "app-setting apps.core.backgroundjobs_mode",
  ],
  ["what Nextcloud keeps of an app", { calendar: { enabled: "no" } }, "app-setting apps.calendar.enabled"],
  [
    "a value that would read a Secret",
    { theming: { name: ["$", "{NC_dbpassword}"].join("") } },
    "app-setting apps.theming.name",
  ],
] as const)("%s is refused", (_, apps, problem) => {
  expect(cloudSuiteProblems(withApps(apps)).map(({ code, path }) => `${code} ${path}`)).toEqual([problem]);
});
