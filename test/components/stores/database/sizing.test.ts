import { connectionSizes, memoryParameters } from "@hearth-platform/hearth/stores/database/sizing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolvedDatabase } from "../../../support/plans.ts";
import { forgeDatabase, withPlatform } from "./forge-database.ts";

describe("instances", () => {
  test("are two in production and one in development, as the Limits table has it", () => {
    expect(resolvedDatabase(forgeDatabase).instances).toBe(2);
    expect(resolvedDatabase(withPlatform({ profile: "development" })).instances).toBe(1);
    expect(resolvedDatabase({ ...forgeDatabase, instances: 1 }).instances).toBe(1);
  });
});

describe("connections", () => {
  const client = fc.record({
    name: fc.constant("client"),
    database: fc.constantFrom("forge", "registry", undefined),
    connections: fc.integer({ min: 1, max: 500 }),
  });

  test("of the forge: pools as large as the largest database's peak, room for both poolers' pools", () => {
    expect(connectionSizes(resolvedDatabase(forgeDatabase).clients, 2)).toEqual({
      defaultPoolSize: 60,
      maxClientConnections: 1000,
      maxConnections: 200,
    });
  });

  test("no client waits for a server connection, and PostgreSQL never refuses a pooler", () => {
    fc.assert(
      fc.property(fc.array(client, { minLength: 1, maxLength: 8 }), fc.constantFrom(1, 2), (clients, poolers) => {
        const sizes = connectionSizes(resolvedDatabase({ ...forgeDatabase, clients }).clients, poolers);
        const peak = (database: string) =>
          clients
            .filter((each) => (each.database ?? "forge") === database)
            .reduce((sum, each) => sum + each.connections, 0);
        const all = peak("forge") + peak("registry");
        expect(sizes.defaultPoolSize).toBeGreaterThanOrEqual(Math.max(peak("forge"), peak("registry")));
        expect(sizes.maxClientConnections).toBeGreaterThanOrEqual(all);
        expect(sizes.maxConnections).toBeGreaterThan(all * poolers);
      }),
    );
  });
});

describe("memory", () => {
  const resources = (request: string, limit: string) => ({
    requests: { cpu: "100m", memory: request },
    limits: { cpu: "500m", memory: limit },
  });

  test("follows the pod's limit", () => {
    expect(memoryParameters(resources("256Mi", "512Mi"), 120)).toEqual({
      shared_buffers: "128MB",
      effective_cache_size: "256MB",
      maintenance_work_mem: "32MB",
      work_mem: "1MB",
    });
    expect(memoryParameters(resources("8Gi", "8Gi"), 100)).toMatchObject({
      shared_buffers: "2048MB",
      work_mem: "20MB",
    });
  });

  test("shared buffers are reserved, and with all sorts at once stay within half of the limit", () => {
    const sizes = fc.record({
      limit: fc.integer({ min: 512, max: 65536 }),
      requested: fc.double({ min: 0.1, max: 1, noNaN: true }),
      connections: fc.integer({ min: 20, max: 120 }),
    });
    fc.assert(
      fc.property(sizes, ({ limit, requested, connections }) => {
        const request = Math.floor(limit * requested);
        const parameters = memoryParameters(resources(`${request}Mi`, `${limit}Mi`), connections);
        const shared = Number.parseInt(parameters.shared_buffers, 10);
        expect(shared).toBeLessThanOrEqual(request);
        expect(shared + Number.parseInt(parameters.work_mem, 10) * connections).toBeLessThanOrEqual(limit / 2);
      }),
    );
  });
});
