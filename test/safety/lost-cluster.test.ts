import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { openSandbox, startSandbox, stopSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type Archive, fillArchive, isFree, recoverArchive } from "../support/archived-database.ts";
import { hearth } from "../support/caller.ts";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { sandboxObjectStore } from "../support/object-store.ts";
import { type CommandResult, DevStack, kubernetesObjects, sandbox } from "../support/stack.ts";
import { wholePlatform } from "../support/stack-files.ts";
import { systemProgram } from "../support/system-programs.ts";

/**
 * The cluster and Pulumi's state are lost, the object store is there: the commands of docs/how-to/lost-cluster.md bring the
 * platform back, with its keys and its rows. The sandbox's databases are simulated: here real PostgreSQL servers fill the
 * archives that its Clusters name, and recover from those that the new Clusters name.
 */

inEmptySandbox("e2e-lost-cluster");

const page = readFileSync(join(import.meta.dirname, "../../docs/how-to/lost-cluster.md"), "utf8");
const stack = new DevStack(wholePlatform());
const safe = mkdtempSync(join(tmpdir(), "hearth-kit-"));
/** The opened kit. */
const kit = join(safe, "kit");
afterAll(() => rmSync(safe, { recursive: true }));

async function succeed(command: Promise<CommandResult>): Promise<string> {
  const { exitCode, all, stdout } = await command;
  expect(exitCode, all).toBe(0);
  return stdout;
}

/** A command of the page, on the sandbox and its stack; a person answers with yes. */
function run(command: string): Promise<CommandResult> {
  expect(page).toContain(`$ ${command}`);
  const [program = "", ...args] = command.replaceAll("prod", "dev").replaceAll("kit/", `${kit}/`).split(" ");
  if (program === "kubectl") return sandbox("kubectl", ...args.map((each) => each.replaceAll("'", "")));
  const [verb = ""] = args;
  if (verb === "stack") return sandbox("pulumi", ...args);
  const unasked = verb === "preview" ? [] : verb === "up" ? ["--yes", "--skip-preview"] : ["--yes"];
  return stack.pulumi(...args.filter((each) => each !== "--stack" && each !== "dev"), ...unasked);
}

/** How a Cluster names an archive. */
interface ArchivePlugin {
  readonly parameters: { readonly barmanObjectName: string; readonly serverName: string };
}

interface DatabaseSpec {
  readonly plugins: readonly ArchivePlugin[];
  readonly externalClusters?: readonly { readonly plugin: ArchivePlugin }[];
}

/** The archives that the cluster's databases write into, or are recovered from, by their namespaces. */
async function archives(of: "writes" | "reads"): Promise<Map<string, Archive>> {
  const environment = sandboxEnvironment(await openSandbox());
  const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "", AWS_ENDPOINT_URL_S3: endpoint = "" } = environment;
  const keys = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_DEFAULT_REGION: environment.AWS_REGION ?? "" };
  const [clusters, stores] = await Promise.all([
    kubernetesObjects("clusters.postgresql.cnpg.io", "--all-namespaces"),
    kubernetesObjects("objectstores.barmancloud.cnpg.io", "--all-namespaces"),
  ]);
  return new Map(
    clusters.map(({ metadata: { namespace = "" }, ...cluster }) => {
      const { plugins, externalClusters = [] } = cluster.spec as unknown as DatabaseSpec;
      const plugin = of === "writes" ? plugins[0] : externalClusters[0]?.plugin;
      const { barmanObjectName = "", serverName = "" } = plugin?.parameters ?? {};
      const store = stores.find(
        ({ metadata }) => metadata.namespace === namespace && metadata.name === barmanObjectName,
      );
      const { configuration } = (store?.spec ?? {}) as { configuration?: { destinationPath: string } };
      return [namespace, { endpoint, destination: configuration?.destinationPath ?? "", server: serverName, keys }];
    }),
  );
}

/** Rows of each database server by its namespace: made before its base backup, and after it. */
const tables: Readonly<Record<string, readonly string[]>> = {
  platform: ["forge", "hub"],
  team: ["cloudsuite"],
  club: ["cloudsuite"],
};
const row = (namespace: string, database: string) => `${namespace} ${database}`;
/** The forge's own tables, as far as the page's query reads them. */
const forgeTables = [
  "CREATE TABLE routes (source_type text, source_id int, path text)",
  "CREATE TABLE events (project_id int, action int, created_at timestamptz)",
  "INSERT INTO routes VALUES ('Project', 1, 'team/old'), ('Project', 2, 'team/new'), ('Namespace', 2, 'other')",
  "INSERT INTO events VALUES (1, 5, to_timestamp(1767225000)), (2, 6, now()), (2, 5, now()), (2, 5, now())",
].join(";");

async function fill(namespace: string, archive: Archive): Promise<void> {
  const each = (sql: (database: string) => string) =>
    Object.fromEntries((tables[namespace] ?? []).map((database) => [database, sql(database)]));
  const create = (database: string) => (database === "forge" ? forgeTables : "SELECT 1");
  await fillArchive(
    archive,
    each((database) => `CREATE TABLE written (what text); ${create(database)}`),
    each((database) => `INSERT INTO written VALUES ('${row(namespace, database)}')`),
  );
}

/** Secrets that the stack made, with their content. */
async function secrets(): Promise<Record<string, unknown>> {
  const found = await kubernetesObjects("secrets", "--all-namespaces", "-l", "app.kubernetes.io/managed-by=hearth");
  return Object.fromEntries(
    found.map(({ metadata: { namespace, name }, ...object }) => [
      `${namespace}/${name}`,
      (object as { data?: unknown }).data,
    ]),
  );
}

const files = {
  "data-team-dev1": "urn:oid:1",
  "uploads-d3v1-platform": "@hashed/1",
  "registry-d3v1-platform": "docker/1",
};

async function storedFiles(): Promise<string[]> {
  const s3 = await sandboxObjectStore();
  const buckets = Object.keys(files).map(
    async (Bucket) => (await s3.send(new ListObjectsV2Command({ Bucket }))).Contents,
  );
  return (await Promise.all(buckets)).flatMap((contents) => contents?.map(({ Key = "" }) => Key) ?? []);
}

/** Names of the namespaces that the stack made. */
async function namespaces(): Promise<string[]> {
  const found = await kubernetesObjects("namespaces", "-l", "app.kubernetes.io/managed-by=hearth");
  return found.map(({ metadata }) => metadata.name);
}

let made: Record<string, unknown> = {};
/** What the kit calls the recovered databases. */
let suffix = "";

/** A kit of the running platform, opened as the page does. */
async function makeKit(): Promise<void> {
  const key = join(safe, "KEY");
  await execa(systemProgram("age-keygen"), ["-o", key]);
  const { stdout: recipient } = await execa(systemProgram("age-keygen"), ["-y", key]);
  stack.editSettings((config) => {
    config["hearth:kit"] = { recipients: [recipient] };
  });
  const of = ["--stack", "dev", "--sandbox", "--config-file", stack.stackFile];
  const { status, stderr } = await hearth(safe, "kit", ...of, "--out", join(safe, "prod.kit"));
  expect(status, stderr).toBe(0);
  const commands = [
    "age --decrypt --identity KEY --output kit.tar prod.kit",
    "mkdir kit && tar --extract --file kit.tar --directory kit",
  ];
  for (const command of commands) {
    expect(page).toContain(`$ ${command}`);
    await execa("sh", ["-ec", command], { cwd: safe });
  }
}

/** The kit's lines that recover the databases. */
function recoverLines(): { "hearth:database": object; "hearth:cloudsuites": { name: string; recover: object }[] } {
  return parse(readFileSync(join(kit, "recover.yaml"), "utf8")).config;
}

/** Etcd, and all that Pulumi had; the object store keeps its files, its keys and its port. */
async function loseCluster(): Promise<void> {
  const { name, folder: all, controlPlane, kubeconfig, pulumiHome, pulumiState, pulumiProject } = sandboxPaths();
  await stopSandbox(name, createProgress());
  for (const folder of [join(all, "etcd"), controlPlane, kubeconfig, pulumiHome, pulumiState, pulumiProject])
    rmSync(folder, { recursive: true, force: true });
  await startSandbox(name, createProgress());
}

beforeAll(async () => {
  await succeed(stack.pulumi("up", "--yes", "--skip-preview"));
  made = await secrets();
  const s3 = await sandboxObjectStore();
  for (const [Bucket, Key] of Object.entries(files))
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: "a file" }));
  const all = await archives("writes");
  expect([...all.keys()].sort()).toEqual(Object.keys(tables).sort());
  await Promise.all([...all].map(([namespace, archive]) => fill(namespace, archive)));
  await makeKit();
  suffix = (recoverLines()["hearth:database"] as { recover: { suffix: string } }).recover.suffix;
  await loseCluster();
  expect(await namespaces()).toEqual([]);
}, 600_000);

test("with the former settings the new cluster is refused: no database begins empty beside its archive", async () => {
  await succeed(run("pulumi stack import --stack prod --file kit/state.json"));
  const { exitCode, all } = await run("pulumi preview --stack prod");
  expect(exitCode).not.toBe(0);
  expect(all.replace(/\s+/g, " ")).toMatch(
    /database platform\/forge-db: The cluster has no such Cluster, and the bucket/,
  );
}, 120_000);

interface RecordedState {
  readonly deployment: {
    readonly resources: readonly {
      readonly urn: string;
      readonly dependencies?: readonly string[];
      readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
    }[];
  };
}

/** A state from before the hub's encryption key was made. */
function withoutKey(state: RecordedState): RecordedState {
  const others = (urns: readonly string[] = []) => urns.filter((urn) => !urn.includes("::hub/hub-encryption-key"));
  const resources = state.deployment.resources
    .filter(({ urn }) => others([urn]).length > 0)
    .map(({ dependencies, propertyDependencies = {}, ...rest }) => ({
      ...rest,
      dependencies: others(dependencies),
      propertyDependencies: Object.fromEntries(
        Object.entries(propertyDependencies).map(([property, urns]) => [property, others(urns ?? [])]),
      ),
    }));
  expect(state.deployment.resources.length - resources.length).toBe(2);
  return { ...state, deployment: { ...state.deployment, resources } };
}

test("with a key missing an update is refused before anything is created", async () => {
  const older = join(kit, "older.json");
  writeFileSync(older, JSON.stringify(withoutKey(JSON.parse(readFileSync(join(kit, "state.json"), "utf8")))));
  await succeed(sandbox("pulumi", "stack", "import", "--file", older, "--stack", "dev"));
  const identity = await succeed(run("kubectl get namespace kube-system -o jsonpath='{.metadata.uid}'"));
  const lines = recoverLines();
  stack.editSettings((config) => {
    config["hearth:kubernetes"] = { ...(config["hearth:kubernetes"] as object), identity };
    config["hearth:database"] = { ...(config["hearth:database"] as object), ...lines["hearth:database"] };
    config["hearth:forge"] = { ...(config["hearth:forge"] as object), maintenance: true };
    config["hearth:cloudsuites"] = (config["hearth:cloudsuites"] as { name: string }[]).map((suite) => ({
      ...suite,
      recover: lines["hearth:cloudsuites"].find(({ name }) => name === suite.name)?.recover,
    }));
  });
  await succeed(run("pulumi refresh --stack prod"));
  const refused = await run("pulumi up --stack prod");
  expect(refused.exitCode).not.toBe(0);
  expect(refused.all.replace(/\s+/g, " ")).toContain(
    `Secret platform/hub-encryption-key: Neither the cluster nor the state has it, and forge-db-${suffix} is recovered from its backups`,
  );
  expect(refused.all).not.toContain("forge-rails-secrets");
  expect(await namespaces()).toEqual([]);
  expect((await kubernetesObjects("secrets", "--all-namespaces")).map(({ metadata }) => metadata.name)).not.toContain(
    "hub-encryption-key",
  );
}, 240_000);

test("the page brings back forge, hub and suites with the same keys and files", async () => {
  await succeed(run("pulumi stack import --stack prod --file kit/state.json"));
  await succeed(run("pulumi refresh --stack prod"));
  const preview = await succeed(run("pulumi preview --stack prod"));
  for (const text of [
    `forge-db-${suffix} becomes the database, with the data of forge-db`,
    `cloudsuite-db-${suffix} becomes the database`,
  ])
    expect(preview.replace(/\s+/g, " ")).toContain(text);
  await succeed(run("pulumi up --stack prod"));
  expect(await secrets()).toEqual(made);
  expect((await storedFiles()).sort()).toEqual(Object.values(files).sort());
  stack.editSettings((config) => {
    config["hearth:forge"] = { ...(config["hearth:forge"] as object), maintenance: undefined };
  });
  await succeed(run("pulumi up --stack prod"));
  expect(await stack.changes()).toEqual([]);
  const ready = await kubernetesObjects(
    "deployments,statefulsets",
    "--all-namespaces",
    "-l",
    "app.kubernetes.io/managed-by=hearth",
  );
  const names = ready.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
  expect(names).toEqual(
    expect.arrayContaining(["platform/forge-webservice", "platform/hub-core", "team/cloudsuite", "club/cloudsuite"]),
  );
  const save = "kubectl -n platform create job --from=cronjob/hub-key-backup hub-key-backup-now";
  expect(readFileSync(join(import.meta.dirname, "../../docs/reference/hub.md"), "utf8")).toContain(`$ ${save}`);
  await succeed(sandbox(...save.split(" ")));
  const unready = ready.filter(({ spec = {}, status = {} }) => spec.replicas !== (status.readyReplicas ?? 0));
  expect(unready.map(({ metadata }) => metadata.name)).toEqual([]);
}, 600_000);

test("the rows from before the loss are in what the new databases are recovered from, and nothing is where they write", async () => {
  const [sources, targets] = [await archives("reads"), await archives("writes")];
  expect([...targets.values()].map(({ server }) => server).sort()).toEqual([
    `cloudsuite-db-${suffix}`,
    `cloudsuite-db-${suffix}`,
    `forge-db-${suffix}-pg17`,
  ]);
  const query = /psql -d forge -c "([^"]+)"/.exec(page)?.[1] ?? "";
  await Promise.all(
    [...sources].map(async ([namespace, source]) => {
      expect(await isFree(source)).toBe(false);
      expect(await isFree(targets.get(namespace) as Archive)).toBe(true);
      await using server = await recoverArchive(source);
      for (const database of tables[namespace] ?? [])
        expect(await server.ask("SELECT what FROM written", database)).toBe(row(namespace, database));
      // What was pushed after the forge's archive was made.
      if (namespace === "platform") expect(await server.ask(query, "forge")).toMatch(/^team\/new\|2\|[^\n]+$/);
    }),
  );
}, 300_000);

test("a lost volume that is reserved for its claim is given back to it", async () => {
  const [claim] = await kubernetesObjects("pvc/data-keystore-0", "-n", "platform");
  const volume = String(claim?.spec?.volumeName);
  await succeed(sandbox("kubectl", "-n", "platform", "delete", "statefulset", "keystore", "--wait"));
  await succeed(
    sandbox(
      "kubectl",
      "-n",
      "platform",
      "delete",
      "pod,pvc",
      "-l",
      "app.kubernetes.io/name=keystore",
      "--wait",
      "--timeout=60s",
    ),
  );
  await sandbox("kubectl", "-n", "platform", "delete", "pvc", "data-keystore-0", "--wait", "--timeout=60s");
  // What was recovered may begin with an empty keystore: this is of a platform that runs.
  const data = readFileSync(join(import.meta.dirname, "../../docs/explanation/data.md"), "utf8");
  const [, reserve = ""] = /^ *\$ kubectl (patch pv VOLUME .*claimRef.*)$/m.exec(data) ?? [];
  const patch = reserve.replace("VOLUME", volume).replace("data-forge-gitstore-0", "data-keystore-0");
  await succeed(sandbox("kubectl", ...patch.split(" ").map((each) => each.replaceAll("'", ""))));
  await succeed(run("pulumi refresh --stack prod"));
  await succeed(run("pulumi up --stack prod"));
  const [again] = await kubernetesObjects("pvc/data-keystore-0", "-n", "platform");
  expect([again?.spec?.volumeName, again?.metadata.uid === claim?.metadata.uid]).toEqual([volume, false]);
}, 300_000);
