/** One object over time, by the watch API. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, isTransient } from "../../../kubernetes/api.ts";
import type { KubernetesList, KubernetesObject, Reference } from "../../../kubernetes/objects.ts";
import type { Cluster } from "../session.ts";

/**
 * Between the end of one watch and the next, in milliseconds, so that a server that ends each at once is not flooded.
 */
const PAUSE = 100;

/**
 * The object as it is now (undefined when it is not there), then after each change, until the signal is aborted: then
 * it throws the signal's reason. A watch that ends is taken up again; what happened in between is seen, though not each
 * step of it.
 */
export async function* follow(
  { api, discovery }: Cluster,
  { apiVersion, kind, metadata }: Reference,
  signal: AbortSignal,
): AsyncGenerator<KubernetesObject | undefined, never> {
  const path = await discovery.collection({ apiVersion, kind }, metadata.namespace);
  const fieldSelector = `metadata.name=${metadata.name}`;
  for (;;) {
    const { items, metadata: list } = await api.get<KubernetesList>(path, { query: { fieldSelector }, signal });
    const [item] = items;
    // Items of a list don't repeat what kind they are.
    yield item && { ...item, apiVersion, kind };
    let resourceVersion: string | undefined = list.resourceVersion;
    while (resourceVersion) {
      try {
        const query: Record<string, string> = {
          fieldSelector,
          resourceVersion,
          allowWatchBookmarks: "true",
          timeoutSeconds: "300",
        };
        for await (const { type, object } of api.watch(path, query, signal)) {
          resourceVersion = object.metadata.resourceVersion;
          if (type !== "BOOKMARK") yield type === "DELETED" ? undefined : object;
        }
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ApiError) && !isTransient(error)) throw error;
        resourceVersion = undefined;
      }
      await sleep(PAUSE, undefined, { signal });
    }
  }
}
