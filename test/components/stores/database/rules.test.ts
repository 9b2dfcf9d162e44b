import { checkArguments } from "@hearth-platform/hearth/core/arguments";
import type { DatabaseArgs } from "@hearth-platform/hearth/stores/database/args";
import { databaseProblems } from "@hearth-platform/hearth/stores/database/rules";
import { database } from "@hearth-platform/hearth/stores/database/schema";
import { describe, expect, test } from "vitest";
import { forgeDatabase, withBackup } from "./forge-database.ts";

describe("a database's arguments", () => {
  test("of the forge's database have no problem", () => expect(databaseProblems(forgeDatabase)).toEqual([]));

  test.each<[string, string, Partial<DatabaseArgs>]>([
    ["error", "name", { name: "Forge_DB" }],
    ["error", "version", { version: "19" }],
    ["error", "version", { version: "16.4" }],
    ["error", "version", { version: "12" }],
    ["warning", "version", { version: "13" }],
    ["error", "database", { database: "postgres" }],
    ["error", "databases[0].name", { databases: [{ name: "re-gistry" }], clients: [] }],
    ["error", "extensions[0]", { extensions: ['x"; DROP DATABASE forge; --'] }],
    ["error", "instances", { instances: 3 }],
    ["warning", "instances", { instances: 1 }],
    ["error", "storageSize", { storageSize: "20G" }],
    ["error", "clients[0].connections", { clients: [{ name: "a", connections: 0 }] }],
    ["error", "clients[0].database", { clients: [{ name: "a", database: "none", connections: 1 }] }],
    ["error", "backup.endpoint", withBackup({ endpoint: "fsn1.your-objectstorage.com" })],
    ["error", "backup.bucket", withBackup({ bucket: "Bucket" })],
    ["error", "backup.schedule", withBackup({ schedule: "0 3 * * *" })],
    ["error", "backup.schedule", withBackup({ schedule: "0 0 25 * * *" })],
    ["error", "backup.retention", withBackup({ retention: "30 days" })],
    ["warning", "backup", { backup: undefined }],
    ["error", "recover.targetTime", { recover: { targetTime: "2026-02-30 08:30:00" } }],
    ["error", "recover.targetTime", { recover: { suffix: "r1", targetTime: "yesterday" } }],
    ["error", "recover.targetTime", { recover: { targetTime: "2999-01-01 00:00:00" } }],
    ["error", "recover", { recover: {} }],
    ["error", "recover.source", { recover: { suffix: "r1", source: "forge-db-r1" } }],
    ["error", "recover.suffix", { recover: { suffix: "R1" } }],
  ])("have an error or a warning, an %s, at %s", (severity, path, wrong) => {
    const problems = checkArguments(database, { ...forgeDatabase, ...wrong }, databaseProblems);
    expect(problems.map((problem) => [problem.severity, problem.path])).toEqual([[severity, path]]);
  });

  test("a recovery without backups is refused", () => {
    const problems = databaseProblems({ ...forgeDatabase, backup: undefined, recover: { suffix: "r1" } });
    expect(problems.map((problem) => problem.code)).toContain("recovery-without-backup");
  });
});
