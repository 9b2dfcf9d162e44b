import { otherCluster, recordsCluster } from "@hearth-platform/stack/state/cluster-identity";
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
