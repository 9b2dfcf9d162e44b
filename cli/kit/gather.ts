import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { suiteNames } from "@hearth-platform/hearth/cloudsuite/suite-names";
import { dataName } from "@hearth-platform/hearth/core/plan";
import { secretName } from "@hearth-platform/hearth/core/secrets";
import { stackImages } from "@hearth-platform/stack/delivery/stack-images";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { dataNeedsOf } from "@hearth-platform/stack/live/preflight/data-needs";
import { look } from "@hearth-platform/stack/live/preflight/facts";
import { isEmptyState } from "@hearth-platform/stack/live/preflight/lost-state";
import { objectsOf } from "@hearth-platform/stack/live/preflight/needs";
import { checkStackFile } from "@hearth-platform/stack/locked-stack";
import { stackPlans } from "@hearth-platform/stack/parts";
import { formatReport } from "@hearth-platform/stack/settings/report";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { execa } from "execa";
import type { Namespace } from "kubernetes-types/core/v1.d.ts";
import { type Caller, hearthVersion } from "../command.ts";
import { exported, type Run, succeeded } from "../heal/stack-state.ts";
import { newestConfiguration } from "./configuration.ts";
import type { HeldObject, KitContents, SettingsFile } from "./contents.ts";
import { type Kept, keptKey, keptOf, presentClusters } from "./kept.ts";
import { keptDatabases, recoverLines } from "./recover.ts";

/** The cluster's API that kits need. */
export type KitCluster = Pick<LiveCluster, "server" | "get" | "read" | "apply" | "close">;

/** Which stack, and its settings. */
export interface KitStack {
  readonly name: string;
  readonly stack: Stack;
  readonly settings: readonly SettingsFile[];
}

/** The stack with the files that its settings stand in. @throws Error with the report where they have problems */
export function readStack(name: string, configFile: string | undefined, { project, today }: Caller): KitStack {
  const { source, stack, problems } = checkStackFile(project, name, { file: configFile, today });
  if (!source || !stack) throw new Error(formatReport(problems));
  const { lock } = stack.settings.images ?? {};
  const files = [
    ["Pulumi.yaml", "Pulumi.yaml"],
    [`Pulumi.${name}.yaml`, source.file],
    ...[...stack.suites.map(({ file }) => file), ...(lock === undefined ? [] : [lock])].map((file) => [file, file]),
  ] as const;
  const settings = files.map(([path = "", file = ""]) => ({ path, content: readFileSync(resolve(project, file)) }));
  return { name, stack, settings };
}

/** Objects of the cluster by their `keptKey`; those that are not there are left out. @throws Refusal of one that may not be read */
export async function readObjects(kept: readonly Kept[], cluster: KitCluster): Promise<Map<string, HeldObject>> {
  const found = await Promise.all(
    kept.map(async (each) => {
      const { kind, namespace, name } = each;
      const object = { apiVersion: "v1", kind, metadata: { name, namespace } };
      const live = await cluster.get(object, { plural: `${kind.toLowerCase()}s`, namespaced: true });
      return live ? [[keptKey(each), live as HeldObject] as const] : [];
    }),
  );
  return new Map(found.flat());
}

/** UID of kube-system; undefined where it may not be read. */
export async function identityOf(cluster: KitCluster): Promise<string | undefined> {
  const system = await look<Namespace>(cluster, "/api/v1/namespaces/kube-system");
  return typeof system === "string" ? undefined : system.metadata?.uid;
}

/** How a kit's contents are reached. */
export interface KitPlaces {
  readonly cluster: KitCluster;
  readonly pulumi: Run;
  readonly environment: NodeJS.ProcessEnv;
  readonly now: Date;
  readonly project: string;
}

/**
 * All that a kit is made of; nothing of it is written anywhere.
 * @throws Error where the cluster lacks a Secret of the stack, or the state is empty
 */
export async function gatherKit({ name, stack, settings }: KitStack, places: KitPlaces): Promise<KitContents> {
  const { cluster, pulumi, environment, now, project } = places;
  const plans = stackPlans(stack);
  const kept = keptOf(stack);
  const live = await readObjects(kept, cluster);
  const missing = kept.filter((each) => each.isNeeded && !live.has(keptKey(each)));
  if (missing.length > 0) throw new Error(refusalOf(missing));
  const state = await exported({ stack: name }, pulumi, "--show-secrets");
  if (isEmptyState(state.deployment?.resources ?? []))
    throw new Error(
      `The state of stack ${name} is empty: there is nothing to bring back. If the platform is in the cluster, its state is lost (docs/how-to/state.md).`,
    );
  const keys = secretName(stack.settings.secrets, suiteNames.objectStoreCredentials);
  const configurations = stack.suites.map((suite) => {
    const { namespace } = suite.config;
    const secret = live.get(keptKey({ kind: "Secret", namespace, name: keys }));
    return newestConfiguration(stack, suite, secret, environment);
  });
  const objects = objectsOf(plans);
  const needs = dataNeedsOf(stack, objects);
  const databases = keptDatabases(presentClusters(objects), needs);
  const made = now.toISOString();
  const { stdout: commit = "" } = await execa("git", ["rev-parse", "HEAD"], { cwd: project, reject: false });
  const { url = "" } = JSON.parse(succeeded(await pulumi(["whoami", "--json"]))) as { url?: string };
  return {
    stack: name,
    made,
    hearth: { version: hearthVersion(), ...(commit !== "" && { commit }) },
    programs: {
      pulumi: succeeded(await pulumi(["version"])).trim(),
      node: process.version,
      images: stackImages(plans).map(({ image }) => image),
    },
    backend: url,
    cluster: { identity: await identityOf(cluster), server: cluster.server },
    databases,
    buckets: bucketsOf(
      plans.flatMap((plan) => plan.buckets.map(({ bucket }) => bucket)),
      needs,
    ),
    state,
    settings,
    recover: recoverLines(stack, databases, made),
    objects: kept.flatMap((each) => {
      const object = live.get(keptKey(each));
      return object ? [[each, object] as const] : [];
    }),
    configurations: await Promise.all(configurations),
  };
}

function bucketsOf(made: readonly string[], needs: ReturnType<typeof dataNeedsOf>): string[] {
  const used = needs.flatMap(({ archive, beside }) => [...(archive ? [archive] : []), ...beside]);
  return [...new Set([...made, ...used.map(({ bucket }) => bucket)])].sort();
}

function refusalOf(missing: readonly Kept[]): string {
  return [
    "The cluster does not have these, so a kit could not bring the platform back:",
    ...missing.map(({ kind, namespace, name }) => `- ${kind} ${dataName(name, namespace)}`),
    "If the stack has never been brought up, run `pulumi up` first. If one is gone, `./hearth doctor` says how it comes back.",
  ].join("\n");
}
