/** The fields of a CronJob's schedule: least and most number, and names that stand for numbers. */
const fields = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"] },
  { least: 0, most: 6, names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] },
] as const;

/** Whether Kubernetes takes `schedule` for a CronJob: minute, hour, day, month, day of the week. */
export function isSchedule(schedule: string): boolean {
  const written = schedule.trim().split(/\s+/);
  return written.length === fields.length && fields.every((field, index) => matches(written[index] ?? "", field));
}

function matches(written: string, field: (typeof fields)[number]): boolean {
  const number = (text: string) => {
    const name = "names" in field ? (field.names as readonly string[]).indexOf(text.toUpperCase()) : -1;
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
