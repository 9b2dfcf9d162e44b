import { describe, expect, test } from "vitest";
import type { DatabaseArgs } from "../../../components/database/args.ts";
import { databaseChanges, databaseFaults } from "../../../components/database/rules.ts";
import { forgeDatabase } from "./forge-database.ts";

const withBackup = (backup: Partial<NonNullable<DatabaseArgs["backup"]>>) => ({
  backup: { ...forgeDatabase.backup, ...backup } as DatabaseArgs["backup"],
});

describe("arguments", () => {
  test("of the forge's database have no fault", () => expect(databaseFaults(forgeDatabase)).toEqual([]));

  test.each<[string, string, Partial<DatabaseArgs>]>([
    ["error", "name", { name: "Forge_DB" }],
    ["error", "version", { version: "17" }],
    ["error", "version", { version: "16.4" }],
    ["warning", "version", { version: "12" }],
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
    ["error", "backup.retention", withBackup({ retention: "30 days" })],
    ["warning", "backup", { backup: undefined }],
    ["error", "recover.targetTime", { recover: { suffix: "r1", targetTime: "2026-11-20 08:30:00" } }],
    ["error", "recover.source", { recover: { suffix: "r1", source: "forge-db-r1" } }],
    ["error", "recover.suffix", { recover: { suffix: "R1" } }],
  ])("%s at %s", (severity, path, wrong) => {
    const faults = databaseFaults({ ...forgeDatabase, ...wrong });
    expect(faults.map((fault) => [fault.severity, fault.path])).toEqual([[severity, path]]);
  });

  test("a recovery without backups is refused", () => {
    const faults = databaseFaults({ ...forgeDatabase, backup: undefined, recover: { suffix: "r1" } });
    expect(faults.map((fault) => fault.code)).toContain("recovery-without-backup");
  });
});

describe("changes", () => {
  test.each<[string, string, Partial<DatabaseArgs>, Partial<DatabaseArgs>]>([
    ["version", "forge-db", {}, { version: "15" }],
    ["storageSize", "forge-db", {}, { storageSize: "10Gi" }],
    ["storageSize", "forge-db", {}, { storageSize: undefined }],
    ["database", "forge-db", {}, { database: "other" }],
    ["namespace", "forge-db", {}, { namespace: "other" }],
    ["backup.bucket", "database-a1b2-forge", {}, withBackup({ bucket: "another-bucket" })],
    ["recover", "forge-db-r1", { recover: { suffix: "r1" } }, {}],
    ["recover", "forge-db-r1", { recover: { suffix: "r1" } }, { recover: { suffix: "r2" } }],
  ])("of %s is refused unless %s may be lost", (path, object, before, now) => {
    const changes = (allowDataLoss: string[]) =>
      databaseChanges(
        { ...forgeDatabase, ...before },
        { ...forgeDatabase, ...now, platform: { ...forgeDatabase.platform, allowDataLoss } },
      );
    expect(changes([]).map((fault) => fault.path)).toEqual([path]);
    expect(changes([])[0]?.remedy).toContain(`add "${object}" to allowDataLoss`);
    expect(changes([object])).toEqual([]);
  });

  test.each<[string, Partial<DatabaseArgs>, Partial<DatabaseArgs>]>([
    ["a newer major", { version: "15" }, { version: "16" }],
    ["a larger volume", {}, { storageSize: "50Gi" }],
    ["a standby less", {}, { instances: 1 }],
    ["a recovery from the present cluster", {}, { recover: { suffix: "r1" } }],
    [
      "a recovery from a recovered cluster",
      { recover: { suffix: "r1" } },
      { recover: { suffix: "r2", source: "forge-db-r1" } },
    ],
    ["the first backups", { backup: undefined }, {}],
  ])("%s is no loss", (_, before, now) => {
    expect(databaseChanges({ ...forgeDatabase, ...before }, { ...forgeDatabase, ...now })).toEqual([]);
  });
});
