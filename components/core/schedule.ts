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

interface Field {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

function matches(written: string, field: Field): boolean {
  const number = (text: string) => {
    const name = field.names?.indexOf(text.toUpperCase()) ?? -1;
    const found = name >= 0 ? name + field.least : /^\d+$/.test(text) ? Number(text) : Number.NaN;
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
