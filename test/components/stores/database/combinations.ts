import type { DatabaseArgs } from "@hearth-platform/hearth/stores/database/args";
import { pairwise } from "../../../support/pairwise.ts";
import { forgeDatabase } from "./forge-database.ts";

const { backup, platform } = forgeDatabase;
const large = { requests: { cpu: "250m", memory: "512Mi" }, limits: { cpu: "1", memory: "1Gi" } };
const larger = { requests: { cpu: "1", memory: "4Gi" }, limits: { cpu: "4", memory: "8Gi" } };
const node = {
  nodeSelector: { disk: "fast" },
  tolerations: [{ key: "db", operator: "Exists" as const }],
  priorityClassName: "high",
  labels: { "example.org/team": "a" },
  annotations: { "example.org/team": "a" },
};

/** Values of each option of a database. */
const options = {
  version: ["13", "14", "15", "16"],
  instances: [undefined, 1, 2],
  storageSize: [undefined, "200Gi"],
  resources: [undefined, large, larger],
  extensions: [undefined, ["pg_trgm", "btree_gist"]],
  databases: [undefined, [{ name: "registry" }, { name: "reports_2026", extensions: ["citext"] }]],
  clients: [forgeDatabase.clients.slice(0, 1), [{ name: "many", connections: 400 }]],
  backup: [undefined, backup, { ...backup, schedule: "0 30 1 * * 0", retention: "8w" }],
  recover: [
    undefined,
    { suffix: "r1" },
    { targetTime: "2026-11-20 10:30:00+02:00" },
    { suffix: "r2", source: "old-db", keepSource: false },
  ],
  profile: ["production", "development"],
  images: [undefined, { mirrors: { "ghcr.io": "registry.example.org/ghcr" }, pullSecrets: ["registry"] }],
  secrets: [undefined, { existing: { "forge-db-app": "mine" } }],
  workload: [undefined, node],
  monitoring: [undefined, false],
} as const;

/** Databases in which any two values of two options stand together: those that our rules refuse are left out. */
export function databaseCombinations(): DatabaseArgs[] {
  return pairwise(options).map(({ profile, images, secrets, workload, monitoring, recover, ...args }) => ({
    ...forgeDatabase,
    ...args,
    // A recovery reads backups.
    ...(args.backup !== undefined && { recover }),
    platform: { ...platform, profile, images, secrets, workload, monitoring },
  })) as DatabaseArgs[];
}
