import { objectId } from "@hearth-platform/hearth/core/plan";
import { type ScriptName, scriptNames } from "@hearth-platform/hearth/forge/configuration";
import { scripts as shipped } from "@hearth-platform/hearth/forge/scripts";
import { afterEach, expect, test } from "vitest";
import { planForge } from "../../support/plans.ts";
import { completeForge } from "./forge.ts";

/** The scripts as they are, but writable: another release of this program brings others. */
const scripts: Record<ScriptName, string> = shipped;
const original = { ...scripts };
afterEach(() => {
  Object.assign(scripts, original);
});

const objects = () =>
  new Map(planForge(completeForge).objects.map(({ object }) => [objectId(object), JSON.stringify(object)]));

/** Workloads that are not the same after `change`; a Job of another name is a new one. */
function rolledBy(change: () => void): string[] {
  const before = objects();
  change();
  return [...objects()]
    .filter(([id, object]) => before.get(id) !== object && !id.startsWith("ConfigMap/"))
    .map(([id]) => id.replace(/-[0-9a-f]{8}$/, "-…"))
    .sort();
}

test.each<[ScriptName, string[]]>([
  [scriptNames.toolbox, ["Deployment/forge-toolbox"]],
  [scriptNames.migrate, ["Job/forge-migrations-18-5-2", "Job/forge-post-migrations-18-5-2"]],
  [scriptNames.backup, ["CronJob/forge-backup"]],
  // Called by hand: it is read when it is called.
  [scriptNames.restore, []],
  [scriptNames.applySettings, ["Job/forge-settings-…"]],
  [scriptNames.runner, ["Deployment/forge-runner"]],
  [scriptNames.registerApplication, ["Job/forge-application-hub-…"]],
  [scriptNames.createRunner, ["Job/forge-runner-registration-…"]],
])("another %s rolls or runs again what runs it, and nothing else", (script, expected) => {
  const change = () => Object.assign(scripts, { [script]: `${scripts[script]}# changed\n` });
  expect(rolledBy(change)).toEqual(expected);
});
