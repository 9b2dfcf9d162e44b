import { removals, testedMinor } from "@hearth-platform/policy/baseline/api-versions/removals";
import { beforeAll, describe, expect, test } from "vitest";
import { sandbox } from "../support/stack.ts";

/** Kinds with their API version, as the API server's own OpenAPI document names them. */
const served = new Set<string>();

interface Definition {
  readonly "x-kubernetes-group-version-kind"?: readonly { group: string; version: string; kind: string }[];
}

beforeAll(async () => {
  const { exitCode, stdout, all } = await sandbox("kubectl", "get", "--raw", "/openapi/v2");
  if (exitCode !== 0) throw new Error(all);
  for (const definition of Object.values<Definition>(JSON.parse(stdout).definitions))
    for (const { group, version, kind } of definition["x-kubernetes-group-version-kind"] ?? [])
      served.add(`${group}/${version} ${kind}`);
});

describe("the real API server agrees with the table of removed API versions", () => {
  const rows = removals.map((row) => [`${row.apiVersion} of ${row.kinds.join(", ")}`, row] as const);
  const gone = rows.filter(([, { removed }]) => removed <= testedMinor);
  const replaced = rows.filter(([, { replacement }]) => replacement !== undefined);

  test("the real API server is of the version that the table of removed API versions was tested with", async () => {
    const { stdout } = await sandbox("kubectl", "get", "--raw", "/version");
    expect(Number(JSON.parse(stdout).minor)).toBe(testedMinor);
  });

  test.each(gone)("%s is served no longer", (_, { apiVersion, kinds }) => {
    expect(kinds.filter((kind) => served.has(`${apiVersion} ${kind}`))).toEqual([]);
  });

  test.each(replaced)("what took the place of %s is served", (_, { replacement, kinds }) => {
    expect(kinds.filter((kind) => !served.has(`${replacement} ${kind}`))).toEqual([]);
  });
});
