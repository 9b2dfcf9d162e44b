import { readdirSync } from "node:fs";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { type KubernetesListItem, kubernetesObjects, sandbox } from "../../support/stack.ts";

/** What a stack has come to: each resource of the state, object of the cluster and bucket by its name, as text. */
export type EndState = Readonly<Record<string, string>>;

interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly delete?: boolean;
  readonly inputs?: { readonly kind?: string; readonly apiVersion?: string };
}

/** Looks at stack `dev`: the state, the cluster and the object store. What is chosen at random has no value. */
export async function endState(): Promise<EndState> {
  const { exitCode, stdout, all } = await sandbox("pulumi", "stack", "export", "--stack", "dev");
  if (exitCode !== 0) throw new Error(all);
  const { resources = [], pending_operations: pending = [] } = JSON.parse(stdout).deployment as {
    resources?: StateResource[];
    pending_operations?: unknown[];
  };
  const rows: [string, unknown][] = resources.map((resource) => [
    `state: ${resource.urn}${resource.delete ? " (to be deleted)" : ""}`,
    resource.inputs,
  ]);
  const kinds = new Set(
    resources.flatMap(({ type, inputs: { kind, apiVersion = "" } = {} }) =>
      type.startsWith("kubernetes:") && kind ? [kindForKubectl(kind, apiVersion)] : [],
    ),
  );
  const objects = await kubernetesObjects([...kinds].sort().join(), "--all-namespaces");
  for (const object of objects.filter((each) => !isOfSchedule(each)))
    rows.push([`cluster: ${object.kind} ${object.metadata.namespace ?? ""}/${lastingName(object)}`, lasting(object)]);
  for (const bucket of readdirSync(sandboxPaths().objects)) rows.push([`bucket: ${bucket}`, {}]);

  // A name that stands there twice counts twice.
  const counts = new Map<string, number>();
  const named = rows.map(([name, value]) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return [count === 1 ? name : `${name} (${count})`, JSON.stringify(value, withoutChance)];
  });
  return { ...Object.fromEntries(named), "state: pending operations": String(pending.length) };
}

function kindForKubectl(kind: string, apiVersion: string): string {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return group ? `${kind}.${version}.${group}` : kind;
}

/** Jobs that a CronJob makes come with the time. */
function isOfSchedule({ metadata }: KubernetesListItem): boolean {
  const { ownerReferences = [] } = metadata as { ownerReferences?: readonly { kind: string }[] };
  return ownerReferences.some(({ kind }) => kind === "CronJob");
}

/** A Backup that a ScheduledBackup makes is named after its time. */
function lastingName({ kind, metadata: { name } }: KubernetesListItem): string {
  return kind === "Backup" ? name.replace(/-\d{14}$/, "-<time>") : name;
}

/** What was asked for; of what controllers make for themselves only that it is there. */
function lasting({ status: _, ...object }: KubernetesListItem): object {
  return "ownerReferences" in object.metadata ? {} : object;
}

/** Marks a secret in a state: pulumi/pulumi sdk/go/common/resource/sig. */
const secretMark = "4dabf18193072939515e22adb298388d";

/** Fields whose values the API server, its controllers or chance choose. */
const chosen = new Set([
  ...["uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"],
  ...["clusterIP", "clusterIPs", "nodePort", "volumeName", "controller-uid", "batch.kubernetes.io/controller-uid"],
  ...["deployment.kubernetes.io/revision", "kubectl.kubernetes.io/last-applied-configuration"],
  ...["volume.kubernetes.io/selected-node", "volume.kubernetes.io/storage-provisioner"],
  "volume.beta.kubernetes.io/storage-provisioner",
]);

function withoutChance(this: { kind?: unknown }, key: string, value: unknown): unknown {
  if (chosen.has(key)) return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (secretMark in value) return "a secret";
  // What is in a Secret is compared by those who know what it was.
  if (key === "data" && this.kind === "Secret") return Object.keys(value).sort();
  return value;
}
