import type { LimitsArgs } from "../core/limits-args.ts";
import type { Profile } from "../core/platform-args.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";

/** Kind of a suite's component. */
export const suiteKind = "hearth/CloudSuite";
/** Kind of a database's object. */
export const clusterKind = "postgresql.cnpg.io/Cluster";

/** The load a suite is meant for. Its config.yaml has no field for it. */
export interface SuiteLoad {
  /** Number of users. @default unknown: no advice */
  readonly users?: number;
  /** Number of files. @default unknown: no advice */
  readonly files?: number;
  /** Profile of its stack. @default unknown; rules that depend on it are skipped */
  readonly profile?: Profile;
}

/** What a limit's numbers depend on. What is not told of stack and suite allows the most, and widens nothing. */
export interface Circumstances extends SuiteLoad {
  /** Class of a suite's web volume. */
  readonly storageClass?: string;
  /** What the stack allows beside the specification. */
  readonly limits?: LimitsArgs;
}

/** What every row says. Settings, pack and cluster judge by it, each in its own way. */
interface Row {
  /** Name of its admission policy; its policy of the pack has a name like it. */
  readonly id: string;
  /** Its subject, in a few words. */
  readonly title: string;
  /** The rule, in a sentence or two, as the specification has it. */
  readonly rule: string;
  /** What to do, as a sentence that is true of every stack: it names nothing that a stack can widen. */
  readonly remedy: string;
  /** Required: an error everywhere. Recommended: a warning, which production is held to by the pack alone. */
  readonly required: boolean;
  /** How bad it is, in the pack's words. */
  readonly severity: "low" | "medium" | "high" | "critical";
  readonly tags: readonly string[];
  /** Where it stands in arguments and in objects that have it in one place, by kind: `hearth/CloudSuite`, `postgresql.cnpg.io/Cluster`. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Whose objects it is about, where suites and the platform's own stores have some of that kind. @default both */
  readonly owner?: "suite" | "platform";
  /** What of a suite its number depends on. @default nothing */
  readonly by?: "storageClass" | "users" | "files";
  /** How a stack widens it. @default no stack can */
  readonly widened?: Widening;
}

/** A key of `hearth:limits`. */
interface Widening {
  readonly by: keyof LimitsArgs;
  /** What an entry there allows, e.g. `PostgreSQL 17`. */
  readonly what: (entry: Readonly<Record<string, unknown>>) => string;
  /** What to write there for a value, in YAML on one line that does not tell it, e.g. `[{name: <region>, reason: <why>}]`; undefined for a value that can't be allowed. */
  readonly entry?: (value: string) => string | undefined;
}

/** What follows from the circumstances. */
type From<T> = (of?: Circumstances) => T;

/** A row with a number. */
interface MeasuredRow extends Row {
  /** Objects of the cluster that are judged; without a name every one of the kind. */
  readonly object: { readonly kind: ObjectKind; readonly name?: string };
}

/** Kinds of objects that rows are about. */
export type ObjectKind =
  | "apps/Deployment"
  | "apps/StatefulSet"
  | "PersistentVolumeClaim"
  | "StaticSite"
  | typeof clusterKind;

/** Pods of a workload, which may be none for maintenance; instances of a database; or the major of its version. */
export interface CountLimit extends MeasuredRow {
  readonly measure: "pods" | "instances" | "major";
  readonly least: From<number>;
  /** Infinity where there is no end. */
  readonly most: From<number>;
  /** What is counted, e.g. `keystore pods`; settings judge some numbers by other rules. */
  readonly counted?: string;
  /** The numbers allowed, as after "Write". */
  readonly allowed: From<string>;
  /** Of fewer than production has: what the number makes of it, e.g. `database instance has no failover`. @default nothing */
  readonly risk?: string;
  /** What the pack says. */
  readonly told: (of: Circumstances) => string;
  /** What the API server says after the field; the numbers stand for `{least}`, `{most}` and `{range}`. */
  readonly inCluster: string;
}

/** A volume's size. */
export interface SizeLimit extends MeasuredRow {
  readonly measure: "size";
  readonly least: From<string>;
  /** What the settings say of a lower one. */
  readonly low: { readonly code: string; readonly message: (size: string, of: Circumstances) => string };
  /** What to write, as a sentence. */
  readonly advice: From<string>;
  readonly told: (least: string) => string;
  readonly inCluster: string;
}

/** Requests and limits of a part of a suite. The platform's own stores have others. */
export interface ResourcesLimit extends MeasuredRow {
  readonly measure: "resources";
  readonly least: From<ResourceSpecArgs>;
}

/** Seconds between two events. */
export interface IntervalLimit extends MeasuredRow {
  readonly measure: "interval";
  readonly least: From<number>;
  readonly inCluster: string;
}

/** Names of which one has to be taken. Only who writes them can judge them: no admission policy does. */
export interface SetLimit extends Row {
  readonly measure: "set";
  readonly allowed: From<string[]>;
}

/** A row that has admission policies. */
export type MeasuredLimit = CountLimit | SizeLimit | ResourcesLimit | IntervalLimit;
export type Limit = MeasuredLimit | SetLimit;

/**
 * The line that allows a value, as a sentence after the one that says what else to do; empty where nothing allows it.
 * @param limits what the stack's limits are called where the sentence is read
 */
export function wayOn({ widened }: Limit, value: string | undefined, limits = "platform.limits"): string {
  const entry = value === undefined ? undefined : widened?.entry?.(value);
  if (!widened || entry === undefined) return "";
  return ` An entry allows another: \`${limits}: {${widened.by}: ${entry}}\`.`;
}

/** A text with the values of its `{names}`. */
export function withValues(text: string, value: (name: string) => string): string {
  return text.replace(/\{(\w+)\}/g, (_, name) => value(name));
}

/** Whether a number keeps a limit. */
export function keepsLimit({ least, most }: CountLimit, found: number, of: Circumstances): boolean {
  return Number.isInteger(found) && found >= least(of) && found <= most(of);
}
