/**
 * Drill, last step, image of Node.js: removes the recovered cluster, judges what the steps before have found, and writes the
 * result. It ends with status 3 where the drill is not good: then it was judged, and is not tried again.
 *
 * DRILL: folder that the steps share. CLUSTER: file of the cluster. RUNNING: name of the running one. CHECKS: its databases.
 * POD_NAME: this pod. STARTED is taken from the folder. RESULT: ConfigMap for the result. VOLUME: name of what the operator makes.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type DatabaseAnswers, type DrillResult, isoOf, judgeDatabase, lineOfResult } from "./findings.ts";
import { api, type ClusterState, kinds, removeCluster } from "./kubernetes.ts";

const {
  DRILL = "",
  CLUSTER = "",
  RUNNING = "",
  CHECKS = "",
  POD_NAME = "",
  POD_UID = "",
  RESULT = "",
  VOLUME = "",
} = process.env;

function read(file: string): string | undefined {
  const path = join(DRILL, file);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function answersOf(name: string): DatabaseAnswers {
  const files: Record<keyof DatabaseAnswers, string> = {
    count: "count",
    newest: "newest",
    runningNewest: "running-newest",
    drawn: "drawn",
    sample: "sample",
    found: "found",
    recoveredError: "recovered-error",
    runningError: "running-error",
    filesError: "files-error",
  };
  return Object.fromEntries(
    Object.entries(files).flatMap(([key, end]) => {
      const text = read(`${name}.${end}`);
      return text === undefined ? [] : [[key, text]];
    }),
  );
}

/** Removes the cluster that this pod has made; another one is not this drill's affair. */
async function remove(): Promise<string[]> {
  try {
    const { name } = JSON.parse(readFileSync(CLUSTER, "utf8")).metadata;
    const found = await api<ClusterState>("GET", `${kinds.clusters}/${name}`);
    if (found?.metadata.ownerReferences?.[0]?.uid === POD_UID) await removeCluster(found, VOLUME, 300);
    return [];
  } catch (error) {
    return [`What the drill made could not be removed: ${(error as Error).message}`];
  }
}

const target = Number(read("target") ?? Math.floor(Date.now() / 1000));
const backup = read("backup");
const damaged = (read("damaged") ?? "").split("\n").filter(Boolean);
const recovered = existsSync(join(DRILL, "recovered"));
const judged = recovered
  ? CHECKS.split(" ").map((name) => [name, judgeDatabase(name, answersOf(name), target)] as const)
  : [];
const left = await remove();
const problems = [
  ...damaged.map((file) => `Base backup ${backup} is damaged: ${file} can't be unpacked to its end.`),
  ...(read("problems") ?? "").split("\n").filter(Boolean),
  ...judged.flatMap(([, { problems }]) => problems),
  ...left,
];
const ended = Math.floor(Date.now() / 1000);
const result: DrillResult = {
  cluster: RUNNING,
  good: recovered && problems.length === 0,
  pod: POD_NAME,
  ended: isoOf(ended),
  target: isoOf(target),
  seconds: ended - Math.floor(statSync(join(DRILL, "archive.files")).mtimeMs / 1000),
  ...(backup !== undefined && { backup }),
  databases: Object.fromEntries(judged.flatMap(([name, { result }]) => (result ? [[name, result]] : []))),
  problems,
};
const line = lineOfResult(result);
console.log(JSON.stringify(result, null, 2));
console.log(line);
await api("PATCH", `${kinds.configMaps}/${RESULT}`, { data: { "result.json": JSON.stringify(result, null, 2), line } });
if (!result.good) process.exitCode = 3;
