import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { schemaPage } from "../components/package-schema.ts";
import { type PreviewStep, sandbox } from "../support/stack.ts";

const root = join(import.meta.dirname, "..", "..");

it("the real engine makes the package's schema as it was agreed on", async () => {
  const { exitCode, stdout, all } = await sandbox("pulumi", "package", "get-schema", join(root, "components"));
  expect(exitCode, all).toBe(0);
  const made = JSON.parse(stdout);
  expect(made.name).toBe("hearth");
  expect(schemaPage(made)).toBe(readFileSync(join(root, "test/components/package-schema.txt"), "utf8"));
});

it("a transform changes exactly what it is meant to: the example of the docs", async () => {
  const project = ["--cwd", join(root, "examples", "transforms"), "--non-interactive"];
  const init = await sandbox("pulumi", ...project, "stack", "init", "test", "--no-select");
  expect(init.exitCode, init.all).toBe(0);
  const preview = await sandbox("pulumi", ...project, "preview", "--json", "--stack", "test");
  await sandbox("pulumi", ...project, "stack", "rm", "test", "--yes");
  expect(preview.exitCode, preview.all).toBe(0);
  const made: Array<PreviewStep & { newState: { type: string; inputs: Record<string, unknown> } }> = JSON.parse(
    preview.stdout,
  ).steps;
  const service = made.find(({ newState }) => newState.type === "kubernetes:core/v1:Service");
  expect(service?.newState.inputs).toMatchObject({
    metadata: { name: "keystore", annotations: { "load-balancer.hetzner.cloud/use-private-ip": "true" } },
    spec: { type: "LoadBalancer", ports: [expect.objectContaining({ port: 6379 })] },
  });
  const others = made.filter((step) => step !== service).map(({ newState }) => JSON.stringify(newState.inputs));
  expect(others.join()).not.toContain("LoadBalancer");
});
