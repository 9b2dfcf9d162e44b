import { compareVersions } from "@hearth-platform/hearth/core/versions";
import { forgeProblems } from "@hearth-platform/hearth/forge/rules";
import {
  defaultVersion,
  forgeDatabases,
  runnerVersion,
  shellVersion,
  upgradePath,
} from "@hearth-platform/hearth/forge/versions";
import { describe, expect, test } from "vitest";
import { minimalForge } from "./forge.ts";

describe("the version of the runner", () => {
  test.each([
    ["18.11.2", "18.11.4"],
    ["19.2.0", "19.2.2"],
    ["19.3.0", "19.3.0"],
    ["19.12.4", "19.12.0"],
  ])("of forge %s is the newest one known of its minor, %s", (version, expected) => {
    expect(runnerVersion({ version })).toBe(expected);
  });

  test("is the named one before the known one", () => {
    expect(runnerVersion({ version: "18.11.2", runner: { version: "18.11.1" } })).toBe("18.11.1");
  });
});

describe("the version of the SSH server", () => {
  test.each([
    ["18.2.3", "14.43.0"],
    ["18.2.5", "14.44.0"],
    // The next minor began with what the fixes of the one before it had already left.
    ["18.2.8", "14.45.2"],
    ["18.3.0", "14.44.0"],
    ["18.5.2", "14.45.3"],
    ["18.8.11", "14.45.5"],
    ["18.11.3", "14.49.0"],
    ["18.11.20", "14.50.0"],
    ["18.12.0", undefined],
    ["19.0.8", "14.51.0"],
    ["19.1.6", "14.54.0"],
    ["19.2.0", "14.56.1"],
    ["19.3.5", "14.56.1"],
    ["19.4.3", "14.57.3"],
    ["19.5.0", undefined],
  ])("of forge %s is %s", (version, expected) => {
    expect(shellVersion({ version })).toBe(expected);
  });

  test("is the named one before the known one", () => {
    expect(shellVersion({ version: "18.5.2", shellVersion: "14.99.0" })).toBe("14.99.0");
  });

  test("is known for every version on the way from 18.0 to the default", () => {
    for (const step of upgradePath("18.0.0", defaultVersion, false)) {
      const version = step.split(".").length === 3 ? step : `${step}.0`;
      // The first ones start with downtime alone, see start-up.test.ts.
      const downtime = (compareVersions(version, "18.5.0") ?? 0) < 0;
      const databaseVersion = String(forgeDatabases({ version }).oldest);
      expect(forgeProblems({ ...minimalForge, version, databaseVersion, downtime }), version).toEqual([]);
    }
  });
});

describe("PostgreSQL", () => {
  const problems = (version: string, databaseVersion: string) =>
    forgeProblems({ ...minimalForge, version, shellVersion: "14.56.1", databaseVersion }).map(
      ({ code, path }) => `${code} ${path}`,
    );

  test("17 carries every version on the way from the last that 16 carries to the default", () => {
    for (const step of ["18.11.11", ...upgradePath("18.11.11", defaultVersion, false)])
      expect(problems(step.split(".").length === 3 ? step : `${step}.0`, "17"), step).toEqual([]);
  });

  test.each([
    ["18.11.11", "15", ["forge-database databaseVersion"]],
    ["18.11.11", "16", []],
    ["18.11.11", "17", []],
    ["18.11.11", "18", ["forge-database databaseVersion"]],
    ["19.0.8", "16", ["forge-database databaseVersion"]],
    ["19.2.4", "17", []],
    ["19.2.4", "18", ["forge-database databaseVersion"]],
    ["19.3.0", "18", []],
  ])("under a forge of version %s: major %s is judged", (version, databaseVersion, expected) => {
    expect(problems(version, databaseVersion)).toEqual(expected);
  });
});
