import type { ImagesArgs, IngressArgs, StorePlatformArgs, WorkloadArgs } from "./platform-args.ts";
import { usualProxies } from "./platform-schema.ts";

/** Settings of the workload `name`: the shared ones overridden by its own; labels, annotations and tolerations add up. */
export function workloadSettings(platform: StorePlatformArgs, name: string): WorkloadArgs {
  const shared = platform.workload ?? {};
  const own = platform.workloads?.[name] ?? {};
  return {
    nodeSelector: own.nodeSelector ?? shared.nodeSelector,
    priorityClassName: own.priorityClassName ?? shared.priorityClassName,
    tolerations: [...(shared.tolerations ?? []), ...(own.tolerations ?? [])],
    labels: { ...shared.labels, ...own.labels },
    annotations: { ...shared.annotations, ...own.annotations },
  };
}

/** Proxies before the pods whose word on the caller's address is taken. */
export function proxies({ trustedProxies }: IngressArgs): readonly string[] {
  return trustedProxies ?? usualProxies;
}

/** `image` as it is pulled: its longest matching prefix replaced by the mirror, and by its digest where that is known. */
export function mirrored(image: string, images: ImagesArgs | undefined): string {
  const prefixes = Object.entries(images?.mirrors ?? {}).sort(([a], [b]) => b.length - a.length);
  const match = prefixes.find(([prefix]) => image === prefix || image.startsWith(`${prefix}/`));
  const pulled = match ? `${match[1]}${image.slice(match[0].length)}` : image;
  const digest = images?.digests?.[image];
  return digest === undefined ? pulled : `${pulled}@${digest}`;
}
