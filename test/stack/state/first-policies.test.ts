import { madeNames } from "@hearth-platform/hearth/core/data-safety/recorded-state";
import { type StackPart, stackParts } from "@hearth-platform/stack/parts";
import { firstPolicies } from "@hearth-platform/stack/state/first-policies";
import { expect, test } from "vitest";
import { checkFiles, committedStack, withSettings } from "../../support/stack-files.ts";

function partsWith(settings: Readonly<Record<string, unknown>>): StackPart[] {
  const { stack, problems } = checkFiles(withSettings(committedStack("prod"), settings));
  if (!stack) throw new Error(JSON.stringify(problems));
  return stackParts(stack);
}

/** Names of all that is in the state of a stack that was brought up. */
function madeBy(parts: readonly StackPart[]): ReadonlySet<string> {
  const objects = parts.flatMap((part) => part.plans().flatMap((plan) => plan.objects));
  return madeNames(
    objects.map(({ object }) => ({
      urn: "",
      type: "",
      inputs: { kind: object.kind, metadata: { name: object.metadata.name, namespace: object.metadata.namespace } },
    })),
  );
}

const unasked = { networkPolicies: undefined, "siteWebhook.networkPolicies": undefined };
const closed = partsWith(unasked);
const open = madeBy(partsWith({ ...unasked, networkPolicies: false }));

test("a stack in production that had no policies is told of each namespace that they close", () => {
  const told = firstPolicies(closed, open);
  expect(told).toMatchObject({ severity: "warning", path: "hearth:networkPolicies" });
  expect(told?.message).toContain("closes the namespaces cloud, platform, platform-jobs, site-webhook:");
});

test("an area whose own setting asks for policies is not told of them", () => {
  const asked = partsWith({ ...unasked, "forge.networkPolicies": true });
  expect(firstPolicies(asked, open)?.message).toContain("closes the namespaces cloud, site-webhook:");
});

test("nobody is told of what runs with policies, or does not run yet", () => {
  expect(firstPolicies(closed, madeBy(closed))).toBeUndefined();
  expect(firstPolicies(closed, new Set())).toBeUndefined();
});
