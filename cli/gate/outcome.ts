import type { Pack, Policy } from "@hearth-platform/policy/core/policy";
import { Resource } from "@hearth-platform/policy/core/resource";
import { readProblem } from "@hearth-platform/stack/settings/report";
import { type Edit, editsOf } from "./edits.ts";
import { type EngineEvent, readEvents } from "./events.ts";
import type { PlaceOf } from "./places.ts";
import type { PreviewOutput } from "./preview.ts";

/** Changes of resources, by the engine's word; all other words mean no change. */
export const operations = ["create", "update", "replace", "delete", "import"] as const;
export type Operation = (typeof operations)[number];

/** A resource that would be changed. */
export interface Change {
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

/** A finding of a policy, or of the program in its settings. */
export interface Finding {
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
export interface Outcome {
  readonly changes: readonly Change[];
  /** Number of resources that stay as they are. */
  readonly unchanged: number;
  /** Of mandatory policies. */
  readonly violations: readonly Finding[];
  /** Of advisory ones, then what the program warns of in the settings. */
  readonly advice: readonly Finding[];
  /** Evaluations that met a value which is only known after the update. */
  readonly skipped: readonly Finding[];
  /** Number of evaluations that came to a verdict. */
  readonly evaluations: number;
  /** Why the preview ended, beside violations. */
  readonly errors: readonly string[];
}

/** Reads what Pulumi printed. @param packs that have to have run */
export function outcomeOf(
  { events: text, error, succeeded }: PreviewOutput,
  packs: readonly Pack[],
  placeOf: PlaceOf = () => undefined,
): Outcome {
  const events = readEvents(text);
  const policies = packs.flatMap((pack) => pack.policies);
  const changes = events.flatMap((event) => changesOf(event, placeOf));
  const found = events
    .flatMap(({ policyEvent }) => policyEvent ?? [])
    .map((event) => findingOf(event, policies, placeOf));
  const ofLevel = (level: "mandatory" | "advisory") =>
    found.filter((each) => each.level === level && !each.skipped).map(({ finding }) => finding);
  const violations = ofLevel("mandatory");
  const told = events.flatMap(({ diagnosticEvent: each }) =>
    each?.severity === "error" && !isBareFailure(each.message) ? ownWords(each.message.trim()) : [],
  );
  const silent = !succeeded && told.length === 0 && violations.length === 0;
  return {
    changes,
    unchanged: events.filter(({ resourcePreEvent: each }) => each?.metadata.op === "same").length,
    violations,
    advice: [...ofLevel("advisory"), ...events.flatMap(warningsOf)],
    skipped: found.filter(({ skipped }) => skipped).map(({ finding }) => finding),
    evaluations: events.flatMap(verdicts).length,
    errors: [
      ...new Set([
        ...told,
        ...(silent ? [error.trim() || "Pulumi failed without a message."] : []),
        ...(told.length > 0 || silent ? [] : missingPacks(events, packs)),
      ]),
    ],
  };
}

/** Warnings of the program about its settings, before it creates anything. */
function warningsOf({ diagnosticEvent: event }: EngineEvent): Finding[] {
  const problem = event?.severity === "warning" ? readProblem(event.message) : undefined;
  if (!problem) return [];
  const { code, place, path, message, remedy } = problem;
  return [{ policy: code, severity: "", resource: place, path, message, remedy }];
}

/** The engine's last word on every failure, and what it says of those that it ended for that. */
function isBareFailure(message: string): boolean {
  return message.trim() === "preview failed" || /\bcontext cancell?ed\s*$/.test(message);
}

/** The message of a check of ours without the engine's words around it. */
function ownWords(message: string): string {
  return message.replace(/^Preview failed: before hook "[^"]*" failed: /, "");
}

/** A preview without a pack is green for nothing. */
function missingPacks(events: readonly EngineEvent[], packs: readonly Pack[]): string[] {
  const ran = events.flatMap(({ summaryEvent }) => Object.keys(summaryEvent?.PolicyPacks ?? {}));
  return packs
    .filter(({ name }) => !ran.some((each) => each.split("|")[0] === name))
    .map(({ name }) => `The policy pack ${name} did not run.`);
}

function changesOf({ resourcePreEvent }: EngineEvent, placeOf: PlaceOf): Change[] {
  if (!resourcePreEvent) return [];
  const { op, urn, type, detailedDiff, old, new: now } = resourcePreEvent.metadata;
  const operation = operations.find((each) => each === op);
  if (operation === undefined) return [];
  const { groupKind, programName } = new Resource({ type, urn, props: {} });
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

function findingOf(event: NonNullable<EngineEvent["policyEvent"]>, policies: readonly Policy[], placeOf: PlaceOf) {
  const policy = policies.find(({ id }) => id === event.policyName);
  const skipped = skippedStart.test(event.message);
  const resource = resourceName(event.resourceUrn);
  const parts = skipped ? skippedParts(event.message) : messageParts(event.message.trim(), policy);
  const finding: Finding = {
    policy: event.policyName,
    severity: event.severity ?? "",
    resource,
    place: placeOf(resource, parts.path),
    ...parts,
  };
  return { level: event.enforcementLevel, skipped, finding };
}

function resourceName(urn: string | undefined): string {
  if (!urn) return "";
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const { groupKind, programName } = new Resource({ type, urn, props: {} });
  return type === "pulumi:pulumi:Stack" ? "" : `${groupKind} ${programName}`;
}

/** Ends in `… value at .spec.replicas can't be known during preview`. */
function skippedParts(message: string): Pick<Finding, "path" | "message" | "remedy"> {
  const [, path = ""] = / at \.?(\S+) can't be known/.exec(message.replace(skippedStart, "")) ?? [];
  const remedy = "Write a plain value in the program, not one that another resource gives.";
  return { path, message: "The value is only known after the update.", remedy };
}

/** The SDK puts the rule before a message of ours, which is `path: message remedy`. */
function messageParts(message: string, policy: Policy | undefined): Pick<Finding, "path" | "message" | "remedy"> {
  if (!policy) return { path: "", message, remedy: "" };
  const { remediation: remedy } = policy;
  const own = message.slice(message.indexOf("\n") + 1);
  const [start = "", path = ""] = /^([\w.[\]"/-]+): /.exec(own) ?? [];
  const rest = own.slice(start.length);
  return { path, message: (rest.endsWith(remedy) ? rest.slice(0, -remedy.length) : rest).trim(), remedy };
}

function verdicts({ policyAnalyzeSummaryEvent, policyAnalyzeStackSummaryEvent }: EngineEvent): string[] {
  return [policyAnalyzeSummaryEvent, policyAnalyzeStackSummaryEvent].flatMap((each) => [
    ...(each?.passed ?? []),
    ...(each?.failed ?? []),
  ]);
}
