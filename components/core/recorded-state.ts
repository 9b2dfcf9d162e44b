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
    /** What an update that was killed had begun. */
    readonly pending_operations?: readonly { readonly resource: RecordedResource }[];
  } | null;
}

let reading: Promise<readonly RecordedResource[] | undefined> | undefined;

/**
 * The stack's resources before this update, those among them that a killed update had begun. Read once; secrets stay
 * encrypted. Undefined where they can't be read: under mocks, or without `pulumi` on PATH.
 */
export function recordedResources(): Promise<readonly RecordedResource[] | undefined> {
  reading ??= pulumi.runtime.hasEngine() ? exported() : Promise.resolve(undefined);
  return reading;
}

async function exported(): Promise<readonly RecordedResource[] | undefined> {
  const [organization, project, name] = [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack()];
  // A folder or a bucket as backend has no organizations, and calls its own that.
  const stack = organization === "organization" ? name : `${organization}/${project}/${name}`;
  const args = ["stack", "export", "--stack", stack, "--non-interactive"];
  try {
    const { stdout } = await promisify(execFile)("pulumi", args, { maxBuffer: 1024 ** 3 });
    const { deployment } = JSON.parse(stdout) as Export;
    return [
      ...(deployment?.resources ?? []),
      ...(deployment?.pending_operations ?? []).map(({ resource }) => resource),
    ];
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
