import { isDeepStrictEqual } from "node:util";
import type { S3Client } from "@aws-sdk/client-s3";
import type { CheckRequest, CheckResult, DiffResult, Properties, PropertyDifference } from "../grpc.ts";

/** How resources reach S3. */
export interface S3Context {
  readonly client: S3Client;
  readonly region: string;
}

/** A resource as it is in S3. */
interface S3State {
  readonly id: string;
  readonly inputs: Properties;
  readonly state: Properties;
}

/** One resource type. Inputs of functions are known, except in `check`. */
export interface S3Resource {
  /** Input properties it does; others are refused by name. `region` is one of each. */
  readonly inputs: readonly string[];
  readonly required: readonly string[];
  /** Inputs whose change makes a new resource. */
  readonly replaceOn: readonly string[];
  /** Outputs that are not inputs: unknown in the preview that creates them. */
  readonly outputs: readonly string[];
  /** Completes or refuses inputs. @default leaves them */
  check?(request: CheckRequest): CheckResult;
  /** Whether two values of an input mean the same. @default deep equality */
  same?(property: string, before: unknown, after: unknown): boolean;
  create(context: S3Context, inputs: Properties): Promise<{ id: string; state: Properties }>;
  /** The present object; undefined if there is none. `inputs` are empty in an import. */
  read(context: S3Context, id: string, inputs: Properties): Promise<S3State | undefined>;
  update(context: S3Context, id: string, inputs: Properties, before: Properties): Promise<Properties>;
  remove(context: S3Context, id: string, state: Properties): Promise<void>;
}

/** Refuses what is missing and what the stand-in does not do, then asks the resource itself. */
export function checkResource(resource: S3Resource, request: CheckRequest): CheckResult {
  const { news } = request;
  const missing = resource.required.filter((property) => news[property] === undefined);
  const unknown = Object.keys(news).filter(
    (name) => !name.startsWith("__") && ![...resource.inputs, "region"].includes(name),
  );
  const failures = [
    ...missing.map((property) => ({ property, reason: `Missing required property '${property}'` })),
    ...unknown.map((property) => ({ property, reason: "the sandbox's stand-in for this type does not do it" })),
  ];
  if (failures.length > 0) return { inputs: news, failures };
  return resource.check?.(request) ?? { inputs: news };
}

/** Compares the recorded inputs, which a refresh brings up to date, with the new ones. */
export function diffResource(resource: S3Resource, before: Properties, after: Properties): DiffResult {
  const detailed: Record<string, PropertyDifference> = {};
  for (const property of [...resource.inputs, "region"]) {
    const [old, now] = [before[property], after[property]];
    if (isDeepStrictEqual(old, now) || resource.same?.(property, old, now)) continue;
    const kind = old === undefined ? "add" : now === undefined ? "delete" : "update";
    detailed[property] = { kind, replace: [...resource.replaceOn, "region"].includes(property), inputDiff: true };
  }
  const replaces = Object.keys(detailed).filter((property) => detailed[property]?.replace);
  return { changes: Object.keys(detailed).length > 0, replaces, detailed };
}
