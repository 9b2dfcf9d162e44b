/** A day in UTC, `2026-11-22`: days compare as texts. */
export type Day = string;

/** The day that is `count` days after `day`. */
export function addDays(day: Day, count: number): Day {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return dayOf(date);
}

/** Days from one day to a later one. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** The day a moment lies in. */
export function dayOf(date: Date): Day {
  return date.toISOString().slice(0, 10);
}

/** Whether a text is a day that the calendar has. */
export function isDay(text: string | undefined): text is Day {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && dayOf(date) === text;
}

/**
 * Today, for the outermost code alone: all other code is given the day.
 * @param environment `SOURCE_DATE_EPOCH`, in seconds, takes the place of the clock (reproducible-builds.org/docs/source-date-epoch)
 */
export function today(environment: Readonly<Record<string, string | undefined>> = process.env): Day {
  const epoch = environment.SOURCE_DATE_EPOCH;
  return dayOf(epoch !== undefined && /^\d{1,11}$/.test(epoch) ? new Date(Number(epoch) * 1000) : new Date());
}
