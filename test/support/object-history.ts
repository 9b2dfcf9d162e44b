import type { KubeClient } from "@hearth-platform/sandbox/kubernetes/client";
import { Informer } from "@hearth-platform/sandbox/kubernetes/informer";
import { type Kind, type KubernetesObject, keyOf } from "@hearth-platform/sandbox/kubernetes/objects";
import { job } from "@hearth-platform/sandbox/plugins/kubernetes/await/pods";
import { parseWaitFor } from "@hearth-platform/sandbox/plugins/kubernetes/await/wait-for";
import { deployment, statefulSet } from "@hearth-platform/sandbox/plugins/kubernetes/await/workloads";

/** When an object was made and when it was ready for the first time, in revisions of the API server's store, which count all changes of all objects. */
export interface Moments {
  readonly created: number;
  readonly ready?: number;
}

/** `Kind namespace/name`. */
export const idOf = (object: KubernetesObject): string => `${object.kind} ${keyOf(object)}`;

const workloads: Readonly<Record<string, typeof job>> = { Deployment: deployment, StatefulSet: statefulSet, Job: job };

/** Whether it is as it is wanted: by its `pulumi.com/waitFor`, or as workloads are; a volume is bound, all else is there. */
export function isReady(object: KubernetesObject): boolean {
  const { annotations = {} } = object.metadata;
  const waitFor = annotations["pulumi.com/waitFor"];
  if (waitFor !== undefined) return parseWaitFor(waitFor)(object).ready;
  if (object.kind === "PersistentVolumeClaim") return (object.status as { phase?: string })?.phase === "Bound";
  return workloads[object.kind]?.judge({ live: object, related: {} }).ready ?? true;
}

/** Follows all objects of some kinds from now on. */
export class ObjectHistory {
  readonly #moments = new Map<string, Moments>();
  readonly #live = new Map<string, KubernetesObject>();
  readonly #seen = new Map<string, KubernetesObject>();
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(client: KubeClient, kinds: readonly Kind[]) {
    this.#running = Promise.all(
      kinds.map((kind) => {
        const informer = new Informer(client, kind);
        informer.onChange((object) => this.#take(object, informer.find(keyOf(object)) === undefined));
        return informer.run(this.#stop.signal);
      }),
    );
  }

  moments(id: string): Moments | undefined {
    return this.#moments.get(id);
  }

  /** Those that are there, as they were last seen. */
  get live(): ReadonlyMap<string, KubernetesObject> {
    return this.#live;
  }

  /** All that were there, as they were last seen. */
  get seen(): ReadonlyMap<string, KubernetesObject> {
    return this.#seen;
  }

  #take(object: KubernetesObject, gone: boolean): void {
    const id = idOf(object);
    const revision = Number(object.metadata.resourceVersion);
    this.#seen.set(id, object);
    if (gone) this.#live.delete(id);
    else this.#live.set(id, object);
    const { created = revision, ready } = this.#moments.get(id) ?? {};
    this.#moments.set(id, { created, ready: ready ?? (!gone && isReady(object) ? revision : undefined) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}
