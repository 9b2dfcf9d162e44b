import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { healCommand } from "@hearth-platform/cli/heal/command";
import type { Export, StateResource } from "@hearth-platform/cli/heal/deployment";
import type { BucketState } from "@hearth-platform/cli/heal/finding";
import type { HealMeans } from "@hearth-platform/cli/heal/stack-state";
import type { HistoryEntry } from "@hearth-platform/cli/heal/unnoted";
import type { PulumiOutput } from "@hearth-platform/cli/pulumi";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type Kind, LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { afterEach, beforeEach } from "vitest";
import { call } from "../../support/caller.ts";

/** A stack's state and all that is outside of it, for tests of heal. */

/** Folder of the backend, new for each test. */
export let backend = "";

/** Gives each test of a file a backend of its own, a folder. */
export function inBackend(): void {
  beforeEach(() => {
    backend = mkdtempSync(join(tmpdir(), "hearth-heal-"));
    for (const folder of ["locks/organization/hearth/dev", "stacks/hearth"])
      mkdirSync(join(backend, ".pulumi", folder), { recursive: true });
  });
  afterEach(() => rmSync(backend, { recursive: true }));
}

export const provider: StateResource = {
  urn: "urn:pulumi:dev::hearth::pulumi:providers:kubernetes::cluster",
  type: "pulumi:providers:kubernetes",
  id: "1",
  inputs: { context: "production" },
};

/** A resource with its type's last words and name as its URN, as the engine writes it before it is created. */
export const resource = (type: string, name: string, inputs: object): StateResource => ({
  urn: `urn:pulumi:dev::hearth::${type}::${name}`,
  type,
  inputs: { ...inputs },
  provider: `${provider.urn}::1`,
});

export const sent = (kind: string, more: object = {}) => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "web", namespace: "team", labels: { "app.kubernetes.io/managed-by": "hearth" } },
  ...more,
});
export const service = resource(
  "kubernetes:core/v1:Service",
  "team/web",
  sent("Service", { spec: { ports: [{ port: 80 }] } }),
);
export const password = resource("random:index/randomPassword:RandomPassword", "team/admin.password", { length: 32 });
export const bucket = resource("aws:s3/bucket:Bucket", "team/data", { bucket: "data-team" });

/** The sign of a secret in a state. */
export const sign = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

export const killed = (...creating: StateResource[]): Export => ({
  version: 3,
  deployment: {
    resources: [provider],
    pending_operations: creating.map((each) => ({ type: "creating", resource: each })),
  },
});

/** A state of these resources, of which creates were under way. */
export const withState = (resources: StateResource[], ...creating: StateResource[]): Export => ({
  version: 3,
  deployment: { ...killed(...creating).deployment, resources },
});

/** As a provider records it. */
export const whole = (each: StateResource): StateResource => ({
  ...each,
  outputs: { ...each.inputs, __inputs: each.inputs },
});

export const sentTo = (namespace: string) => ({ ...service.inputs, metadata: { name: "web", namespace } });

/** What is outside the state. */
export interface World {
  /** The object of the name that was sent; Pulumi's unless it says another manager. */
  readonly live?: object;
  /** What the API server makes of what was sent. @default what is there */
  readonly applied?: object;
  readonly bucket?: BucketState;
  /** What the API server says to an object that is tried. @default nothing */
  readonly refused?: (object: KubernetesObject) => Error | undefined;
  /** @default none: the history is empty */
  readonly history?: readonly HistoryEntry[];
  /** What the next update would create; none: the preview fails. @default nothing */
  readonly proposed?: readonly StateResource[];
  /** Why the preview fails. */
  readonly refusal?: string;
  /** What a person answers. @default the command is called with --yes */
  readonly agrees?: boolean;
  /** The clock of the API server. @default this machine's */
  readonly date?: Date;
}

/** Runs the command on a state; says what Pulumi was asked, and the state it was given. */
export async function heal(state: Export, world: World = {}, ...args: string[]) {
  const { live, applied = live, bucket = { holds: "no bucket" }, history = [], refused = () => undefined } = world;
  const { proposed = "proposed" in world ? undefined : [], date, agrees, refusal = "settings are wrong\n" } = world;
  const asked: string[] = [];
  let imported: Export | undefined;
  const providers: unknown[] = [];
  const plans: string[] = [];
  const modes: number[] = [];
  const cluster = Object.assign(Object.create(LiveCluster.prototype, { date: { value: date } }), {
    kind: async (): Promise<Kind> => ({ plural: "services", namespaced: true }),
    get: async () => live as KubernetesObject | undefined,
    tryApply: async (object: KubernetesObject) => {
      const refusal = refused(object);
      if (refusal) throw refusal;
      return applied as KubernetesObject;
    },
  }) as LiveCluster;
  const means: HealMeans = {
    pulumi: async ([...words], { input }) => {
      asked.push(words.filter((word) => !word.startsWith("--")).join(" "));
      if (words[1] === "import") imported = JSON.parse(String(input));
      if (words[0] === "preview") {
        plans.push(String(words[words.indexOf("--save-plan") + 1]));
        modes.push(statSync(dirname(String(plans.at(-1)))).mode & 0o777);
        return preview(proposed, String(plans.at(-1)), refusal);
      }
      const answers: Record<string, unknown> = {
        whoami: { url: `file://${backend}` },
        stack: words[1] === "history" ? history : (imported ?? state),
      };
      return { stdout: JSON.stringify(answers[words[0] ?? ""] ?? ""), stderr: "", succeeded: true };
    },
    places: async () => ({
      cluster: async (inputs) => {
        providers.push(inputs);
        return cluster;
      },
      bucket: async () => bucket,
      digest: async () => undefined,
      close: async () => {},
    }),
  };
  const words = ["--stack", "dev", ...(agrees === undefined ? ["--yes"] : []), ...args];
  const answer = await call((session) => healCommand(session, means), backend, words, undefined, agrees);
  return { ...answer, asked, imported: imported?.deployment, providers, plans, modes };
}

/** Answers as `pulumi preview --json --show-secrets --save-plan FILE` does: the plan alone has the values of secrets. */
function preview(proposed: readonly StateResource[] | undefined, plan: string, message: string): PulumiOutput {
  const diagnostics = [{ severity: "error", message }];
  if (!proposed) return { stdout: JSON.stringify({ diagnostics }), stderr: "", succeeded: false };
  const steps = proposed.map(({ inputs, ...newState }) => ({
    op: "create",
    newState: { ...newState, inputs: { ...inputs, ...(inputs?.kind === "Secret" && { data: "[secret]" }) } },
  }));
  const resourcePlans = Object.fromEntries(
    proposed.map(({ urn, inputs }) => [urn, { goal: { inputDiff: { adds: inputs } } }]),
  );
  writeFileSync(plan, JSON.stringify({ resourcePlans }));
  return { stdout: JSON.stringify({ steps }), stderr: "", succeeded: true };
}

export const byPulumi = { managedFields: [{ manager: "pulumi-kubernetes-5ae60ffc", operation: "Update" }] };
export const there = (object: object, metadata: object = byPulumi) => {
  const copy = structuredClone(object) as KubernetesObject;
  return { ...copy, metadata: { ...copy.metadata, uid: "u", ...metadata } };
};
