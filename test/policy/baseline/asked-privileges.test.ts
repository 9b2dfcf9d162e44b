import { podSecurity } from "@hearth-platform/policy/baseline/workloads/pod-security";
import { expect, test } from "vitest";
import { resource } from "../support/fixtures.ts";
import { judged } from "../support/verdicts.ts";

/** Where the policy finds something in an object of an operator that has `pod` in its specification. */
function found(pod: object): string[] {
  const agent = resource({ apiVersion: "example.org/v1", kind: "Agent", metadata: { name: "a" }, spec: { pod } });
  return judged(podSecurity, { resources: [agent] }).violations.map(({ path }) => path);
}

test.each<[string, readonly unknown[], readonly unknown[]]>([
  ["privileged", [true], [false]],
  ["hostNetwork", [true], [false]],
  ["hostPID", [true], [false]],
  ["hostIPC", [true], [false]],
  ["hostPath", [{ path: "/var" }], [{}]],
  ["allowPrivilegeEscalation", [true], [false]],
  ["runAsNonRoot", [false], [true]],
  ["hostPort", [1, 80], [0]],
  ["hostProcess", [true], [false]],
  ["sysctls", [[{ name: "kernel.msgmax", value: "1" }]], [[]]],
  ["shareProcessNamespace", [true], [false]],
  ["supplementalGroups", [[0], [1000, 0]], [[], [1000]]],
  ["appArmorProfile", [{ type: "Unconfined" }], [{ type: "RuntimeDefault" }]],
  ["runAsUser", [0, "0"], [1000, "1000"]],
  ["procMount", ["Unmasked"], ["Default"]],
  ["capabilities", [{ add: ["CHOWN"] }], [{ drop: ["ALL"] }, { add: [] }]],
  ["seccompProfile", [{ type: "Unconfined" }], [{ type: "RuntimeDefault" }]],
])("an operator's object may not ask for a pod's %s to be %j, and may for %j", (field, refused, kept) => {
  for (const value of refused) expect(found({ [field]: value }), JSON.stringify(value)).toEqual([`spec.pod.${field}`]);
  for (const value of kept) expect(found({ [field]: value }), JSON.stringify(value)).toEqual([]);
});
