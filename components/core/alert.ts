/** Who is told, and how fast: `page` wakes somebody, `ticket` waits for the next working day. */
export type AlertSeverity = "page" | "ticket";

/** What a user is told when something is wrong, and what to do then: one file each in the folder `alerts/` of its component. */
export interface Alert<Args extends object = object> {
  /** Its name in Prometheus. The prefix tells our alerts from the cluster's. */
  readonly name: `Hearth${string}`;
  readonly severity: AlertSeverity;
  /** How long it must be wrong before somebody is told, as Prometheus writes durations, e.g. `30m`. */
  readonly for: string;
  /** PromQL: what it finds is wrong. Undefined where these arguments leave nothing to watch. */
  expression(args: Args): string | undefined;
  /** One sentence with the values in it, by Prometheus' templates. */
  summary(args: Args): string;
  /** Where the name of each metric of the expression was read: project, version, file. */
  readonly metrics: Readonly<Record<string, string>>;
  readonly runbook: Runbook;
}

/** What to do about an alert, in Markdown. Commands are as people type them, for a database or part of stack `prod`. */
export interface Runbook {
  /** What is wrong, and since when. */
  readonly symptom: string;
  /** What it means for users. */
  readonly users: string;
  readonly look: RunbookStep;
  readonly mend: RunbookStep;
  readonly verify: RunbookStep;
  /** When to leave it alone. */
  readonly leave: string;
}

/** A step: sentences, then commands. */
export interface RunbookStep {
  readonly text: string;
  readonly commands?: readonly string[];
}

/** An alert of a component's own folder, with the type of the arguments that it reads. */
export function defineAlert<Args extends object>(alert: Alert<Args>): Alert<Args> {
  return alert;
}
