import type { Finding } from "@hearth-platform/stack/live/preflight/finding";
import { counted } from "@hearth-platform/stack/settings/report";

/** A finding with the numbers that it was made of, each named with its unit, e.g. `days`. */
export interface StatusRow extends Finding {
  readonly numbers?: Readonly<Record<string, number>>;
}

/** What to do about an object of the stack that is gone: an update by itself makes nothing again that the state has. */
export const comeBack = "`pulumi preview --refresh` and `./hearth doctor` say how it comes back.";

/** What to do about a field that somebody changed: without the variable Pulumi's provider leaves a field to whoever has it, with an error. */
export const takeBack = "`PULUMI_K8S_ENABLE_PATCH_FORCE=true pulumi up --refresh` takes it back.";

/** A time in one unit: `5 hours`. @param milliseconds from 0 on */
export function ageText(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  const [count, unit] =
    minutes < 120
      ? [minutes, "minute"]
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), "hour"]
        : [Math.floor(minutes / 1440), "day"];
  return counted(count, unit);
}

/** An amount of bytes: `1.5 GiB`. */
export function sizeText(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1024 ** power;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`;
}

/** A moment as people read it: `2026-11-25 03:20 UTC`. @param text RFC 3339, in UTC */
export function momentText(text: string): string {
  return `${text.slice(0, 16).replace("T", " ")} UTC`;
}

/**
 * What is gone, as one finding.
 * @param make of the subject, `3 Secrets` or `Secret a/b`, and the words before the end of a sentence, `It is not in the cluster`
 */
export function goneTogether(
  names: readonly string[],
  noun: string,
  make: (subject: string, says: string) => StatusRow,
): StatusRow[] {
  const [first] = names;
  if (first === undefined) return [];
  if (names.length === 1) return [make(`${noun} ${first}`, "It is not in the cluster")];
  return [make(`${names.length} ${noun}s`, `These are not in the cluster: ${names.join(", ")}`)];
}
