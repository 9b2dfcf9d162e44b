import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CloudSuiteSystemArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { configurationFiles, passingKeys } from "@hearth-platform/hearth/cloudsuite/configuration";
import { suiteEnvironment } from "@hearth-platform/hearth/cloudsuite/environment";
import { cloudSuiteProblems } from "@hearth-platform/hearth/cloudsuite/rules";
import { cloudSuite } from "@hearth-platform/hearth/cloudsuite/schema";
import { cloudSuiteSystem } from "@hearth-platform/hearth/cloudsuite/system-config";
import { checkStructure } from "@hearth-platform/hearth/core/structure";
import { describe, expect, test } from "vitest";
import { resolvedSuite } from "../../support/plans.ts";
import { systemSettings } from "./setting-table.ts";
import { completeSuite, onPlatform } from "./suite.ts";

/** Nextcloud's system settings that a suite's administrator chooses. */

const suite = (system: object) => ({ ...completeSuite, system: system as CloudSuiteSystemArgs });
const problems = (system: object) =>
  [...checkStructure(cloudSuite, suite(system)).problems, ...cloudSuiteProblems(suite(system))].map(
    ({ path, message, remedy }) => `${path}: ${message} ${remedy}`,
  );

test("the table of values has every setting", () => {
  expect(Object.keys(systemSettings).sort()).toEqual(Object.keys(cloudSuiteSystem.shape).sort());
});

test("PHP reads each with its own type, since Nextcloud compares some by it", () => {
  const content = configurationFiles(resolvedSuite(suite(systemSettings)))["settings.config.php"] ?? "";
  const file = join(mkdtempSync(join(tmpdir(), "hearth-system-")), "settings.config.php");
  writeFileSync(file, content);
  const { stdout } = spawnSync("php", ["-r", "include $argv[1]; echo json_encode($CONFIG);", file], {
    encoding: "utf8",
  });
  expect(JSON.parse(stdout)).toEqual(systemSettings);
});

test("a suite without has no such file", () => {
  expect(configurationFiles(resolvedSuite(completeSuite))).not.toHaveProperty("settings.config.php");
});

test("what goes from the settings goes from config.php", () => {
  expect(passingKeys(resolvedSuite(suite({ loglevel: 1, share_folder: "/Shared" })))).toEqual([
    "updatechecker",
    "lookup_server",
    "loglevel",
    "share_folder",
  ]);
});

describe("a key", () => {
  test("that Nextcloud has not, or that is no choice here, is refused with the one that was meant", () => {
    expect(problems({ session_lifetme: 60 })).toEqual([
      'system.session_lifetme: Unknown key "session_lifetme". Did you mean session_lifetime?',
    ]);
  });

  test("that follows from another argument is refused with that", () => {
    expect(problems({ trusted_domains: ["a"] })).toEqual([
      'system.trusted_domains: The key "trusted_domains" follows from another setting. Remove it: the suite\'s `domain` says it.',
    ]);
  });

  test("that has a secret is refused as one", () => {
    expect(problems({ dbpassword: "x" })).toEqual([expect.stringContaining("looks like a secret")]);
    expect(problems({ dbpassword: "hunter2" }).join()).not.toContain("hunter2");
  });

  test("of another type is refused", () => {
    expect(problems({ knowledgebaseenabled: "no" })).toEqual([
      expect.stringContaining("Found text, not true or false."),
    ]);
    expect(problems({ loglevel: 5 })).toEqual([expect.stringContaining("Write 4 or less.")]);
  });

  test("that hearth gives the suite is told with what says it, or is a secret", () => {
    const args = resolvedSuite({
      ...onPlatform(completeSuite, {
        mail: { host: "smtp.example.org", from: "a@b.org", user: "a", password: { name: "mail", key: "password" } },
      }),
      internet: false,
      maintenance: true,
      phoneRegion: "DE",
      language: "de",
      appStore: { url: "https://apps.example.org", privateAddress: true },
      signOn: { issuer: "https://id.example.org" },
      push: { enabled: true },
      previews: { enabled: true },
      storage: { ...completeSuite.storage, storageClass: "smb-csi" },
    });
    const given = [
      ...Object.values(configurationFiles(args)).flatMap((content) =>
        [...content.matchAll(/^ {2}'([^']+)' => /gm)].map(([, key = ""]) => key),
      ),
      ...suiteEnvironment(args).flatMap(({ name }) => (name.startsWith("NC_") ? [name.slice(3)] : [])),
    ];
    expect(given.length).toBeGreaterThan(25);
    for (const key of given)
      expect(problems({ [key]: "x" }), key).toEqual([
        expect.stringMatching(/follows from another setting\. Remove it: .+\.$|looks like a secret/),
      ]);
  });
});

test.each(["de", "de_DE", "ast", "gsw_CH", "zh_Hant_TW"])("%s is a locale", (locale) => {
  expect(problems({ default_locale: locale, force_locale: locale, force_language: locale })).toEqual([]);
});

test.each(["d", "german", "de-DE", "DE", "de_", "de_Germany"])("%s is none", (locale) => {
  expect(problems({ default_locale: locale })).toEqual([expect.stringContaining("The value is not a locale.")]);
});

// An open page tells the server once a minute at most that it is there. (nextcloud/server core/src/session-heartbeat)
test("a session is not shorter than an open page can keep it", () => {
  expect(problems({ session_lifetime: 60 })).toEqual([]);
  expect(problems({ session_lifetime: 59 })).toEqual([expect.stringContaining("Write 60 or more.")]);
});

test.each(["auto", "disabled", "30", "auto, 30", "30, auto", "7, 30", "7,30"])("%s is a time to keep files", (time) => {
  expect(problems({ trashbin_retention_obligation: time, versions_retention_obligation: time })).toEqual([]);
});

test.each(["", "forever", "auto, auto", "30 days", "auto,"])("%j is none", (time) => {
  expect(problems({ trashbin_retention_obligation: time })).toHaveLength(1);
});
