import { parseQuantity } from "@hearth-platform/hearth/core/quantities";
import { registryConfiguration, registryFile } from "@hearth-platform/hearth/hub/configuration/registry";
import { leastMemory, partBytes, pushMemory } from "@hearth-platform/hearth/hub/registry-memory";
import { expect, it, test } from "vitest";
import { parse } from "yaml";
import { resolvedHub } from "../../support/plans.ts";
import { completeHub } from "./hub.ts";

const mebibyte = 1024 ** 2;
const limit = (memory: string) => parseQuantity(memory) ?? Number.NaN;

it.each([
  [12, 32, 1469e6],
  [12, 10, 637e6],
  [4, 32, 611e6],
])("%i pushes in parts of %i MiB take what was measured, by a tenth", (uploads, part, measured) => {
  const found = pushMemory(uploads, part * mebibyte);
  expect(found).toBeGreaterThan(measured * 0.99);
  expect(found).toBeLessThan(measured * 1.1);
});

it.each([
  ["256Mi", 5],
  ["512Mi", 5],
  ["1Gi", 10],
  ["2Gi", 24],
  ["8Gi", 32],
])("a registry with %s has parts of %i MiB", (memory, part) => {
  expect(partBytes(limit(memory))).toBe(part * mebibyte);
});

test("five clients that push five layers each fit in every limit that has room for parts of 5 MiB", () => {
  const room = pushMemory(25, 5 * mebibyte);
  for (let memory = room; memory < 8 * 1024 * mebibyte; memory += 32 * mebibyte)
    expect(pushMemory(25, partBytes(memory))).toBeLessThanOrEqual(memory);
});

test("the registry's file has the parts that follow from its memory limit, and a layer may have 97 GiB by default", () => {
  const chunk = (memory?: string) => {
    const amounts = { cpu: "1000m", memory: memory ?? "" };
    const args = memory
      ? { ...completeHub, resources: { registry: { requests: amounts, limits: amounts } } }
      : completeHub;
    return parse(registryFile(registryConfiguration(resolvedHub(args)))).storage.s3.chunksize;
  };
  expect(chunk()).toBe(partBytes(limit(resolvedHub(completeHub).resources.registry.limits.memory)));
  expect(chunk() * 10_000).toBeGreaterThan(97 * 1024 ** 3);
  expect(chunk("2Gi")).toBe(24 * mebibyte);
});

test("the least memory bears one client of docker", () => {
  expect(leastMemory).toBe(pushMemory(5, partBytes(leastMemory)));
});
