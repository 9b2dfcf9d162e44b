import { setTimeout as delay } from "node:timers/promises";
import { ApiError } from "./api.ts";
import type { KubeClient } from "./client.ts";
import { type Kind, type KubernetesObject, keyOf } from "./objects.ts";

const reconnectMs = 1_000;

/** Keeps a copy of all objects of a kind and tells of changes. */
export class Informer {
  readonly #client: Pick<KubeClient, "list" | "watch">;
  readonly #kind: Kind;
  readonly #listeners: ((object: KubernetesObject) => void)[] = [];
  readonly #objects = new Map<string, KubernetesObject>();

  constructor(client: Pick<KubeClient, "list" | "watch">, kind: Kind) {
    this.#client = client;
    this.#kind = kind;
  }

  /** Calls `listener` with every object that was added, changed or deleted. */
  onChange(listener: (object: KubernetesObject) => void): void {
    this.#listeners.push(listener);
  }

  list(namespace?: string): readonly KubernetesObject[] {
    const all = [...this.#objects.values()];
    return namespace ? all.filter(({ metadata }) => metadata.namespace === namespace) : all;
  }

  find(key: string): KubernetesObject | undefined {
    return this.#objects.get(key);
  }

  /** Lists and watches until `signal` aborts; begins anew, for ever, when the API server is away or lacks the kind. */
  async run(signal: AbortSignal): Promise<void> {
    let resourceVersion: string | undefined;
    let told = false;
    while (!signal.aborted) {
      try {
        resourceVersion ??= await this.#relist();
        told = false;
        for await (const { type, object } of this.#client.watch(this.#kind, resourceVersion, signal)) {
          resourceVersion = object.metadata.resourceVersion ?? resourceVersion;
          if (type !== "BOOKMARK") this.#take(object, type === "DELETED");
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError) resourceVersion = undefined;
        // 429 is a kind whose definition has just changed: it is there in a moment.
        const expected = error instanceof ApiError && error.code === 429;
        if (!told && !expected)
          console.error(`${this.#kind.kind}: ${(error as Error).message}; watching again every second`);
        told ||= !expected;
        await delay(reconnectMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** @returns the version of the list, from which to watch */
  async #relist(): Promise<string> {
    const { metadata, items } = await this.#client.list(this.#kind);
    const present = new Set(items.map(keyOf));
    for (const object of this.list()) if (!present.has(keyOf(object))) this.#take(object, true);
    for (const object of items) this.#take(object, false);
    return metadata.resourceVersion;
  }

  #take(object: KubernetesObject, gone: boolean): void {
    const key = keyOf(object);
    const known = this.#objects.get(key)?.metadata.resourceVersion;
    if (gone) this.#objects.delete(key);
    else if (known === object.metadata.resourceVersion) return;
    else this.#objects.set(key, object);
    for (const listener of this.#listeners) listener(object);
  }
}
