import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { backupSizes } from "@hearth-platform/cli/status/backup-size";
import type { DatabaseBackup } from "@hearth-platform/cli/status/facts";
import type { DataNeed } from "@hearth-platform/stack/live/preflight/data-needs";
import { afterAll, beforeAll, expect, it } from "vitest";

/** Sizes of base backups, from an object store that lists what it has. */

const objects = new Map<string, number>();
const lists: string[] = [];
const server = createServer(({ url = "" }, response) => {
  const { pathname, searchParams } = new URL(url, "http://x");
  const prefix = searchParams.get("prefix") ?? "";
  lists.push(prefix);
  if (pathname !== "/backups/" && pathname !== "/backups") return void response.writeHead(403).end();
  const found = [...objects].filter(([key]) => key.startsWith(prefix));
  const folders = new Set(found.map(([key]) => key.slice(0, key.indexOf("/") + 1)));
  const rows = searchParams.has("delimiter")
    ? [...folders].map((each) => `<CommonPrefixes><Prefix>${each}</Prefix></CommonPrefixes>`)
    : found.map(([key, size]) => `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`);
  response.end(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${rows.join("")}</ListBucketResult>`,
  );
});

let environment: Record<string, string>;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  environment = { AWS_ENDPOINT_URL_S3: endpoint, AWS_ACCESS_KEY_ID: "x", AWS_SECRET_ACCESS_KEY: "y" };
});
afterAll(() => void server.close());

const need = (bucket: string): DataNeed => ({
  ...{ apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster", namespace: "team", name: "db", what: "database" },
  archive: { endpoint: "https://s3.example.org", region: "fsn1", pathStyle: true, bucket, folder: "db" },
  ...{ recovers: false, beside: [], mayBeLost: false },
});
const backup = (backupId: string, stoppedAt: string, phase = "completed"): DatabaseBackup => ({
  metadata: { namespace: "team", name: backupId },
  spec: { cluster: { name: "db" } },
  status: { phase, stoppedAt, backupId },
});
const backups = [
  backup("1", "2026-11-23T03:00:00Z"),
  backup("2", "2026-11-24T03:00:00Z"),
  backup("3", "2026-11-25T03:00:00Z", "failed"),
];

it("is that of the newest that ended well, whatever major wrote it; the log beside it is not listed", async () => {
  objects.set("db/base/1/data.tar", 5).set("db-pg17/base/2/data.tar", 700).set("db-pg17/base/2/backup.info", 30);
  objects.set("db-pg17/wals/1/1.gz", 16).set("db-pg17/base/22/data.tar", 9);
  expect(await backupSizes([need("backups")], backups, environment)).toEqual(new Map([["team/db", 730]]));
  expect(lists.sort()).toEqual(["db", "db-pg17/base/2/", "db/base/2/"]);
});

it("is left out where the keys do not open the bucket, or nothing is there", async () => {
  expect(await backupSizes([need("closed")], backups, environment)).toEqual(new Map());
  objects.clear();
  expect(await backupSizes([need("backups")], backups, environment)).toEqual(new Map());
  expect(await backupSizes([need("backups")], [], environment)).toEqual(new Map());
});
