import { dataName, type KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { ScheduledBackup } from "@hearth-platform/hearth/kubernetes/custom-resources/scheduled-backup";
import { type Conditioned, conditionOf } from "@hearth-platform/stack/live/preflight/facts";
import { findings } from "@hearth-platform/stack/live/preflight/finding";
import { scheduledBackupsOf } from "@hearth-platform/stack/live/preflight/needs";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import { endOfBackup, lastBackup } from "./backup-size.ts";
import { type StatusFacts, standingOf } from "./facts.ts";
import { ageText, comeBack, type StatusRow, sizeText, takeBack } from "./row.ts";

const hour = 60 * 60 * 1000;
/** A day between two runs, and half a day for a late one, in milliseconds: as the alert HearthDatabaseBackupOld has it. */
const tooOld = 36 * hour;

/** Whether each database has a backup, how old and how large it is, and whether its log is archived. */
export function backupChecks(facts: StatusFacts): StatusRow[] {
  const { ok, unknown, warning, problem } = findings("backups");
  const { backups, backupSizes, now } = facts;
  return scheduledBackupsOf(facts.objects).map((schedule) => {
    const { namespace = "" } = schedule.metadata;
    const { name } = schedule.spec.cluster;
    const database = dataName(name, namespace);
    const subject = `backup of ${database}`;
    if (backups === "unseen") return unknown(subject, "You may not list Backups.");
    const own = backups.filter(({ metadata, spec }) => metadata.namespace === namespace && spec.cluster.name === name);
    const newest = own.toSorted((a, b) => endOfBackup(b) - endOfBackup(a))[0];
    const last = lastBackup(backups, { namespace, name });
    const look = `kubectl -n ${namespace} describe backups.postgresql.cnpg.io`;
    const archiving = archivingProblem(facts, namespace, name);
    if (archiving !== undefined)
      return problem(
        subject,
        `The write-ahead log is not archived: ${archiving}`,
        "Mend what it names: mostly the object store, its keys or its space.",
      );
    const live = standingOf<ScheduledBackup>(facts, schedule);
    const isSuspended = typeof live === "object" && live.spec.suspend === true;
    if (!last)
      return newest?.status?.phase === "failed"
        ? problem(
            subject,
            `None ever ended well. The newest failed: ${newest.status.error ?? "no reason given"}`,
            `See ${look}.`,
          )
        : problem(subject, "There is none.", "Make one at once: `./hearth backup --stack STACK`.");
    const age = now.valueOf() - endOfBackup(last);
    const bytes = backupSizes.get(database);
    const numbers = { hours: Math.round(age / hour), ...(bytes !== undefined && { bytes }) };
    const size = bytes === undefined ? "its size can't be seen with your keys" : sizeText(bytes);
    const says = `The last ended ${ageText(age)} ago; ${size}.`;
    if (newest && newest !== last && newest.status?.phase === "failed" && endOfBackup(newest) > endOfBackup(last))
      return {
        ...problem(subject, `The newest failed: ${newest.status.error ?? "no reason given"} ${says}`, `See ${look}.`),
        numbers,
      };
    if (age > tooOld) return { ...problem(subject, says, `See ${look}.`), numbers };
    if (isSuspended)
      return {
        ...warning(subject, `Its schedule is suspended. ${says}`, takeBack),
        numbers,
      };
    return { ...ok(subject, says), numbers };
  });
}

function archivingProblem(facts: StatusFacts, namespace: string, name: string): string | undefined {
  const live = standingOf<Conditioned>(facts, { kind: "Cluster", metadata: { namespace, name } });
  const condition = typeof live === "object" ? conditionOf(live, "ContinuousArchiving") : undefined;
  return condition?.status === "False" ? (condition.message ?? "no reason given") : undefined;
}

interface PlannedCronJob extends KubernetesObject {
  readonly spec: { readonly suspend?: boolean };
}

/** Whether each Job by the clock has run and ended well: archives, copies, cron. */
export function jobChecks(facts: StatusFacts): StatusRow[] {
  const { objects, now } = facts;
  const { ok, unknown, warning, problem } = findings("scheduled-jobs");
  return objects
    .filter((object): object is PlannedCronJob => object.kind === "CronJob")
    .map((planned) => {
      const { namespace = "", name } = planned.metadata;
      const subject = dataName(name, namespace);
      const live = standingOf<CronJob>(facts, planned);
      if (live === "unseen") return unknown(subject, "You may not list CronJobs.");
      if (live === "absent") return problem(subject, "The CronJob is not in the cluster.", comeBack);
      const { schedule, suspend, lastRun, lastSuccess, active, created } = runsOf(live);
      if (suspend && planned.spec.suspend) return ok(subject, "The CronJob is suspended, as the settings say.");
      if (suspend) return warning(subject, "The CronJob is suspended.", takeBack);
      const limit = longestGap(schedule);
      const logs = `Read why: kubectl -n ${namespace} get jobs, then kubectl logs of the newest.`;
      const since = lastSuccess ?? created;
      const age = now.valueOf() - since;
      const numbers = lastSuccess === undefined ? undefined : { hours: Math.round(age / hour) };
      const says =
        lastSuccess === undefined
          ? "The CronJob has never ended well"
          : `The CronJob last ended well ${ageText(age)} ago`;
      const failed = limit > hour && active === 0 && lastRun !== undefined && lastRun > (lastSuccess ?? 0);
      if (failed || age > limit)
        return {
          ...problem(subject, `${says}${failed ? ", and the last run failed" : ""}.`, logs),
          ...(numbers && { numbers }),
        };
      if (lastSuccess === undefined)
        return ok(subject, `The first run of the CronJob comes by its schedule, ${schedule}.`);
      return { ...ok(subject, `${says}.`), ...(numbers && { numbers }) };
    });
}

function runsOf({ metadata, spec, status }: CronJob) {
  const time = (text: unknown) => (text ? Date.parse(String(text)) : undefined);
  return {
    schedule: spec?.schedule ?? "",
    suspend: spec?.suspend === true,
    lastRun: time(status?.lastScheduleTime),
    lastSuccess: time(status?.lastSuccessfulTime),
    active: status?.active?.length ?? 0,
    created: time(metadata?.creationTimestamp) ?? 0,
  };
}

/** Longest time that may lie between two good runs of a schedule, in milliseconds: its own, and some for a late one. */
function longestGap(schedule: string): number {
  const [, hours = "", day = "", month = "", weekday = ""] = schedule.trim().split(/\s+/);
  const isNamed = (field: string) => /^\w/.test(field);
  if (isNamed(month)) return 400 * 24 * hour;
  if (isNamed(day)) return 33 * 24 * hour;
  if (isNamed(weekday)) return 8 * 24 * hour;
  return isNamed(hours) ? tooOld : hour;
}
