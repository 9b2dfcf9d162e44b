/**
 * Drill, step 2, image of Node.js: judges the archive, then makes the cluster that recovers from it, and waits until it has. What
 * goes wrong is written for the last step, which tells it: every step runs in every drill.
 *
 * DRILL: folder that the steps share. CLUSTER: file of the cluster to make. RUNNING: name of the running one. POD_NAME, POD_UID:
 * this pod, with which the cluster goes. TARGET_TIME: the time to recover to; absent: the end of the log. VOLUME, RECOVERY_JOB:
 * names of what the operator makes. SECONDS: that the recovery may take.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Archive, judgeArchive, systemProblem } from "./archive.ts";
import { api, type ClusterState, isDrill, kinds, removeCluster, waitUntil } from "./kubernetes.ts";

const { DRILL = "", CLUSTER = "", RUNNING = "", POD_NAME = "", POD_UID = "", TARGET_TIME, VOLUME = "" } = process.env;
const { RECOVERY_JOB = "", SECONDS = "", NAMESPACE } = process.env;
const cluster = JSON.parse(readFileSync(CLUSTER, "utf8"));
const { name } = cluster.metadata;
/** Tries of the operator's Job after which the recovery has failed: an object store may be away for a moment. */
const tries = 3;

const write = (file: string, content: string) => writeFileSync(join(DRILL, file), content);

function archive(): Archive {
  const read = (file: string) => readFileSync(join(DRILL, file), "utf8");
  const notes = globSync("backups/base/*/backup.info", { cwd: DRILL }).sort();
  return {
    files: read("archive.files"),
    notes: Object.fromEntries(notes.map((file) => [file.split("/").at(-2) ?? "", read(file)])),
    ...(existsSync(join(DRILL, "archive.error")) && { error: read("archive.error") }),
  };
}

/** Removes what an earlier drill left that was killed. */
async function sweep(): Promise<void> {
  const found = await api<ClusterState>("GET", `${kinds.clusters}/${name}`);
  if (!found) return;
  const owner = found.metadata.ownerReferences?.[0];
  const pod =
    owner &&
    isDrill(found) &&
    (await api<{ metadata: { uid: string }; status?: { phase?: string } }>("GET", `${kinds.pods}/${owner.name}`));
  const runs =
    pod &&
    pod.metadata.uid === owner.uid &&
    owner.uid !== POD_UID &&
    !/^(Succeeded|Failed)$/.test(pod.status?.phase ?? "");
  if (runs) throw new Error(`Another drill of this database is running, in pod ${owner.name}.`);
  await removeCluster(found, VOLUME, 300);
}

async function recover(): Promise<void> {
  const started = Math.floor(Date.now() / 1000);
  const target = TARGET_TIME ? Math.floor(Date.parse(TARGET_TIME) / 1000) : started;
  write("target", String(target));
  const running = await api<ClusterState>("GET", `${kinds.clusters}/${RUNNING}`);
  const { backup, problems } = judgeArchive(archive(), {
    ...(TARGET_TIME && { target }),
    ...(running?.status?.systemID && { systemId: running.status.systemID }),
  });
  if (backup) write("backup", backup);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  if (name === RUNNING) throw new Error(`The running database is called ${name}, as the drill's would be.`);
  await sweep();
  await api("POST", kinds.clusters, {
    ...cluster,
    metadata: {
      ...cluster.metadata,
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: POD_NAME, uid: POD_UID }],
    },
    spec: TARGET_TIME ? withTarget(cluster.spec, TARGET_TIME) : cluster.spec,
  });
  let made: ClusterState | undefined;
  let failed = 0;
  const ended = async () => {
    made = await api<ClusterState>("GET", `${kinds.clusters}/${name}`);
    if (made?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True")) return true;
    failed = (await api<{ status?: { failed?: number } }>("GET", `${kinds.jobs}/${RECOVERY_JOB}`))?.status?.failed ?? 0;
    return made === undefined || failed >= tries;
  };
  const inTime = await waitUntil(ended, Number(SECONDS));
  const { phase = "not begun", phaseReason = "", systemID } = made?.status ?? {};
  const state = `The operator's state of it: ${[phase, phaseReason].filter(Boolean).join(": ")}.`;
  if (!made) throw new Error(`Cluster ${name} was deleted while it recovered.`);
  if (!inTime) throw new Error(`The recovery did not end within ${SECONDS} s. ${state}`);
  if (failed >= tries) throw new Error(`The recovery failed ${failed} times. ${state}`);
  const problem = systemProblem(systemID, running?.status?.systemID);
  if (problem) throw new Error(problem);
  // The cluster has no pooler, for nobody else connects to it.
  write("recovered", `${name}-rw.${NAMESPACE}.svc`);
}

function withTarget(spec: { bootstrap: { recovery: object } }, targetTime: string) {
  return { ...spec, bootstrap: { recovery: { ...spec.bootstrap.recovery, recoveryTarget: { targetTime } } } };
}

try {
  await recover();
} catch (error) {
  const { message, cause } = error as Error;
  write("problems", `${message}${cause instanceof Error ? ` (${cause.message})` : ""}`);
  console.log(message);
}
