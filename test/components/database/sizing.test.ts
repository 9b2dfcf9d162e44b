import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { connectionSizes, instanceCount, memoryParameters } from "../../../components/database/sizing.ts";
import { forgeDatabase, withPlatform } from "./forge-database.ts";

describe("instances", () => {
  test("are two in production and one in development, as the Limits table has it", () => {
    expect(instanceCount(forgeDatabase)).toBe(2);
    expect(instanceCount(withPlatform({ profile: "development" }))).toBe(1);
    expect(instanceCount({ ...forgeDatabase, instances: 1 })).toBe(1);
  });
});

describe("connections", () => {
  const client = fc.record({
    name: fc.constant("client"),
    database: fc.constantFrom("forge", "registry", undefined),
    connections: fc.integer({ min: 1, max: 500 }),
  });

  test("of the forge: pools as large as the largest database's peak, room for both poolers' pools", () => {
    expect(connectionSizes(forgeDatabase.clients, "forge", 2)).toEqual({
      defaultPoolSize: 60,
      maxClientConnections: 1000,
      maxConnections: 200,
    });
  });

  test("no client waits for a server connection, and PostgreSQL never refuses a pooler", () => {
    fc.assert(
      fc.property(fc.array(client, { minLength: 1, maxLength: 8 }), fc.constantFrom(1, 2), (clients, poolers) => {
        const sizes = connectionSizes(clients, "forge", poolers);
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
  test("follows the pod's limit", () => {
    expect(memoryParameters("512Mi", 120)).toEqual({
      shared_buffers: "128MB",
      effective_cache_size: "256MB",
      maintenance_work_mem: "32MB",
      work_mem: "1MB",
    });
    expect(memoryParameters("8Gi", 100)).toMatchObject({ shared_buffers: "2048MB", work_mem: "20MB" });
  });

  test("shared buffers and all sorts at once stay within half of it, for any sane limit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 512, max: 65536 }), fc.integer({ min: 20, max: 120 }), (limit, connections) => {
        const parameters = memoryParameters(`${limit}Mi`, connections);
        const size = (name: string) => Number.parseInt(parameters[name] ?? "", 10);
        expect(size("shared_buffers") + size("work_mem") * connections).toBeLessThanOrEqual(limit / 2);
      }),
    );
  });
});
