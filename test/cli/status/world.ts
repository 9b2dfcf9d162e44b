import { constantSecrets } from "@hearth-platform/cli/kit/kept";
import { noteObject } from "@hearth-platform/cli/kit/note";
import { type StatusReport, statusReport } from "@hearth-platform/cli/status/checks";
import type { StatusFacts, VolumeUse } from "@hearth-platform/cli/status/facts";
import { gatherStatus } from "@hearth-platform/cli/status/gather";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { Refusal } from "@hearth-platform/stack/live/cluster/cluster";
import { objectsOf } from "@hearth-platform/stack/live/preflight/needs";
import { stackPlans } from "@hearth-platform/stack/parts";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { checkFiles, committedStack, type StackFiles } from "../../support/stack-files.ts";

/** A live stack of plain objects, sound at first, for tests of what `status` says of it. */

export const now = new Date("2026-11-25T12:00:00Z");
const hours = (count: number) => new Date(now.valueOf() - count * 3_600_000).toISOString();
const days = (count: number) => hours(-24 * count);
export const ago = { hours };

/** An object as the tests change it. */
export interface Changeable extends KubernetesObject {
  // biome-ignore lint/suspicious/noExplicitAny: Tests put in what an API server could have.
  spec?: any;
  // biome-ignore lint/suspicious/noExplicitAny: The same.
  status?: any;
}

/** What controllers and operators write of a sound object, by its kind. */
const sound: Readonly<Record<string, (spec: Changeable["spec"], name: string) => object>> = {
  Deployment: ({ replicas }) => ({ readyReplicas: replicas ?? 1 }),
  StatefulSet: ({ replicas }) => ({ readyReplicas: replicas ?? 1 }),
  Pooler: ({ instances }) => ({ instances }),
  Cluster: ({ instances }, name) => ({
    instances,
    readyInstances: instances,
    phase: "Cluster in healthy state",
    currentPrimary: `${name}-1`,
    certificates: { expirations: { [`${name}-ca`]: "2027-02-01 12:00:00 +0000 UTC" } },
    conditions: [{ type: "ContinuousArchiving", status: "True", message: "Continuous archiving is working" }],
  }),
  Certificate: () => ({ notAfter: days(60), conditions: [{ type: "Ready", status: "True" }] }),
  ExternalSecret: () => ({ conditions: [{ type: "Ready", status: "True" }] }),
  CronJob: () => ({ lastScheduleTime: hours(0.2), lastSuccessfulTime: hours(0.1) }),
  PersistentVolumeClaim: ({ resources }) => ({ phase: "Bound", capacity: resources.requests }),
};

/** The word of a kind in paths: the real one, where a path is not asked of `listPath`. */
const pluralOf = (kind: string) => `${kind.toLowerCase()}s`;

let prod: ReturnType<typeof plannedOf> | undefined;

/** The committed stack `prod` with its objects, made once. */
function production() {
  prod ??= plannedOf(committedStack("prod"));
  return prod;
}

function plannedOf(files: StackFiles): { readonly stack: Stack; readonly planned: Changeable[] } {
  const { stack, problems } = checkFiles(files);
  if (!stack) throw new Error(JSON.stringify(problems));
  return { stack, planned: objectsOf(stackPlans(stack)) as Changeable[] };
}

export class LiveWorld {
  readonly stack: Stack;
  objects: Changeable[];
  /** Plurals of the kinds that the caller may not list. */
  readonly closed = new Set<string>();
  readonly volumes: VolumeUse[] = [];
  /** Logs by the path of their request; others are refused. */
  readonly logs = new Map<string, string>();
  prometheus: string | undefined;

  /** @param files the committed stack `prod` by default */
  constructor(files?: StackFiles) {
    const { stack, planned } = files ? plannedOf(files) : production();
    this.stack = stack;
    this.objects = structuredClone(planned).flatMap((object) => {
      const status = sound[object.kind]?.(object.spec, object.metadata.name);
      const metadata = { ...object.metadata, uid: object.metadata.name, creationTimestamp: hours(24 * 30) };
      const made = { ...object, metadata, ...(status && { status }) };
      const { namespace } = object.metadata;
      if (object.kind === "ScheduledBackup") return [made, this.#backup(namespace, object.spec.cluster.name)];
      // What External Secrets, cert-manager and people make.
      if (object.kind === "ExternalSecret") return [made, secret(namespace, object.metadata.name)];
      return [made];
    });
    const existing = Object.values(stack.settings.secrets?.existing ?? {});
    const namespaces = [...new Set(this.objects.flatMap(({ metadata }) => metadata.namespace ?? []))];
    for (const namespace of namespaces) for (const name of existing) this.objects.push(secret(namespace, name));
    this.objects.push(this.pod("platform", "keystore", "StatefulSet"), this.#kit());
  }

  /** The one object of this kind and name. */
  one(kind: string, name: string): Changeable {
    const [found, ...more] = this.objects.filter((each) => each.kind === kind && each.metadata.name === name);
    if (!found || more.length > 0) throw new Error(`${more.length + (found ? 1 : 0)} ${kind}s are called ${name}.`);
    return found;
  }

  remove(kind: string, name: string): void {
    const gone = this.one(kind, name);
    this.objects = this.objects.filter((each) => each !== gone);
  }

  /** A pod of a workload, ready, with a volume of the node `node-1`. */
  pod(namespace: string, owner: string, kind: string, restarts = 0): Changeable {
    const ownerReferences = [{ apiVersion: "apps/v1", kind, name: owner, uid: owner, controller: true }];
    return {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace, name: `${owner}-0`, uid: `${owner}-0`, ownerReferences },
      spec: {
        nodeName: "node-1",
        volumes: [{ name: "data", persistentVolumeClaim: { claimName: `data-${owner}-0` } }],
      },
      status: {
        conditions: [{ type: "Ready", status: "True" }],
        containerStatuses: [
          {
            restartCount: restarts,
            ...(restarts > 0 && { lastState: { terminated: { finishedAt: hours(2), exitCode: 137 } } }),
          },
        ],
      },
    };
  }

  /** The API server. */
  get cluster() {
    return {
      server: "https://10.0.0.1:6443",
      listPath: async ({ apiVersion, kind, metadata: { namespace } }: KubernetesObject) => {
        const group = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
        return `${group}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${pluralOf(kind)}`;
      },
      read: async <T>(path: string) => this.#read(path) as T | undefined,
      readText: async (path: string) => {
        const log = this.logs.get(path);
        if (log === undefined) throw new Refusal(400, { message: `there is no log at ${path}` });
        return log;
      },
    };
  }

  async facts(): Promise<StatusFacts> {
    const means = { cluster: this.cluster, environment: {}, prometheus: this.prometheus, now };
    return gatherStatus("prod", this.stack, means);
  }

  async report(): Promise<StatusReport> {
    return statusReport(await this.facts());
  }

  #read(path: string): unknown {
    if (path.startsWith("/api/v1/nodes/")) return this.#summary();
    if (/\/staticsites$/.test(path)) return { items: this.objects.filter(({ kind }) => kind === "StaticSite") };
    const [, namespace, plural = "", name] =
      /^\/apis?\/(?:[^/]+\/)?v\w+(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
    if (this.closed.has(plural)) throw new Refusal(403, { message: "no" });
    const of = this.objects.filter(
      ({ kind, metadata }) => pluralOf(kind) === plural && metadata.namespace === namespace,
    );
    // As the API server lists them: without their kind.
    if (name === undefined) return { items: of.map(({ apiVersion: _, kind: __, ...each }) => each) };
    return of.find(({ metadata }) => metadata.name === name);
  }

  #summary(): unknown {
    if (this.closed.has("nodes")) throw new Refusal(403, { message: "no" });
    const volume = this.volumes.map(({ namespace, name, ...use }) => ({ pvcRef: { namespace, name }, ...use }));
    return { pods: [{ volume }] };
  }

  /** The note of a kit that was made a day ago. */
  #kit(): Changeable {
    const secrets = constantSecrets(this.stack).map(({ namespace, name }) => ({
      namespace,
      name,
      uid: name,
      written: "",
    }));
    return noteObject("platform", { made: hours(24), sha256: "00", recipients: ["age1a"], secrets }) as Changeable;
  }

  #backup(namespace: string | undefined, cluster: string): Changeable {
    return {
      apiVersion: "postgresql.cnpg.io/v1",
      kind: "Backup",
      metadata: { namespace: namespace ?? "", name: `${cluster}-1`, creationTimestamp: hours(9) },
      spec: { cluster: { name: cluster } },
      status: { phase: "completed", startedAt: hours(9), stoppedAt: hours(9) },
    };
  }
}

function secret(namespace: string | undefined, name: string): Changeable {
  return { apiVersion: "v1", kind: "Secret", metadata: { ...(namespace && { namespace }), name, uid: name } };
}

/** The rows that are not fine, as `status subject: message`. */
export function faultsOf({ checks }: StatusReport): string[] {
  return checks
    .filter(({ status }) => status !== "ok")
    .map(({ status, subject, message }) => `${status} ${subject}: ${message}`);
}
