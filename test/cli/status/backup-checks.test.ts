import { backupChecks } from "@hearth-platform/cli/status/backup-checks";
import type { DatabaseBackup, StatusFacts } from "@hearth-platform/cli/status/facts";
import type { ScheduledBackup } from "@hearth-platform/hearth/kubernetes/custom-resources/scheduled-backup";
import { placeOf } from "@hearth-platform/stack/live/preflight/facts";
import { describe, expect, it } from "vitest";

const now = new Date("2026-11-20T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now.valueOf() - hours * 3_600_000).toISOString();
const of = (name: string, namespace = "team") => ({
  metadata: { name: `${name}-backup`, namespace },
  spec: { cluster: { name } },
});
const scheduled = (name: string, namespace?: string, suspend = false): ScheduledBackup => {
  const { metadata, spec } = of(name, namespace);
  const own = { ...spec, schedule: "0 0 3 * * *", suspend };
  return { apiVersion: "postgresql.cnpg.io/v1", kind: "ScheduledBackup", metadata, spec: own };
};
const backup = (hours: number, status: DatabaseBackup["status"] = {}, database = of("db")): DatabaseBackup => ({
  ...database,
  status: { phase: "completed", stoppedAt: hoursAgo(hours), ...status },
});

/** What is said of the backups of database `team/db`: `ok` or another word, and the sentence. */
function said(backups: readonly DatabaseBackup[], schedules: readonly ScheduledBackup[] = []): string {
  const standing = new Map(schedules.map((each) => [placeOf({ kind: each.kind, ...each.metadata }), each]));
  const seen: Partial<StatusFacts> = { backups, standing, backupSizes: new Map(), now, objects: [scheduled("db")] };
  const rows = backupChecks(seen as StatusFacts);
  return rows.map(({ status, message }) => `${status}: ${message}`).join("\n");
}

describe("the backups of a database", () => {
  it("are too old after more than 36 hours, as the alert has it", () => {
    expect(said([backup(36)])).toMatch(/^ok: The last ended 36 hours ago/);
    expect(said([backup(37)])).toMatch(/^problem: The last ended 37 hours ago/);
  });

  it("are its own: one of the same name in another namespace has others", () => {
    const others = of("db", "club");
    expect(said([backup(1, {}, others)])).toBe("problem: There is none.");
    expect(said([backup(1, { phase: "failed", error: "full" }, others), backup(5)])).toMatch(
      /^ok: The last ended 5 hours/,
    );
  });

  it("are well where a failed one was followed by a good one, and not where it is the newest", () => {
    const failed = { phase: "failed", error: "full" };
    expect(said([backup(9, failed), backup(2)])).toMatch(/^ok: /);
    expect(said([backup(9), backup(2, failed)])).toMatch(/^problem: The newest failed: full The last ended 9 hours/);
    // One that ended in the same second is no newer.
    expect(said([backup(2, failed), backup(2)])).toMatch(/^ok: /);
  });

  it("are no more made where their own schedule is suspended, whatever others are", () => {
    expect(said([backup(1)], [scheduled("db", "team", true)])).toMatch(/^warning: Its schedule is suspended\./);
    const others = [scheduled("other", "team", true), scheduled("db", "club", true), scheduled("db")];
    expect(said([backup(1)], others)).toMatch(/^ok: /);
  });
});
