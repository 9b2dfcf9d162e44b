import { error, type Problem } from "../core/problems.ts";
import { isSchedule } from "../core/schedule.ts";
import { bucketName, dnsLabel } from "../core/value-rules.ts";

/** Letters that a CronJob's name leaves for a source's: Kubernetes takes 52 in all. */
const longestName = 47;

/** The name of a source, which is part of a CronJob's. */
export function sourceName(path: string, name: string | undefined): Problem[] {
  if (name === undefined || name.length <= longestName) return dnsLabel(path, name);
  return [
    error(
      "copy-source",
      path,
      `The name has more than ${longestName} characters.`,
      "A CronJob's name has room for no more.",
    ),
  ];
}

/** Names of buckets. */
export function bucketNames(path: string, names: readonly string[] | undefined): Problem[] {
  return (names ?? []).flatMap((name, index) => bucketName(`${path}[${index}]`, name));
}

/** When copies are made: every day, since the alert on old ones counts on that. */
export function dailySchedule(path: string, schedule: string | undefined): Problem[] {
  if (schedule === undefined) return [];
  const [, , ...days] = schedule.trim().split(/\s+/);
  if (isSchedule(schedule) && days.every((field) => field === "*")) return [];
  return [
    error(
      "copy-schedule",
      path,
      "The value is not a schedule of every day.",
      "Write minute and hour, then three stars: `15 3 * * *` is every day at 3:15.",
    ),
  ];
}
