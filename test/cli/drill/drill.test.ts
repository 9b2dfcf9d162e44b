import { join } from "node:path";
import { type DrillCluster, drillCommand } from "@hearth-platform/cli/drill/command";
import { DrillApplication, type DrillArgs } from "@hearth-platform/hearth/drill/args";
import type { NewObject } from "@hearth-platform/stack/live/cluster/cluster";
import { stackParts } from "@hearth-platform/stack/parts";
import type { CronJob, Job } from "kubernetes-types/batch/v1.d.ts";
import type { Container } from "kubernetes-types/core/v1.d.ts";
import { expect, test } from "vitest";
import { call } from "../../support/caller.ts";
import { checkFiles, committedStack } from "../../support/stack-files.ts";

const root = join(import.meta.dirname, "../../..");
const { stack } = checkFiles(committedStack("prod"));
const parts = stack ? stackParts(stack).filter(({ kind }) => kind === "drill") : [];
const cronJobs = new Map(
  parts
    .flatMap((part) => part.plans())
    .flatMap(({ objects }) => objects.map(({ object }) => object))
    .filter(({ kind }) => kind === "CronJob")
    .map((object) => [`${object.metadata.namespace}/${object.metadata.name}`, object as CronJob]),
);

type Condition = {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
};

interface Cluster {
  /** Whether `up` has made the CronJobs. @default true */
  readonly deployed?: boolean;
  /** How each Job ends. @default complete */
  readonly end?: Condition;
  /** Whether its pod wrote a result. @default true */
  readonly wrote?: boolean;
  readonly good?: boolean;
  /** What a person answers. @default nobody can be asked */
  readonly agrees?: boolean;
}

/** Runs the command on stack `prod`; says what was made. A Job ends at the second look. */
async function drill(cluster: Cluster, ...args: string[]) {
  const { deployed = true, end = { type: "Complete", status: "True" }, wrote = true, good = true } = cluster;
  const made: (NewObject & Job)[] = [];
  let pauses = 0;
  const read = async (path: string) => {
    const [, namespace = "", kind = "", name = ""] = /namespaces\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    if (kind === "cronjobs") {
      const found = cronJobs.get(`${namespace}/${name}`);
      return deployed && found ? { ...found, metadata: { ...found.metadata, uid: `uid-${name}` } } : undefined;
    }
    if (kind === "jobs") return { status: pauses > 0 ? { conditions: [end] } : {} };
    const pod = wrote ? `${name.replace("-result", "-now-x1")}-abcde` : "another-drill-abcde";
    return { data: { "result.json": JSON.stringify({ good, pod }), line: `${name}: the line` } };
  };
  const api: DrillCluster = {
    read: read as DrillCluster["read"],
    create: async (object) => {
      made.push(object as NewObject & Job);
      return { ...object, metadata: { ...object.metadata, name: `${object.metadata.generateName}x1` } };
    },
    server: "https://api.example.org",
    close: () => {},
  };
  const pause = async () => {
    pauses += 1;
  };
  const words = ["--stack", "prod", ...args];
  const answer = await call(
    (session) => drillCommand(session, async () => api, pause),
    root,
    words,
    root,
    cluster.agrees,
  );
  return { ...answer, made, pauses };
}

function container(job: Job | undefined, name: string): Container | undefined {
  const pod = job?.spec?.template.spec;
  return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])].find((each) => each.name === name);
}

const variable = (job: Job | undefined, name: string, key: string) =>
  container(job, name)?.env?.find((each) => each.name === key)?.value;

test("every database of the stack has a drill, and forge and hub have one together", () => {
  expect(
    parts
      .map(({ args }) => args as DrillArgs)
      .map(({ database, checks }) => [database.name, checks.map(({ application }) => application)]),
  ).toEqual([
    ["forge-db", [DrillApplication.forge, DrillApplication.hub]],
    ["cloudsuite-db", [DrillApplication.cloudsuite]],
  ]);
});

test("each database is drilled as its schedule does, and a good one counts as the schedule's success", async () => {
  const { status, stdout, made, pauses } = await drill({}, "--yes");
  expect([status, stdout, pauses]).toEqual([
    0,
    "forge-db-drill-result: the line\ncloudsuite-db-drill-result: the line\n",
    2,
  ]);
  const [job] = made;
  expect(job?.metadata).toMatchObject({
    generateName: "forge-db-drill-now-",
    namespace: "platform",
    ownerReferences: [{ kind: "CronJob", name: "forge-db-drill", uid: "uid-forge-db-drill", controller: true }],
  });
  expect(job?.spec).toEqual(cronJobs.get("platform/forge-db-drill")?.spec?.jobTemplate.spec);
});

test("a time and one application reach the steps that need them", async () => {
  const { made } = await drill({}, "--yes", "--hub", "--at", "2026-10-20 10:30:00+02:00");
  expect(made).toHaveLength(1);
  expect(variable(made[0], "recover", "TARGET_TIME")).toBe("2026-10-20T08:30:00Z");
  expect(["ask", "files", "report"].map((name) => variable(made[0], name, "CHECKS"))).toEqual(["hub", "hub", "hub"]);
});

test("a drill that is not good ends with status 1 and its line", async () => {
  const end = {
    type: "Failed",
    status: "True",
    reason: "PodFailurePolicy",
    message: "Container report failed with exit code 3",
  };
  const { status, stdout } = await drill({ end, good: false }, "--yes", "--forge");
  expect([status, stdout]).toEqual([1, "forge-db-drill-result: the line\n"]);
});

test("one without a result says how it ended; another drill's result is not taken for it", async () => {
  const end = { type: "Failed", status: "True", reason: "DeadlineExceeded" };
  const { status, stdout } = await drill({ end, wrote: false }, "--yes", "--forge");
  expect([status, stdout]).toEqual([1, "forge-db-drill-now-x1: FAILED: It was ended by its deadline.\n"]);
  const silent = await drill({ wrote: false }, "--yes", "--forge", "--json");
  expect(silent.status).toBe(1);
  expect(JSON.parse(silent.stdout).drills).toEqual([
    { namespace: "platform", job: "forge-db-drill-now-x1", good: false, reason: "It wrote no result." },
  ]);
});

test("what can't be drilled is told before anything is made", async () => {
  for (const [args, said] of [
    [["--suite", "none"], "has no suite none with a database of its own"],
    [["--at", "yesterday"], "is not a time"],
    [["--at", "2999-01-01 00:00:00"], "is still to come"],
  ] as const) {
    const { status, stderr, made } = await drill({}, "--yes", ...args);
    expect([status > 0, made]).toEqual([true, []]);
    expect(stderr).toContain(said);
  }
  const absent = await drill({ deployed: false }, "--yes");
  expect(absent.stderr).toContain("The cluster has no CronJob platform/forge-db-drill: run pulumi up first.");
  const unasked = await drill({});
  expect([unasked.status, unasked.made]).toEqual([2, []]);
});

test("a no recovers nothing, and is no success", async () => {
  const { status, stderr, stdout, made } = await drill({ agrees: false });
  expect([status, stdout, made]).toEqual([1, "", []]);
  expect(stderr).toMatch(/\nNothing was recovered\.\n$/);
});
