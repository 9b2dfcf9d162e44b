/** The fields of a schedule: least and most number, and names that stand for numbers. (robfig/cron v3, parser.go and spec.go) */
const fields = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"] },
  { least: 0, most: 6, names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] },
] as const;

/**
 * Whether `schedule` is one of cron: minute, hour, day, month, day of the week, as Kubernetes takes it for a CronJob.
 * @param seconds a field of seconds comes first, as CloudNativePG and the hub take it
 */
export function isSchedule(schedule: string, { seconds = false } = {}): boolean {
  const [first = "", ...rest] = schedule.trim().split(/\s+/);
  const written = seconds ? rest : [first, ...rest];
  if (seconds && !matches(first, { least: 0, most: 59 })) return false;
  return written.length === fields.length && fields.every((field, index) => matches(written[index] ?? "", field));
}

/** Days of a month, of which February has the last in leap years. */
const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a schedule, of which {@link isSchedule} is true, names days that its months never have, such as 31 February. */
export function neverComes(schedule: string, { seconds = false } = {}): boolean {
  const [day = "", month = "", weekday = ""] = schedule
    .trim()
    .split(/\s+/)
    .slice(seconds ? 3 : 2);
  // Where both name days, one is enough. A field that starts with a star names none, unless it has steps.
  const isAny = weekday.split(",").some((part) => /^[*?](\/1)?$/.test(part));
  return isAny && !monthDays.some((days, index) => takes(month, index + 1, fields[3]) && firstDay(day) <= days);
}

function firstDay(written: string): number {
  const days = Array.from({ length: 31 }, (_, index) => index + 1);
  return days.find((day) => takes(written, day, fields[2])) ?? Number.POSITIVE_INFINITY;
}

/** Whether a written field takes a number. */
function takes(written: string, number: number, field: Field): boolean {
  return written.split(",").some((part) => {
    const [range = "", step] = part.split("/");
    const [first = "", last = first] = range.split("-");
    const any = range === "*" || range === "?";
    const from = any ? field.least : numberOf(first, field);
    const to = any || (step !== undefined && first === last) ? field.most : numberOf(last, field);
    return number >= from && number <= to && (number - from) % Number(step ?? 1) === 0;
  });
}

/** The number of a field, or the one a name stands for. */
function numberOf(text: string, { names, least }: Field): number {
  const name = names?.indexOf(text.toUpperCase()) ?? -1;
  return name >= 0 ? name + least : /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

interface Field {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

function matches(written: string, field: Field): boolean {
  const number = (text: string) => {
    const found = numberOf(text, field);
    return found >= field.least && found <= field.most ? found : undefined;
  };
  return written.split(",").every((part) => {
    const [, range = "", step] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
    if (step !== undefined && Number(step) === 0) return false;
    if (range === "*" || range === "?") return true;
    const [first = "", last = first, ...more] = range.split("-");
    const [from, to] = [number(first), number(last)];
    return more.length === 0 && from !== undefined && to !== undefined && from <= to;
  });
}
