import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { ApiError } from "../kubernetes/api.ts";
import type { KubeClient } from "../kubernetes/client.ts";
import { Informer } from "../kubernetes/informer.ts";
import type { Kind, KubernetesObject } from "../kubernetes/objects.ts";
import { identity, keyOf } from "../kubernetes/objects.ts";

/** Keeps what belongs to the objects of one kind as a real operator would. */
export interface Operator {
  /** The kind whose objects it reconciles. */
  readonly reconciles: Kind;
  /** Kinds of objects it makes: a change of one reconciles its controller. */
  readonly owns?: readonly Kind[];
  /** Kinds it reads: a change of one reconciles the objects of its namespace, and all of them where it has none. */
  readonly dependsOn?: readonly Kind[];
  /**
   * Brings what belongs to one object into its desired state; called again after a failure, after any change, and every
   * ten minutes. Never called for an object that is being deleted.
   */
  reconcile(object: KubernetesObject, caches: Caches): Promise<void>;
}

/** The objects of all watched kinds, as of the last event. */
export interface Caches {
  /** Objects of a kind that some operator reconciles, owns or depends on. */
  list<T extends KubernetesObject>(kind: Kind, namespace?: string): readonly T[];
}

const resyncMs = 10 * 60_000;
const firstRetryMs = 200;
const lastRetryMs = 5_000;

const idOf = ({ apiVersion, kind }: Kind) => `${apiVersion}/${kind}`;

/**
 * Runs the operators until `signal` aborts. Watches are opened again for ever when the API server is away or does not
 * have a kind yet; each object is reconciled by one call at a time, and again with growing pauses after a failure.
 */
export async function runOperators(
  client: Pick<KubeClient, "list" | "watch">,
  operators: readonly Operator[],
  signal: AbortSignal,
): Promise<void> {
  const informers = new Map<string, Informer>();
  const informer = (kind: Kind) => {
    const known = informers.get(idOf(kind)) ?? new Informer(client, kind);
    informers.set(idOf(kind), known);
    return known;
  };
  const caches: Caches = {
    list: <T extends KubernetesObject>(kind: Kind, namespace?: string) =>
      informer(kind).list(namespace) as readonly T[],
  };

  for (const operator of operators) {
    const primary = informer(operator.reconciles);
    const queue = new Queue(operator.reconciles.kind, signal, async (key) => {
      const object = primary.find(key);
      if (object && !object.metadata.deletionTimestamp) await operator.reconcile(object, caches);
    });
    const all = (namespace?: string) => {
      for (const object of primary.list(namespace)) queue.add(keyOf(object));
    };
    primary.onChange((object) => queue.add(keyOf(object)));
    for (const kind of operator.dependsOn ?? []) informer(kind).onChange(({ metadata }) => all(metadata.namespace));
    for (const kind of operator.owns ?? []) {
      informer(kind).onChange(({ metadata }) => {
        const owner = metadata.ownerReferences?.find((reference) => reference.controller);
        if (owner && idOf(owner) === idOf(operator.reconciles))
          queue.add([metadata.namespace, owner.name].filter(Boolean).join("/"));
      });
    }
    const resync = setInterval(all, resyncMs);
    signal.addEventListener("abort", () => clearInterval(resync));
  }
  await Promise.all([...informers.values()].map((each) => each.run(signal)));
}

/** Writes the status of an object, unless it says the same already. */
export async function report(
  client: KubeClient,
  object: KubernetesObject & { status?: object },
  status: object,
  manager: string,
): Promise<void> {
  // As the API server keeps it: without what is undefined.
  const kept = JSON.parse(JSON.stringify(status));
  if (isDeepStrictEqual(kept, object.status)) return;
  await client.apply({ ...identity(object), status: kept }, manager, "status");
}

/** Calls `work` for keys, one call at a time for each key, and once more when the key came again meanwhile. */
class Queue {
  readonly #name: string;
  readonly #signal: AbortSignal;
  readonly #work: (key: string) => Promise<void>;
  readonly #waiting = new Set<string>();
  readonly #busy = new Set<string>();

  constructor(name: string, signal: AbortSignal, work: (key: string) => Promise<void>) {
    this.#name = name;
    this.#signal = signal;
    this.#work = work;
  }

  add(key: string): void {
    this.#waiting.add(key);
    if (!this.#busy.has(key)) void this.#drain(key);
  }

  async #drain(key: string): Promise<void> {
    this.#busy.add(key);
    let retryMs = firstRetryMs;
    while (this.#waiting.delete(key) && !this.#signal.aborted) {
      try {
        await this.#work(key);
        retryMs = firstRetryMs;
      } catch (error) {
        if (this.#signal.aborted || isBeingTerminated(error)) break;
        console.error(`${this.#name} ${key}: ${(error as Error).message}; again in ${retryMs} ms`);
        await delay(retryMs, undefined, { signal: this.#signal }).catch(() => undefined);
        retryMs = Math.min(retryMs * 2, lastRetryMs);
        this.#waiting.add(key);
      }
    }
    this.#busy.delete(key);
  }
}

/** Nothing can be made in a namespace that is being deleted, and nothing needs to be. */
function isBeingTerminated(error: unknown): boolean {
  return error instanceof ApiError && error.code === 403 && error.message.includes("because it is being terminated");
}
