import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { type KubernetesListItem, kubernetesObjects, sandbox } from "../../support/stack.ts";

/** What holds data, each by its name: which object it is, and what it asks for of its volume, or holds. */
export type Data = Readonly<Record<string, unknown>>;

const kinds = ["namespaces", "clusters.postgresql.cnpg.io", "persistentvolumeclaims", "secrets"];

/** Everything that holds data of the platform's namespaces, and each object in the object store. */
export async function dataOf(...namespaces: string[]): Promise<Data> {
  const objects = await kubernetesObjects(kinds.join(), "--all-namespaces");
  const own = objects.filter(({ metadata: { name, namespace = name } }) => namespaces.includes(namespace));
  const rows = own.flatMap((object): [string, unknown][] => {
    const { kind, metadata } = object;
    const held = kind === "Secret" ? generated(object) : wanted(object);
    return held === undefined ? [] : [[`${kind} ${metadata.namespace ?? ""}/${metadata.name}`, held]];
  });
  return { ...Object.fromEntries(rows), buckets: storedObjects() };
}

/** A Secret may be made anew, with the same content. Those of operators and of certificates hold no data. */
function generated({ metadata, ...secret }: KubernetesListItem): unknown {
  const { labels = {} } = metadata as { labels?: Record<string, string> };
  if (labels["app.kubernetes.io/managed-by"] !== "hearth") return undefined;
  const { data = {} } = secret as { data?: object };
  return createHash("sha256").update(JSON.stringify(data)).digest("hex");
}

/** Another object of the name is empty; a smaller or older one can't hold what is there. */
function wanted({ kind, metadata, spec = {} }: KubernetesListItem): unknown {
  const { storage, imageName, storageClassName, resources } = spec;
  return [metadata.uid, ...(kind === "Namespace" ? [] : [storage, imageName, storageClassName, resources])];
}

function storedObjects(): string[] {
  const folder = sandboxPaths().objects;
  return readdirSync(folder).flatMap((bucket) => [
    bucket,
    ...readdirSync(join(folder, bucket)).map((key) => `${bucket}/${key}`),
  ]);
}

/** URNs of everything that stack `dev` protects, by the kind of resource. */
export async function protectedUrns(): Promise<string[]> {
  return (await recorded()).filter(({ protect }) => protect).map(({ urn }) => urn);
}

/** URN of the first object of a kind in the state of stack `dev`. @throws Error where there is none */
export async function urnOf(kind: string): Promise<string> {
  const found = (await recorded()).find(({ type }) => type.endsWith(`:${kind}`));
  if (!found) throw new Error(`The state has no ${kind}.`);
  return found.urn;
}

async function recorded() {
  const { exitCode, stdout, all } = await sandbox("pulumi", "stack", "export", "--stack", "dev");
  if (exitCode !== 0) throw new Error(all);
  return JSON.parse(stdout).deployment.resources as { urn: string; type: string; protect?: boolean }[];
}
