import { type Problem, Severity } from "@hearth-platform/hearth/core/problems";
import type { LocatedProblem } from "../../settings/located.ts";

/** Outcome of a check, from good to bad. */
export const Status = {
  ok: "ok",
  /** It can't be seen from here. */
  unknown: "unknown",
  warning: "warning",
  problem: "problem",
  /** The update can't be finished: a preview is refused. */
  missing: "missing",
  /** The update would stop at what exists already: a preview is refused. */
  taken: "taken",
  /** The update would begin anew beside data that is in use: a preview is refused. */
  unsafe: "unsafe",
} as const;
export type Status = (typeof Status)[keyof typeof Status];

/** What a check found in the cluster: a problem, or that there is none. */
export interface Finding extends Pick<Problem, "message" | "remedy"> {
  readonly status: Status;
  /** Kebab-case name of the check, stable across releases. */
  readonly code: string;
  /** What was looked at, in a few words, e.g. `storage class smb-csi`. */
  readonly subject: string;
}

/** Makes the findings of one check. */
export function findings(code: string) {
  const of =
    (status: Status) =>
    (subject: string, message: string, remedy = ""): Finding => ({ status, code, subject, message, remedy });
  return {
    ok: of(Status.ok),
    unknown: of(Status.unknown),
    warning: of(Status.warning),
    problem: of(Status.problem),
    missing: of(Status.missing),
    taken: of(Status.taken),
    unsafe: of(Status.unsafe),
  };
}

/** Whether something has to be mended. */
export function isWrong({ status }: Finding): boolean {
  return status !== Status.ok && status !== Status.unknown && status !== Status.warning;
}

/** A finding among the problems of the settings. */
export function problemOf({ code, subject, message, remedy }: Finding): LocatedProblem {
  return {
    severity: Severity.warning,
    code,
    path: "",
    message: `${subject}: ${message}`,
    remedy,
    file: "cluster",
  };
}
