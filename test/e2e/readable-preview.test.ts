import { expect, it } from "vitest";
import { runningPlatform } from "../support/stack.ts";

/** Pulumi prints every argument of a component of which one has changed. */
const mostLines = 420;

it("a change of five settings is read at once: no component shows up but those that are changed", async () => {
  const stack = await runningPlatform();
  stack.editSettings((settings) => {
    settings["hearth:workloads"] = { "forge-jobs": { priorityClassName: "batch" } };
    settings["hearth:forge"] = { ...(settings["hearth:forge"] as object), replicas: { webservice: 2 } };
    settings["hearth:hub"] = { ...(settings["hearth:hub"] as object), replicas: { core: 2 } };
    settings["hearth:database"] = { storageSize: "30Gi" };
    const [suite] = settings["hearth:cloudsuites"] as { webSize?: string }[];
    if (suite) suite.webSize = "20Gi";
  });
  const { exitCode, stdout, all } = await stack.preview("--diff");
  expect(exitCode, all).toBe(0);
  const components = [...stdout.matchAll(/\[urn=.*hearth:index:(\w+)::(.*)\]/g)].map(([, ...found]) => found.join(" "));
  expect(components.sort()).toEqual(["CloudSuite team", "Database platform-db", "Forge forge", "Hub hub"]);
  expect(stdout.split("\n").length).toBeLessThan(mostLines);
});
