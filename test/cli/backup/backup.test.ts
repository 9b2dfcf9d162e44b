import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BackupCluster, backupCommand } from "@hearth-platform/cli/backup/command";
import type { NewObject } from "@hearth-platform/stack/live/cluster/cluster";
import { expect, test } from "vitest";
import { call } from "../../support/caller.ts";
import { committedStack, withSettings, writeStack } from "../../support/stack-files.ts";

const root = join(import.meta.dirname, "../../..");

/** Runs the command on a stack of the project; says what was made, and in which cluster. */
async function backUp(
  { served = true, project = root, agrees }: { served?: boolean; project?: string; agrees?: boolean },
  ...args: string[]
) {
  const made: NewObject[] = [];
  const opened: unknown[] = [];
  const cluster: BackupCluster = {
    kind: async () => (served ? { plural: "backups", namespaced: true } : undefined),
    create: async (object) => {
      made.push(object);
      return { ...object, metadata: { ...object.metadata, name: `${object.metadata.generateName}x1` } };
    },
    server: "https://api.example.org",
    close: () => {},
  };
  const open = async (...choice: unknown[]) => {
    opened.push(choice);
    return cluster;
  };
  const answer = await call((session) => backupCommand(session, open), project, args, project, agrees);
  return { ...answer, made, opened };
}

test("each database of the stack gets a backup as its schedule makes them, and a name of its own", async () => {
  const { status, made, opened, stdout } = await backUp({}, "--stack", "prod", "--yes", "--json");
  expect(status).toBe(0);
  expect(made).toContainEqual({
    apiVersion: "postgresql.cnpg.io/v1",
    kind: "Backup",
    metadata: expect.objectContaining({ generateName: "forge-db-now-", namespace: "platform" }),
    spec: {
      cluster: { name: "forge-db" },
      method: "plugin",
      pluginConfiguration: { name: "barman-cloud.cloudnative-pg.io" },
    },
  });
  expect(made.map(({ metadata }) => metadata.generateName)).toContain("cloudsuite-db-now-");
  expect(opened).toEqual([[expect.anything(), false]]);
  expect(JSON.parse(stdout).backups).toContainEqual({
    namespace: "platform",
    name: "forge-db-now-x1",
    cluster: "forge-db",
  });
});

test.each([
  ["dev", "hearth-sandbox"],
  ["prod", "prod"],
])("the own context of stack %s is the cluster, and is named", async (stack, context) => {
  const { opened, stderr } = await backUp({}, "--stack", stack, "--yes");
  expect(opened).toEqual([[expect.objectContaining({ context }), false]]);
  expect(stderr).toContain(`Databases of stack ${stack} on https://api.example.org:`);
});

test.each([
  ["in the stack's cluster", [], "kubectl"],
  ["in the sandbox", ["--sandbox"], "./hearth sandbox kubectl"],
])("how far it is shows a command for each namespace, %s", async (_, args, kubectl) => {
  const { stderr, made } = await backUp({}, "--stack", "prod", "--yes", ...args);
  const shown = [...stderr.matchAll(/^ {2}(.*) -n (\S+) get backups\.postgresql\.cnpg\.io$/gm)];
  expect(new Set(shown.map(([, command]) => command))).toEqual(new Set([kubectl]));
  const namespaces = new Set(made.map(({ metadata }) => metadata.namespace));
  expect(namespaces.size).toBeGreaterThan(1);
  expect(shown.map(([, , namespace]) => namespace)).toEqual([...namespaces]);
});

test("nothing is made where nobody can be asked", async () => {
  const { status, made, stderr } = await backUp({}, "--stack", "prod");
  expect([status, made]).toEqual([2, []]);
  expect(stderr).toContain("add --yes if you mean it");
});

test("a no makes nothing, and is no success", async () => {
  const { status, made, stdout, stderr } = await backUp({ agrees: false }, "--stack", "prod");
  expect([status, made, stdout]).toEqual([1, [], ""]);
  expect(stderr).toMatch(/\nNothing was backed up\.\n$/);
});

test("a stack without a database is told, and its cluster is not asked", async () => {
  const files = withSettings(committedStack("prod"), {
    ...{
      forge: undefined,
      hub: undefined,
      copies: undefined,
      drill: undefined,
      cloudsuites: undefined,
      admission: undefined,
    },
  });
  await using folder = await mkdtempDisposable(join(tmpdir(), "hearth-backup-"));
  writeStack(files, folder.path, "Pulumi.prod.yaml");
  const { status, opened, stderr } = await backUp({ project: folder.path }, "--stack", "prod", "--yes");
  expect(status, stderr).toBe(1);
  expect(stderr).toContain("Stack prod has no database with backups");
  expect(opened).toEqual([]);
});

test("a cluster without the operator is told, and a stack that is not there", async () => {
  const absent = await backUp({ served: false }, "--stack", "prod", "--yes");
  expect(absent.status).toBe(1);
  expect(absent.stderr).toContain("install the database operator");
  const unknown = await backUp({}, "--stack", "none", "--yes");
  expect([unknown.status, unknown.made]).toEqual([1, []]);
});
