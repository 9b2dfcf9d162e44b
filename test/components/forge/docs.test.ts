import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { names } from "@hearth-platform/hearth/catalogue/names";
import { ports } from "@hearth-platform/hearth/catalogue/ports";
import { objectId } from "@hearth-platform/hearth/core/plan";
import { forgeSecrets } from "@hearth-platform/hearth/forge/forge-names";
import { sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import { stackPlans } from "@hearth-platform/stack/parts";
import { formatReport } from "@hearth-platform/stack/settings/report";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack, type Stack } from "@hearth-platform/stack/stack-settings";
import { afterAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";

const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/forge.md"), "utf8");
const project = mkdtempSync(join(tmpdir(), "hearth-forge-docs-"));
afterAll(() => rmSync(project, { recursive: true }));

/** The stacks on the page, in its order. */
const [least, more] = [...page.matchAll(/^```yaml\n(config:\n[\s\S]*?)^```/gm)].map(
  ([, yaml = ""]) => parse(yaml).config,
);

function stackOf(config: object): Stack {
  writeFileSync(join(project, "Pulumi.docs.yaml"), stringify({ config }));
  const { source, problems } = sourceFromFile(project, "docs");
  const checked = source ? checkStack(project, source) : { problems };
  expect(formatReport(checked.problems)).not.toContain("error:");
  expect(checked.problems).toEqual([]);
  if (!("stack" in checked) || !checked.stack) throw new Error("The page's stack is no stack.");
  return checked.stack;
}

const idsOf = (config: object) =>
  stackPlans(stackOf(config)).flatMap(({ objects }) => objects.map(({ object }) => objectId(object)));

/** Settings that somebody has to think of: every value, and an area that is only there. */
function values(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return [value];
  return Object.values(value).flatMap(values);
}

describe("the page's first stack", () => {
  test("is a whole forge of ten settings at the most", () => {
    expect(values(least).length).toBeLessThanOrEqual(10);
    expect(idsOf(least)).toEqual(
      expect.arrayContaining([
        "Deployment/forge-webservice",
        "Deployment/forge-jobs",
        "StatefulSet/forge-gitstore",
        "Deployment/forge-toolbox",
        "Cluster/forge-db",
        "StatefulSet/keystore",
        "Certificate/forge-tls",
        "IngressRoute/forge-webservice",
      ]),
    );
  });

  test("takes from the store the object store's keys alone", () => {
    expect(idsOf(least).filter((id) => id.startsWith("ExternalSecret/"))).toEqual([
      `ExternalSecret/${sharedNames.objectStoreCredentials}`,
    ]);
  });

  test("has SSH and static sites with the lines that follow", () => {
    expect(idsOf({ ...least, ...more })).toEqual(
      expect.arrayContaining(["IngressRouteTCP/forge-shell", "Deployment/forge-pages", "Certificate/forge-pages-tls"]),
    );
  });
});

/** The rows of the table below a heading, cell by cell. */
function table(heading: string): string[][] {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`) + 1).split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| (.*) \|$/gm)].slice(1).map(([, row = ""]) => row.split(" | "));
}

test("every metric of the specification has its real name and the port it is read at", () => {
  const rows = table("Metrics");
  const text = rows.map(([specified = ""]) => specified.replaceAll("\\", "")).join(" ");
  for (const name of [
    "http_request_duration_seconds",
    "http_requests_total",
    "<language>_gc_duration_seconds_total",
    "worker_jobs_processed_total",
    "worker_jobs_failed_total",
    "worker_queue_size",
    "gitstore_service_client_requests_total",
    "gitstore_repository_size_bytes",
    "gitstore_spawn_timeout_count",
    "db_up",
    "db_stat_database_*",
    "db_replication_lag_seconds",
  ])
    expect(text).toContain(name);
  const read = (name: string) => rows.filter(([, , port = ""]) => port.includes(name)).map(([, , port]) => port);
  for (const [name, port] of [
    [names.forge.webservice, ports.forgeWebMetrics],
    [names.forge.jobs, ports.forgeJobsMetrics],
    [names.forge.gitstore, ports.forgeGitstoreMetrics],
    ["forge-db-1", ports.databaseMetrics],
  ] as const)
    for (const cell of read(name)) expect(cell).toContain(` ${port}`);
});

test("every Secret of the forge has its keys", () => {
  const documented = table("Secrets").flatMap(([secret = ""]) =>
    [...secret.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(documented).toEqual(expect.arrayContaining([...forgeSecrets]));
});
