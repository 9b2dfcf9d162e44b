import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { dataName } from "./plan.ts";

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
  };
  readonly protect?: boolean;
  /** It is replaced already, and only to be deleted. */
  readonly delete?: boolean;
  /** Names of hooks by when they run. */
  readonly resourceHooks?: { readonly BeforeDelete?: readonly string[] };
}

interface Export {
  readonly deployment?: {
    readonly resources?: readonly RecordedResource[];
    /** Operations that a killed update had begun. */
    readonly pending_operations?: readonly { readonly resource: RecordedResource }[];
  } | null;
}

/** The stack's state before this update. */
export interface RecordedState {
  /** With those that a killed update had begun. Their secrets stay encrypted. */
  readonly resources: readonly RecordedResource[];
  /** See `madeNames`. */
  readonly made: ReadonlySet<string>;
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
    const begun = (deployment?.pending_operations ?? []).map(({ resource }) => resource);
    const resources = [...(deployment?.resources ?? []), ...begun];
    return { resources, made: madeNames(resources) };
  } catch (error) {
    pulumi.log.debug(`The state was not read: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
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
