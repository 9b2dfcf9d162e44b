import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KubeClient } from "./kubernetes/client.ts";
import type { KubernetesObject } from "./kubernetes/objects.ts";

/** As much of a pod as says which Secrets its first container sees as files. */
export interface PodWithVolumes {
  volumes?: { name: string; secret?: { secretName?: string } }[];
  containers: { volumeMounts?: { name: string; mountPath: string }[] }[];
}

interface Secret extends KubernetesObject {
  data?: Record<string, string>;
}

/**
 * Writes the Secrets that a pod mounts below `folder`, as a kubelet does for its containers.
 * @returns the folder of each by the path at which the container sees it
 * @throws when the cluster has no such Secret
 */
export async function writeSecretVolumes(
  client: Pick<KubeClient, "get">,
  namespace: string,
  { volumes = [], containers: [container] }: PodWithVolumes,
  folder: string,
): Promise<Record<string, string>> {
  const written: Record<string, string> = {};
  for (const { name, mountPath } of container?.volumeMounts ?? []) {
    const secretName = volumes.find((volume) => volume.name === name)?.secret?.secretName;
    if (secretName === undefined) continue;
    const secret = await client.get<Secret>({ apiVersion: "v1", kind: "Secret" }, secretName, namespace);
    if (!secret) throw new Error(`The Secret ${namespace}/${secretName}, which the pod mounts, does not exist.`);
    const files = join(folder, "secrets", secretName);
    await mkdir(files, { recursive: true });
    // The container's user reads them; the sandbox's folder keeps others of this machine out.
    for (const [key, value] of Object.entries(secret.data ?? {}))
      await writeFile(join(files, key), Buffer.from(value, "base64"), { mode: 0o644 });
    written[mountPath] = files;
  }
  return written;
}

/** Variables in which paths of volumes are those of their folders, for a process that runs in no container. */
export function inFolders(
  env: Readonly<Record<string, string>>,
  volumes: Readonly<Record<string, string>>,
): Record<string, string> {
  const mapped = (value: string): string => {
    const path = Object.keys(volumes).find((mount) => value === mount || value.startsWith(`${mount}/`));
    return path === undefined ? value : `${volumes[path]}${value.slice(path.length)}`;
  };
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, mapped(value)]));
}
