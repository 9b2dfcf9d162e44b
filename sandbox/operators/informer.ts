import { setTimeout as delay } from "node:timers/promises";
import { ApiError, type Kind, type KubeClient, type KubeObject } from "./kube.ts";

const reconnectMs = 1_000;

/** What tells the objects of one kind apart: `namespace/name`, or `name`. */
export const keyOf = ({ metadata }: KubeObject): string =>
  [metadata.namespace, metadata.name].filter(Boolean).join("/");

/** Keeps a copy of all objects of a kind and tells of changes. */
export class Informer {
  readonly #client: Pick<KubeClient, "list" | "watch">;
  readonly #kind: Kind;
  readonly #listeners: ((object: KubeObject) => void)[] = [];
  readonly #objects = new Map<string, KubeObject>();

  constructor(client: Pick<KubeClient, "list" | "watch">, kind: Kind) {
    this.#client = client;
    this.#kind = kind;
  }

  /** Calls `listener` with every object that was added, changed or deleted. */
  onChange(listener: (object: KubeObject) => void): void {
    this.#listeners.push(listener);
  }

  list(namespace?: string): readonly KubeObject[] {
    const all = [...this.#objects.values()];
    return namespace ? all.filter(({ metadata }) => metadata.namespace === namespace) : all;
  }

  find(key: string): KubeObject | undefined {
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
        const expected = error instanceof ApiError && error.statusCode === 429;
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
    return metadata.resourceVersion ?? "";
  }

  #take(object: KubeObject, gone: boolean): void {
    const key = keyOf(object);
    const known = this.#objects.get(key)?.metadata.resourceVersion;
    if (gone) this.#objects.delete(key);
    else if (known === object.metadata.resourceVersion) return;
    else this.#objects.set(key, object);
    for (const listener of this.#listeners) listener(object);
  }
}
