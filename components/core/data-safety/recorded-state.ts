import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { dataName } from "../plan.ts";

/** A resource as the stack's state has it, as far as it is read here: pulumi/pulumi sdk/go/common/apitype/core.go. */
export interface RecordedResource {
  readonly urn: string;
  readonly type: string;
  readonly parent?: string;
  readonly inputs?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: { readonly name: string; readonly namespace?: string };
    /** Of a bucket: its name. */
    readonly bucket?: string;
    /** Of a component. */
    readonly namespace?: string;
    /** Of a component that records its cluster: the UID. */
    readonly clusterIdentity?: string;
    /** Of a provider of Kubernetes. */
    readonly context?: string;
  };
  readonly protect?: boolean;
  /** It is replaced already, and only to be deleted. */
  readonly delete?: boolean;
  /** It was deleted, to be made anew. */
  readonly pendingReplacement?: boolean;
  /** Names of hooks by when they run. */
  readonly resourceHooks?: { readonly BeforeDelete?: readonly string[] };
}

interface Export {
  readonly deployment?: {
    readonly resources?: readonly RecordedResource[];
    /** Operations that a killed update had begun. */
    readonly pending_operations?: readonly { readonly type: string; readonly resource: RecordedResource }[];
  } | null;
}

/** The stack's state before this update. */
export interface RecordedState {
  /** With those that a killed update had begun. Their secrets stay encrypted. */
  readonly resources: readonly RecordedResource[];
  /** Objects and buckets that a killed update had begun to create and that the state lacks: each may exist. */
  readonly unrecorded: readonly RecordedResource[];
  /** See `madeNames`. */
  readonly made: ReadonlySet<string>;
  /** Names in Pulumi's state of the values that it generated: `hub/hub-encryption-key.value`. */
  readonly generated: ReadonlySet<string>;
}

let reading: Promise<RecordedState | undefined> | undefined;

/** The stack's state, read once. Undefined where it can't be read: under mocks, or without `pulumi` on PATH. */
export function recordedState(): Promise<RecordedState | undefined> {
  reading ??= pulumi.runtime.hasEngine() ? exported() : Promise.resolve(undefined);
  return reading;
}

async function exported(): Promise<RecordedState | undefined> {
  const [organization, project, name] = [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack()];
  // A folder or a bucket as backend has no organizations, and calls its own that.
  const stack = organization === "organization" ? name : `${organization}/${project}/${name}`;
  const args = ["stack", "export", "--stack", stack, "--non-interactive"];
  try {
    const { stdout } = await promisify(execFile)("pulumi", args, { maxBuffer: 1024 ** 3 });
    const { deployment } = JSON.parse(stdout) as Export;
    const { resources: recorded = [], pending_operations: operations = [] } = deployment ?? {};
    const resources = [...recorded, ...operations.map(({ resource }) => resource)];
    const unrecorded = begunCreates(recorded, operations).filter(mayExist);
    return {
      resources,
      unrecorded: unrecorded.map(({ resource }) => resource),
      made: madeNames(resources),
      generated: generatedNames(resources),
    };
  } catch (error) {
    pulumi.log.debug(`The state was not read: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

/** A resource of a state, whoever reads it. */
type Stateful = Pick<RecordedResource, "urn" | "protect" | "delete" | "pendingReplacement"> & {
  readonly inputs?: object;
};

/** A create that a killed update had begun. */
export interface BegunCreate<Resource extends Stateful = RecordedResource> {
  readonly resource: Resource;
  /** The state has what it made: a later update ended it. */
  readonly isRecorded: boolean;
}

/**
 * Creates that killed updates had begun, the latest of each resource: the engine keeps them through later updates, also
 * those that a later update has ended.
 * @param recorded resources of the state
 * @param operations that were under way
 */
export function begunCreates<Resource extends Stateful>(
  recorded: readonly Resource[],
  operations: readonly { readonly type: string; readonly resource: Resource }[],
): BegunCreate<Resource>[] {
  const begun = operations.filter(({ type }) => type === "creating").map(({ resource }) => resource);
  return begun
    .filter(({ urn }, index) => begun.findIndex((each) => each.urn === urn) === index)
    .map((resource) => ({
      resource,
      isRecorded: recorded.some(
        (each) =>
          each.urn === resource.urn &&
          !each.delete &&
          !each.pendingReplacement &&
          // The engine replaces nothing that is protected.
          (each.protect || isSamePlace(each, resource)),
      ),
    }));
}

/** Whether what a create made can be found: it is somewhere else than in the state. */
export function mayExist({ resource, isRecorded }: BegunCreate<Stateful>): boolean {
  return !isRecorded && placeOf(resource) !== undefined;
}

/** Whether two states of a resource mean one object. A replacement that is made first has another name or namespace. */
export function isSamePlace(one: Stateful, other: Stateful): boolean {
  return placeOf(one) === placeOf(other);
}

/** A bucket's name, or an object's namespace and name; undefined for what is nowhere but in the state. */
function placeOf({ inputs = {} }: Stateful): string | undefined {
  const { bucket, metadata } = inputs as NonNullable<RecordedResource["inputs"]>;
  return bucket ?? (metadata && dataName(metadata.name, metadata.namespace));
}

/**
 * What the stack has made: buckets by their names, objects as `namespace/name` and as `Kind namespace/name`; with the
 * namespaces of objects that hold data.
 */
export function madeNames(resources: readonly RecordedResource[]): ReadonlySet<string> {
  return new Set(
    resources.flatMap(({ inputs: { bucket, kind, metadata } = {}, protect }) => {
      if (bucket !== undefined) return [bucket];
      if (!metadata) return [];
      const name = dataName(metadata.name, metadata.namespace);
      return [name, `${kind} ${name}`, ...(protect && metadata.namespace ? [metadata.namespace] : [])];
    }),
  );
}

/** Names in Pulumi's state of generated values, of any type that has made such. */
function generatedNames(resources: readonly RecordedResource[]): ReadonlySet<string> {
  const values = resources.filter(({ type }) => /^(?:random|tls):/.test(type));
  return new Set(values.map(({ urn }) => urn.split("::").slice(3).join("::")));
}
