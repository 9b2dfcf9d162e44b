import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { doctorCommand } from "@hearth-platform/cli/doctor/command";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call } from "../../support/caller.ts";
import { smallStack, withSettings, writeStack } from "../../support/stack-files.ts";

/** Of a stack with problems no cluster is asked; test/e2e/doctor.test.ts asks one. */
const folder = mkdtempSync(join(tmpdir(), "hearth-doctor-"));
beforeAll(() => writeStack(withSettings(smallStack(), { profile: "test" }), folder, "Pulumi.s.yaml"));
afterAll(() => rmSync(folder, { recursive: true }));

const doctor = (...args: string[]) => call(doctorCommand, folder, ["--stack", "s", ...args], folder);

it("tells the problems of a stack, asks no cluster, and ends with 1", async () => {
  const { status, stdout, stderr } = await doctor();
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^The cluster was not checked\. .*\n(.*\n)*.*hearth:profile/);
});

it("tells them as JSON: the stack is not ready", async () => {
  const { status, stdout } = await doctor("--json");
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ stack: "s", ready: false, problems: [{ path: "hearth:profile" }] });
});
