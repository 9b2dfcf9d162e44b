import { existsSync } from "node:fs";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { type ClusterChoice, kubeconfigFiles } from "@hearth-platform/stack/settings/cluster-choice";
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

/** A cluster that was named, or a stack's own; or the sandbox, which has to run, or is passed over where it does not. */
type DryRunPlace = { readonly named: ClusterChoice } | { readonly own: ClusterChoice } | "sandbox" | "running sandbox";

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
function clusterDryRun(place: DryRunPlace) {
  let opened: Promise<LiveCluster> | undefined;
  return {
    async dryRun(objects: readonly KubernetesObject[]): Promise<DryRun & { server: string }> {
      opened ??= openCluster(place);
      const [cluster, { dryRun }] = await Promise.all([opened, import("./dry-run.ts")]);
      return { server: cluster.server, ...(await dryRun(cluster, objects)) };
    },
    async close(): Promise<void> {
      // Where it could not be opened, each file says so.
      (await opened?.catch(() => undefined))?.close();
    },
  };
}

async function openCluster(place: DryRunPlace): Promise<LiveCluster> {
  const { LiveCluster } = await import("@hearth-platform/stack/live/cluster/cluster");
  if (typeof place !== "object") return LiveCluster.open(await sandboxCluster(place === "sandbox"));
  if ("named" in place) return LiveCluster.open(place.named);
  const { kubeContext } = await import("@hearth-platform/sandbox/paths");
  // Its context stands in no kubeconfig of a person.
  if (place.own.context === kubeContext) return LiveCluster.open(await sandboxCluster(false));
  const files = kubeconfigFiles(place.own, process.env);
  if (!files.some((file) => existsSync(file)))
    throw new NoDryRun(`There is no kubeconfig: ${files.join(", ")} does not exist.`);
  return LiveCluster.open(place.own);
}

/** The sandbox's cluster. @throws Error where it has to run and does not, else `NoDryRun` */
async function sandboxCluster(hasToRun: boolean): Promise<ClusterChoice> {
  const [{ openSandbox }, { kubeContext }] = await Promise.all([
    import("@hearth-platform/sandbox/sandbox"),
    import("@hearth-platform/sandbox/paths"),
  ]);
  const { paths } = await openSandbox().catch((error: Error) => {
    throw hasToRun ? error : new NoDryRun(`${error.message} Or name a cluster by --kubeconfig, --context.`);
  });
  return { kubeconfig: paths.kubeconfig, context: kubeContext };
}
