import type { DatabaseArgs } from "@hearth-platform/hearth/stores/database/args";
import { platform } from "../../../support/platform.ts";

/** The forge's database as production has it: two databases, several clients, backups. */
export const forgeDatabase: DatabaseArgs = {
  name: "forge-db",
  namespace: "forge",
  version: "16",
  database: "forge",
  extensions: ["pg_trgm", "btree_gist", "amcheck"],
  databases: [{ name: "registry" }],
  storageSize: "20Gi",
  clients: [
    { name: "forge-webservice", connections: 40 },
    { name: "forge-jobs", connections: 20 },
    { name: "hub-core", database: "registry", connections: 30 },
  ],
  backup: {
    endpoint: "https://fsn1.your-objectstorage.com",
    region: "fsn1",
    bucket: "database-a1b2-forge",
    credentials: "forge-s3-credentials",
  },
  platform,
};

/** The same with other platform settings. */
export function withPlatform(platform: Partial<DatabaseArgs["platform"]>): DatabaseArgs {
  return { ...forgeDatabase, platform: { ...forgeDatabase.platform, ...platform } };
}

/** Some of its backup's settings changed. */
export const withBackup = (backup: Partial<NonNullable<DatabaseArgs["backup"]>>) => ({
  backup: { ...forgeDatabase.backup, ...backup } as DatabaseArgs["backup"],
});
