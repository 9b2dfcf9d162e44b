import type { Field } from "../../core/field.ts";
import { type Violation, violation } from "../../core/policy.ts";
import { addedCapabilities, isConfined, unmaskedProc } from "./baseline-controls.ts";
import type { Control } from "./control.ts";
import { containersOf, inUserNamespace, onWindows, securityContexts } from "./pod.ts";

const allowedCapabilities = new Set<unknown>(["NET_BIND_SERVICE"]);

const volumeTypes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

/** Controls that the restricted level has beyond the baseline's, by the names Kubernetes gives them. */
export const restrictedControls = {
  allowPrivilegeEscalation: {
    check: (pod) =>
      (onWindows(pod) ? [] : containersOf(pod))
        .map((container) => container.get("securityContext", "allowPrivilegeEscalation"))
        .filter(({ value }) => value !== false)
        .map((field) => violation(field, "It must be false.")),
  },
  capabilities_restricted: {
    replaces: "capabilities_baseline",
    check: (pod) =>
      onWindows(pod)
        ? []
        : [
            ...containersOf(pod)
              .map((container) => container.get("securityContext", "capabilities", "drop"))
              .filter(({ items }) => !items.some(({ value }) => value === "ALL"))
              .map((field) => violation(field, "It must contain ALL.")),
            ...addedCapabilities(pod, allowedCapabilities, "It must contain only NET_BIND_SERVICE."),
          ],
  },
  procMount_restricted: {
    replaces: "procMount",
    check: unmaskedProc,
  },
  restrictedVolumes: {
    replaces: "hostPathVolumes",
    check: (pod) =>
      pod
        .get("spec", "volumes")
        .items.filter((volume) => !isAllowedVolume(volume))
        .map((volume) => violation(volume, `It must be of the type ${volumeTypes.join(", ")}.`)),
  },
  runAsNonRoot: {
    check: (pod) =>
      inUserNamespace(pod) ? [] : wanted(pod, "runAsNonRoot", ({ value }) => value === true, "It must be true."),
  },
  runAsUser: {
    check: (pod) =>
      (inUserNamespace(pod) ? [] : securityContexts(pod))
        .map((context) => context.get("runAsUser"))
        .filter(({ value }) => value !== undefined && !(typeof value === "number" && value !== 0))
        .map((field) => violation(field, "It must not be 0.")),
  },
  seccompProfile_restricted: {
    replaces: "seccompProfile_baseline",
    check: (pod) =>
      onWindows(pod) ? [] : wanted(pod, "seccompProfile", isConfined, "Its type must be RuntimeDefault or Localhost."),
  },
} as const satisfies Record<string, Control>;

/** A volume of no type at all is an emptyDir, says the API server. */
function isAllowedVolume(volume: Field): boolean {
  const types = volume.entries.filter(([name, { exists }]) => name !== "name" && exists).map(([name]) => name);
  return types.length === 0 || types.some((type) => volumeTypes.includes(type));
}

/** Places where the field is wrong: where it has another value, and containers that neither set it nor inherit it. */
function wanted(pod: Field, name: string, isRight: (field: Field) => boolean, message: string): Violation[] {
  const ofPod = pod.get("spec", "securityContext", name);
  const podHasIt = isRight(ofPod);
  const ofContainers = containersOf(pod).map((container) => container.get("securityContext", name));
  return [
    ...(ofPod.exists && !podHasIt ? [ofPod] : []),
    ...ofContainers.filter((field) => (field.exists ? !isRight(field) : !podHasIt)),
  ].map((field) => violation(field, message));
}
