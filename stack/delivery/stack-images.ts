import { parseImage } from "@hearth-platform/hearth/core/image-reference";
import type { Plan } from "@hearth-platform/hearth/core/plan";
import { imagesOf } from "@hearth-platform/hearth/kubernetes/pod-templates";

/** An image that a stack runs. */
export interface StackImage {
  /** As a node pulls it, e.g. `docker.io/library/nextcloud:31.0.8-apache`. */
  readonly image: string;
  /** Registry and path, e.g. `docker.io/library/nextcloud`. */
  readonly repository: string;
  /** Absent where the image is named by its digest alone. */
  readonly tag?: string;
  readonly digest?: string;
  /** Workloads that run it, e.g. `team/Deployment cloudsuite`, sorted by name. */
  readonly usedBy: readonly string[];
}

/** Every image of the plans, by its name. */
export function stackImages(plans: readonly Plan[]): StackImage[] {
  const users = new Map<string, Set<string>>();
  for (const { object } of plans.flatMap(({ objects }) => objects)) {
    const { kind, metadata } = object;
    for (const image of imagesOf(object)) {
      const known = users.get(image) ?? new Set();
      users.set(image, known.add(`${metadata.namespace}/${kind} ${metadata.name}`));
    }
  }
  return [...users]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([image, usedBy]) => ({ image, ...imageParts(image), usedBy: [...usedBy].sort() }));
}

function imageParts(image: string): Pick<StackImage, "repository" | "tag" | "digest"> {
  const { repository = image, tag, digest } = parseImage(image) ?? {};
  return { repository, ...(tag !== undefined && { tag }), ...(digest !== undefined && { digest }) };
}
