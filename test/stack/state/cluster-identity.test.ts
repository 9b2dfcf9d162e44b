import { otherCluster, providerOptions, recordsCluster } from "@hearth-platform/stack/state/cluster-identity";
import type * as pulumi from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";

const [one, two] = ["8c6b2c1e-0000-4000-8000-000000000001", "8c6b2c1e-0000-4000-8000-000000000002"];

describe("a cluster", () => {
  it.each<[string, string | undefined, string | undefined, string | undefined]>([
    ["of the last update", one, one, undefined],
    ["of a state that has none yet", undefined, one, undefined],
    ["that can't be seen", one, undefined, undefined],
    ["that was built anew and is accepted", one, two, two],
  ])("%s is taken", (_, recorded, live, accepted) => {
    expect(otherCluster(recorded, { live, accepted })).toBeUndefined();
  });

  it.each([undefined, one])(
    "that is another one is refused, with what it means and the setting (%s accepted)",
    (accepted) => {
      const refusal = otherCluster(one, { live: two, accepted }) ?? "";
      expect(refusal).toContain(`kube-system was ${one}, and is ${two}`);
      expect(refusal).toContain(`hearth:kubernetes.identity: ${two}`);
    },
  );
});

it.each([
  ["Stores", true],
  ["CloudSuite", true],
  ["Forge", false],
  ["Admission", false],
])("the cluster is recorded by components that hold data: %s, %s", (component, records) => {
  const transform = recordsCluster({ live: undefined, accepted: undefined });
  const transformed = transform({
    ...{ type: `hearth:index:${component}`, name: "it", props: {}, opts: {} },
    resource: undefined as unknown as pulumi.Resource,
  });
  expect(transformed?.opts.ignoreChanges).toEqual(records ? ["clusterIdentity"] : undefined);
});

describe("the provider of the cluster", () => {
  const provider = {
    urn: "urn:pulumi:it::hearth::pulumi:providers:kubernetes::cluster",
    type: "pulumi:providers:kubernetes",
  };
  const before = { ...provider, inputs: { context: "before" } };
  const suite = { urn: "urn:pulumi:it::hearth::hearth:index:CloudSuite::team", type: "hearth:index:CloudSuite" };
  const data = { ...suite, protect: true };
  const recorded = { ...suite, inputs: { clusterIdentity: one } };
  const optionsOf = (state: Parameters<typeof providerOptions>[0], context: string | undefined, live?: string) =>
    providerOptions(state, context, { live, accepted: undefined });
  const kept = { ignoreChanges: ["clusterIdentifier"] };

  it.each([
    ["whose context was renamed", [before, data, recorded], "after", one],
    [
      "whose context is that of another cluster, which the parts with data refuse",
      [before, data, recorded],
      "after",
      two,
    ],
    ["whose context has the same name, whatever can be seen", [before, data], "before", undefined],
    ["of a context that was the current one and still is", [provider, data], undefined, undefined],
    ["of a stack whose state can't be read", [], "after", undefined],
    ["that an earlier move has left behind", [{ ...before, delete: true }], "after", undefined],
  ])("keeps its identity: one %s", (_, state, context, live) => {
    expect(optionsOf(state, context, live)).toEqual(kept);
  });

  it.each([
    ["cannot be seen", [before, recorded], undefined],
    ["was never recorded", [before, suite], one],
  ])(
    "takes a context of another name for another cluster where its UID %s and nothing holds data",
    (_, state, live) => {
      expect(optionsOf(state, "after", live)).toEqual({});
    },
  );

  it.each([
    [
      "cannot be seen",
      [before, data, recorded],
      "after",
      undefined,
      /was before, and is after[\s\S]*allow this user to get/,
    ],
    [
      "was never recorded",
      [before, data],
      undefined,
      one,
      /was before, and is the current one[\s\S]*run `up`, which records/,
    ],
  ])("refuses a context of another name where its UID %s and something holds data", (_, state, context, live, text) => {
    expect(() => optionsOf(state, context, live)).toThrow(text);
  });
});
