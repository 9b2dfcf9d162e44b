import { recordedBy } from "@hearth-platform/hearth/core/data-safety/refusals";
import { errorsOf } from "@hearth-platform/hearth/core/problems";
import type { DatabaseArgs } from "@hearth-platform/hearth/stores/database/args";
import { databaseChanges, databaseCreation } from "@hearth-platform/hearth/stores/database/changes";
import { databaseComponent } from "@hearth-platform/hearth/stores/database/component";
import { recoveryInstant } from "@hearth-platform/hearth/stores/database/recovery";
import { describe, expect, test } from "vitest";
import { forgeDatabase, withBackup } from "./forge-database.ts";

const changed = (before: Partial<DatabaseArgs>, now: Partial<DatabaseArgs>) =>
  databaseChanges({ ...forgeDatabase, ...before }, { ...forgeDatabase, ...now });

describe("a change of a database", () => {
  test.each<[string, string, Partial<DatabaseArgs>, Partial<DatabaseArgs>]>([
    ["version", "forge/forge-db", {}, { version: "15" }],
    ["storageSize", "forge/forge-db", {}, { storageSize: "10Gi" }],
    ["storageSize", "forge/forge-db", {}, { storageSize: undefined }],
    ["storageClass", "forge/forge-db", {}, { storageClass: "longhorn" }],
    ["database", "forge/forge-db", {}, { database: "other" }],
    ["namespace", "forge/forge-db", {}, { namespace: "other" }],
    ["backup.bucket", "database-a1b2-forge", {}, withBackup({ bucket: "another-bucket" })],
    ["recover", "forge/forge-db-r1", { recover: { suffix: "r1" } }, {}],
    ["recover", "forge/forge-db-r1", { recover: { suffix: "r1" } }, { recover: { suffix: "r2" } }],
  ])("of %s is refused unless %s may be lost", (path, object, before, now) => {
    const changes = (allowDataLoss: string[]) =>
      errorsOf(changed(before, { ...now, platform: { ...forgeDatabase.platform, allowDataLoss } }));
    expect(changes([]).map((problem) => problem.path)).toEqual([path]);
    expect(changes([])[0]?.remedy).toContain(`\`platform.allowDataLoss: [${object}]\``);
    expect(changes([object])).toEqual([]);
  });

  test.each<[string, Partial<DatabaseArgs>, Partial<DatabaseArgs>]>([
    ["a newer major", { version: "15" }, { version: "16" }],
    ["a larger volume", {}, { storageSize: "50Gi" }],
    ["a standby less", {}, { instances: 1 }],
    ["a recovery from the present cluster", {}, { recover: { suffix: "r1" } }],
    ["a recovery into volumes of another class", {}, { recover: { suffix: "r1" }, storageClass: "longhorn" }],
    ["the class by its name instead of the default", {}, { storageClass: "replicated-block" }],
    [
      "a recovery from a recovered cluster",
      { recover: { suffix: "r1" } },
      { recover: { suffix: "r2", source: "forge-db-r1" } },
    ],
    ["the first backups", { backup: undefined }, {}],
  ])("to %s loses nothing", (_, before, now) => {
    expect(errorsOf(changed(before, now))).toEqual([]);
  });
});

test("a newer major shows at the preview that the database is down, and that its backups begin anew", () => {
  const [problem, ...more] = changed({ version: "16" }, { version: "17" });
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ severity: "warning", code: "major-upgrade", path: "version" });
  expect(problem?.message).toContain("backups made before it can't be recovered with 17");
  expect(changed({ version: "16" }, { version: "16" })).toEqual([]);
});

test("a newer default is no wish for an upgrade: the refusal has the line that keeps the major", () => {
  const { version: _, ...unnamed } = forgeDatabase;
  const now = recordedBy(databaseComponent, unnamed);
  const [problem, ...more] = errorsOf(
    databaseChanges(recordedBy(databaseComponent, { ...unnamed, version: "16" }), now),
  );
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ code: "upgrade-unasked", path: "version" });
  expect(problem?.remedy).toContain('Write `version: "16"`, which keeps it.');
  expect(databaseChanges(now, now)).toEqual([]);
});

describe("a recovery", () => {
  const at = (targetTime: string) => ({ recover: { targetTime } });

  test.each([
    ["2026-11-20 08:30:00", "2026-11-20T08:30:00Z"],
    ["2026-11-20T08:30:00", "2026-11-20T08:30:00Z"],
    ["2026-11-20 10:30:00+02:00", "2026-11-20T08:30:00Z"],
    ["2026-11-20T02:30:00.250-06:00", "2026-11-20T08:30:00.250Z"],
    ["2026-03-01 00:15:00 +01:00", "2026-02-28T23:15:00Z"],
    ["2026-02-29 08:30:00", undefined],
    ["2026-11-20 24:30:00", undefined],
    ["2026-11-20 08:30", undefined],
    ["2026-11-20 08:30:00 CET", undefined],
  ])("takes the target time %s as %s", (text, instant) => expect(recoveryInstant(text)).toBe(instant));

  test("shows at the preview the instant, in UTC, and what does not go back", () => {
    const [shown, ...others] = changed({}, at("2026-11-20 10:30:00+02:00"));
    expect(others).toEqual([]);
    expect(shown?.severity).toBe("warning");
    expect(shown?.message).toContain("forge-db-20261120-083000 becomes the database");
    expect(shown?.message).toContain("as of 2026-11-20T08:30:00Z");
    expect(shown?.remedy).toBe("Files in the object store do not go back.");
  });

  test("stays set afterwards, in whatever words", () => {
    expect(changed(at("2026-11-20 08:30:00"), at("2026-11-20T10:30:00+02:00"))).toEqual([]);
  });

  test.each([
    ["recovery-done", { recover: { suffix: "r1" } }, { recover: { suffix: "r1", targetTime: "2026-11-20 08:30:00" } }],
    ["recovery-done", { recover: { suffix: "r1" } }, { recover: { suffix: "r1", source: "forge-db-r0" } }],
    ["recovery-version", { version: "15" }, { version: "16", ...at("2026-11-20 08:30:00") }],
    ["data-left-behind", at("2026-11-20 08:30:00"), at("2026-11-20 07:30:00")],
  ] as const)("is refused as %s", (code, before, now) => {
    expect(changed(before, now).map((problem) => problem.code)).toContain(code);
  });

  test("of a database that is new here reads backups and keeps no old cluster", () => {
    const recover = { targetTime: "2026-11-20 08:30:00" };
    const codes = (args: Partial<DatabaseArgs>) =>
      databaseCreation({ ...forgeDatabase, ...args }).map(({ code }) => code);
    expect(codes({})).toEqual([]);
    expect(codes({ recover })).toEqual(["recovery-source"]);
    expect(codes({ recover: { ...recover, keepSource: false } })).toEqual(["recovery"]);
  });
});
