import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import type { ClusterChoice } from "@hearth-platform/stack/settings/cluster-choice";
import type { Caller } from "../command.ts";
import type { DryRun } from "./dry-run.ts";
import type { CheckedFile } from "./judgement.ts";
import { asJson, asSarif, asText } from "./output.ts";
import { isValid, NoDryRun, type Validation, validate } from "./validation.ts";

/** How the outcome is printed. */
export const Format = { text: "text", json: "json", sarif: "sarif" } as const;
export type Format = (typeof Format)[keyof typeof Format];

const printers = { [Format.text]: asText, [Format.json]: asJson, [Format.sarif]: asSarif };

/** How files are checked. */
interface Options {
  readonly format: Format;
  /** Warnings are errors. */
  readonly strict: boolean;
  /** Where the dry run is made. @default nowhere */
  readonly cluster?: DryRunPlace;
}

/** A cluster; or the sandbox, which has to run, or is passed over where it does not. */
type DryRunPlace = ClusterChoice | "sandbox" | "running sandbox";

/** Checks what was judged, prints the outcome and gives the exit status: 0 all are valid, 1 problems. */
export async function validateFiles(
  judgements: readonly CheckedFile[],
  { strict, format, cluster }: Options,
  caller: Caller,
): Promise<number> {
  const tried = cluster && clusterDryRun(cluster);
  const validations: Validation[] = [];
  try {
    for (const judgement of judgements) validations.push(await validate(judgement, { strict, dryRun: tried?.dryRun }));
  } finally {
    await tried?.close();
  }
  caller.output(printers[format](validations));
  return validations.every(isValid) ? 0 : 1;
}

/** Dry runs on one cluster, which is opened at the first, so that a file with problems is told at once. */
function clusterDryRun(choice: DryRunPlace) {
  let opened: Promise<LiveCluster> | undefined;
  return {
    async dryRun(objects: readonly KubernetesObject[]): Promise<DryRun> {
      opened ??= openCluster(choice);
      const [cluster, { dryRun }] = await Promise.all([opened, import("./dry-run.ts")]);
      return dryRun(cluster, objects);
    },
    async close(): Promise<void> {
      // Where it could not be opened, each file says so.
      (await opened?.catch(() => undefined))?.close();
    },
  };
}

async function openCluster(choice: DryRunPlace): Promise<LiveCluster> {
  const { LiveCluster } = await import("@hearth-platform/stack/live/cluster/cluster");
  if (typeof choice === "object") return LiveCluster.open(choice);
  const sandbox = await sandboxCluster().catch((error: Error) => {
    throw choice === "sandbox" ? error : new NoDryRun(`${error.message} Or name a cluster by --kubeconfig, --context.`);
  });
  return LiveCluster.open(sandbox);
}

async function sandboxCluster(): Promise<ClusterChoice> {
  const [{ openSandbox }, { kubeContext }] = await Promise.all([
    import("@hearth-platform/sandbox/sandbox"),
    import("@hearth-platform/sandbox/paths"),
  ]);
  return { kubeconfig: (await openSandbox()).paths.kubeconfig, context: kubeContext };
}
