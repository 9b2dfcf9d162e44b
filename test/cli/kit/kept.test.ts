import { keptOf } from "@hearth-platform/cli/kit/kept";
import { expect, it } from "vitest";
import { type Changes, checkFiles, committedStack, withSettings } from "../../support/stack-files.ts";

function kept(stack: string, changes: Changes = {}) {
  const checked = checkFiles(withSettings(committedStack(stack), changes));
  if (!checked.stack) throw new Error(JSON.stringify(checked.problems));
  return keptOf(checked.stack);
}
const shown = (list: ReturnType<typeof kept>) =>
  list.map(
    ({ namespace, name, origin, neverChanges }) => `${origin} ${namespace}/${name}${neverChanges ? " never" : ""}`,
  );

it("a kit keeps generated Secrets, and knows those that never change", () => {
  const found = shown(kept("dev"));
  expect(found.filter((each) => each.endsWith(" never")).toSorted()).toEqual([
    "stack club/cloudsuite-admin never",
    "stack platform/forge-admin never",
    "stack platform/forge-rails-secrets never",
    "stack platform/hub-admin never",
    "stack platform/hub-encryption-key never",
    "stack team/cloudsuite-admin never",
  ]);
  expect(found).toContain("store team/cloudsuite-s3-credentials");
  expect(found).toContain("operator team/cloudsuite-db-ca");
  expect(new Set(found).size).toBe(found.length);
});

it("those of a store, and existing ones in their place, never change either", () => {
  expect(shown(kept("prod"))).toContain("store platform/hub-encryption-key never");
  const found = shown(kept("dev", { "secrets.existing": { "hub-encryption-key": "old-key" } }));
  expect(found).toContain("existing platform/old-key never");
  expect(found.join()).not.toContain("hub-encryption-key");
});

it("a private authority is kept, certificates are not", () => {
  const found = kept("dev", { privateCa: { configMap: "company-ca", secret: "company-ca" } });
  expect(found).toContainEqual(expect.objectContaining({ kind: "ConfigMap", namespace: "team", name: "company-ca" }));
  expect(shown(found).filter((each) => each.includes("-tls"))).toEqual([]);
});
