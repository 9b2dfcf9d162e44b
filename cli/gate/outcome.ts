import type { ToldProblem } from "@hearth-platform/hearth/core/problem-file";
import type { Pack, Policy } from "@hearth-platform/policy/core/policy";
import { PolicyResource } from "@hearth-platform/policy/core/resource";
import { type Edit, editsOf } from "./edits.ts";
import { type EngineEvent, jsonLines } from "./events.ts";
import type { PlaceOf } from "./places.ts";
import type { PreviewOutput } from "./preview.ts";

/** Changes of resources, by the engine's word; all other words mean no change. */
export const operations = ["create", "update", "replace", "delete", "import"] as const;
export type Operation = (typeof operations)[number];

/** A resource that would be changed. */
export interface PlannedChange {
  readonly operation: Operation;
  /** e.g. `apps/Deployment`, `hearth/CloudSuite`. */
  readonly kind: string;
  /** Its name in the program. */
  readonly name: string;
  /** Values that differ, of an update or replacement. */
  readonly edits: readonly Edit[];
  /** Where they, or the settings of their component, are written, as `file:line`; none where that is not known. */
  readonly places: readonly string[];
}

/** What a policy says of a resource, or the program of its settings. */
export interface Remark {
  /** Its name, or that of the rule on settings. */
  readonly policy: string;
  readonly severity: string;
  /** Whose it is, e.g. `apps/Deployment team/cloudsuite`, or a place in a file of settings; empty: the stack. */
  readonly resource: string;
  /** Where in it, e.g. `spec.replicas`; empty: the whole resource. */
  readonly path: string;
  /** Where that is written, as `file:line`; absent where it is not known, or `resource` says it. */
  readonly place?: string | undefined;
  /** The violation, or the value that was not known. */
  readonly message: string;
  /** The remedy; empty if the policy is of another pack. */
  readonly remedy: string;
}

/** The outcome of a preview. */
export interface PreviewOutcome {
  readonly changes: readonly PlannedChange[];
  /** Number of resources that stay as they are. */
  readonly unchanged: number;
  /** Of mandatory policies. */
  readonly violations: readonly Remark[];
  /** Of advisory ones, then what the program warns of in the settings. */
  readonly advice: readonly Remark[];
  /** Evaluations that met a value which is only known after the update. */
  readonly skipped: readonly Remark[];
  /** Number of evaluations that came to a verdict. */
  readonly evaluations: number;
  /** Why the preview ended, beside violations. */
  readonly errors: readonly string[];
}

/** Reads what Pulumi printed. @param pack that has to have run */
export function outcomeOf(
  { events: text, problems, error, succeeded }: PreviewOutput,
  pack: Pack,
  placeOf: PlaceOf = () => undefined,
): PreviewOutcome {
  const events = jsonLines<EngineEvent>(text);
  const told = jsonLines<ToldProblem>(problems);
  const changes = events.flatMap((event) => changesOf(event, placeOf));
  const found = events
    .flatMap(({ policyEvent }) => policyEvent ?? [])
    .map((event) => remarkOf(event, pack.policies, told, placeOf));
  const ofLevel = (level: "mandatory" | "advisory") =>
    found.filter((each) => each.level === level && !each.skipped).map(({ remark }) => remark);
  const violations = ofLevel("mandatory");
  const failures = events.flatMap(({ diagnosticEvent: each }) =>
    each?.severity === "error" && !isBareFailure(each.message) ? ownWords(each.message.trim()) : [],
  );
  const silent = !succeeded && failures.length === 0 && violations.length === 0;
  return {
    changes,
    unchanged: events.filter(({ resourcePreEvent: each }) => each?.metadata.op === "same").length,
    violations,
    advice: [...ofLevel("advisory"), ...told.flatMap(warningOf)],
    skipped: found.filter(({ skipped }) => skipped).map(({ remark }) => remark),
    evaluations: events.flatMap(verdicts).length,
    errors: [
      ...new Set([
        ...failures,
        ...(silent ? [error.trim() || "Pulumi failed without a message."] : []),
        ...(failures.length > 0 || silent ? [] : missingPack(events, pack)),
      ]),
    ],
  };
}

/** Warnings of the program about its settings and the cluster, before it creates anything. */
function warningOf({ file, line, column, code, path, message, remedy }: ToldProblem): Remark[] {
  if (file === undefined) return [];
  const resource = [file, line, column].filter((part) => part !== undefined).join(":");
  return [{ policy: code, severity: "", resource, path, message, remedy }];
}

/** The engine's last word on every failure, and what it says of those that it ended for that. */
function isBareFailure(message: string): boolean {
  return message.trim() === "preview failed" || /\bcontext cancell?ed\s*$/.test(message);
}

/** The message of a check of ours without the engine's words around it. */
function ownWords(message: string): string {
  return message.replace(/^Preview failed: before hook "[^"]*" failed: /, "");
}

/** A preview without the policies is green for nothing. */
function missingPack(events: readonly EngineEvent[], { name }: Pack): string[] {
  const ran = events.flatMap(({ summaryEvent }) => Object.keys(summaryEvent?.PolicyPacks ?? {}));
  return ran.some((each) => each.split("|")[0] === name) ? [] : [`The policy pack ${name} did not run.`];
}

function changesOf({ resourcePreEvent }: EngineEvent, placeOf: PlaceOf): PlannedChange[] {
  if (!resourcePreEvent) return [];
  const { op, urn, type, detailedDiff, old, new: now } = resourcePreEvent.metadata;
  const operation = operations.find((each) => each === op);
  if (operation === undefined) return [];
  const { groupKind, programName } = new PolicyResource({ type, urn, props: {} });
  const isEdited = operation === "update" || operation === "replace";
  const inputs = { before: old?.inputs, now: now?.inputs };
  const edits = isEdited
    ? editsOf(inputs, detailedDiff ? Object.keys(detailedDiff) : undefined, groupKind === "Secret")
    : [];
  const paths = edits.length > 0 ? edits.map(({ path }) => path) : [""];
  const places = new Set(paths.flatMap((path) => placeOf(`${groupKind} ${programName}`, path) ?? []));
  return [{ operation, kind: groupKind, name: programName, edits, places: [...places] }];
}

/** How the SDK begins its advice on a policy that met an unknown value. */
const skippedStart = /^can't run policy .* during preview: /s;

function remarkOf(
  event: NonNullable<EngineEvent["policyEvent"]>,
  policies: readonly Policy[],
  told: readonly ToldProblem[],
  placeOf: PlaceOf,
) {
  const policy = policies.find(({ id }) => id === event.policyName);
  const skipped = skippedStart.test(event.message);
  const resource = resourceName(event.resourceUrn);
  const parts = skipped ? skippedParts(event.message) : messageParts(event.message.trim(), policy, told);
  const remark: Remark = {
    policy: event.policyName,
    severity: event.severity ?? "",
    resource,
    place: placeOf(resource, parts.path),
    ...parts,
  };
  return { level: event.enforcementLevel, skipped, remark };
}

function resourceName(urn: string | undefined): string {
  if (!urn) return "";
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const { groupKind, programName } = new PolicyResource({ type, urn, props: {} });
  return type === "pulumi:pulumi:Stack" ? "" : `${groupKind} ${programName}`;
}

/** Ends in `… value at .spec.replicas can't be known during preview`. */
function skippedParts(message: string): Pick<Remark, "path" | "message" | "remedy"> {
  const [, path = ""] = / at \.?(\S+) can't be known/.exec(message.replace(skippedStart, "")) ?? [];
  const remedy = "Write a plain value in the program, not one that another resource gives.";
  return { path, message: "The value is only known after the update.", remedy };
}

/** The SDK puts the rule before the text of ours. */
function messageParts(
  message: string,
  policy: Policy | undefined,
  told: readonly ToldProblem[],
): Pick<Remark, "path" | "message" | "remedy"> {
  const text = policy ? message.slice(message.indexOf("\n") + 1) : message;
  const problem = policy && told.find((each) => each.code === policy.id && each.text === text);
  if (!problem) return { path: "", message: text, remedy: "" };
  const { path, message: found, remedy } = problem;
  return { path, message: found, remedy };
}

function verdicts({ policyAnalyzeSummaryEvent, policyAnalyzeStackSummaryEvent }: EngineEvent): string[] {
  return [policyAnalyzeSummaryEvent, policyAnalyzeStackSummaryEvent].flatMap((each) => [
    ...(each?.passed ?? []),
    ...(each?.failed ?? []),
  ]);
}
