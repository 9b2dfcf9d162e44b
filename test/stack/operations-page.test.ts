import { stackPlans } from "@hearth-platform/stack/parts";
import { describe, expect, test } from "vitest";
import { operations } from "../support/operations-page.ts";
import { checkFiles, committedStack } from "../support/stack-files.ts";

/** docs/how-to/operations.md: each row of the specification's table of operations, with names that stack `prod` has. The commands run in test/e2e/operations.test.ts. */

const { stack } = checkFiles(committedStack("prod"));
if (!stack) throw new Error("Stack prod is not valid.");
const objects = stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object));
const has = (kind: string, name: string) =>
  objects.some((object) => object.kind === kind && object.metadata.name === name);

test("every row of the table has its section", () => {
  expect(operations().map(({ title }) => title)).toEqual([
    "List",
    "Logs",
    "Shell, or one command",
    "Resource usage",
    "Restart",
    "Scale",
    "Rollout: status, history, undo",
    "Key-value store",
    "Forge backup, list, restore",
    "Database backup",
    "Point-in-time recovery",
    "Sync the deployment",
    "Secret refresh",
    "Emergency",
  ]);
});

describe.each(operations())("$title", ({ text, commands }) => {
  test("says when, when not, how to see that it worked, and the way back", () => {
    for (const part of ["**When.** ", "**Not when.** ", "**Verify.** ", "**Undo.**"]) expect(text).toContain(part);
    expect(text).toMatch(/^```/m);
  });

  test("names what the platform has", () => {
    const line = `${text}\n${commands.join("\n")}`;
    for (const [, name = ""] of line.matchAll(/\bdeploy\/([\w-]+)/g)) expect(has("Deployment", name), name).toBe(true);
    for (const [, name = ""] of line.matchAll(/\b(?:pod|logs|exec) ([a-z-]+)-0\b/g))
      expect(has("StatefulSet", name), name).toBe(true);
    for (const [, name = ""] of line.matchAll(/externalsecret[ /]([a-z0-9-]+)/g))
      expect(has("ExternalSecret", name), name).toBe(true);
    for (const [, name = ""] of line.matchAll(/--from=cronjob\/([\w-]+)/g))
      expect(has("CronJob", name), name).toBe(true);
    for (const [, name = ""] of line.matchAll(/app\.kubernetes\.io\/name=([\w-]+)/g))
      expect(has("Deployment", name), name).toBe(true);
  });
});
