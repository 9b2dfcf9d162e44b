import { addedCapabilities, isConfined, unmaskedProc } from "./baseline-controls.ts";
import { at, containersOf, inUserNamespace, items, onWindows, securityContexts } from "./pod.ts";
import type { Control } from "./pod-security.ts";

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
        .filter(({ container }) => at(container, "securityContext", "allowPrivilegeEscalation") !== false)
        .map(({ path }) => ({ path: `${path}.securityContext.allowPrivilegeEscalation`, rule: "must be false" })),
  },
  capabilities_restricted: {
    replaces: "capabilities_baseline",
    check: (pod) =>
      onWindows(pod)
        ? []
        : [
            ...containersOf(pod)
              .filter(
                ({ container }) => !items(at(container, "securityContext", "capabilities", "drop")).includes("ALL"),
              )
              .map(({ path }) => ({ path: `${path}.securityContext.capabilities.drop`, rule: "must contain ALL" })),
            ...addedCapabilities(pod, allowedCapabilities, "must add none but NET_BIND_SERVICE"),
          ],
  },
  procMount_restricted: {
    replaces: "procMount",
    check: unmaskedProc,
  },
  restrictedVolumes: {
    replaces: "hostPathVolumes",
    check: (pod) =>
      items(at(pod, "spec", "volumes")).flatMap((volume, index) =>
        isAllowedVolume(volume)
          ? []
          : [{ path: `spec.volumes[${index}]`, rule: `must be of the type ${volumeTypes.join(", ")}` }],
      ),
  },
  runAsNonRoot: {
    check: (pod) =>
      inUserNamespace(pod) ? [] : wanted(pod, "runAsNonRoot", (value) => value === true, "must be true"),
  },
  runAsUser: {
    check: (pod) =>
      (inUserNamespace(pod) ? [] : securityContexts(pod))
        .filter(({ context }) => {
          const user = at(context, "runAsUser");
          return user !== undefined && !(typeof user === "number" && user !== 0);
        })
        .map(({ path }) => ({ path: `${path}.runAsUser`, rule: "must not be 0" })),
  },
  seccompProfile_restricted: {
    replaces: "seccompProfile_baseline",
    check: (pod) =>
      onWindows(pod) ? [] : wanted(pod, "seccompProfile", isConfined, "must have the type RuntimeDefault or Localhost"),
  },
} as const satisfies Record<string, Control>;

/** A volume of no type at all is an emptyDir, says the API server. */
function isAllowedVolume(volume: unknown): boolean {
  const types = Object.keys(volume ?? {}).filter((name) => name !== "name" && at(volume, name) !== undefined);
  return types.length === 0 || types.some((type) => volumeTypes.includes(type));
}

/** Where a field is wrong, and containers that have it neither themselves nor from the pod. */
function wanted(pod: unknown, field: string, isRight: (value: unknown) => boolean, rule: string) {
  const contexts = securityContexts(pod);
  const podHasIt = isRight(at(pod, "spec", "securityContext", field));
  const wrong = contexts
    .filter(({ context }) => at(context, field) !== undefined && !isRight(at(context, field)))
    .map(({ path }) => ({ path: `${path}.${field}`, rule }));
  const missing = containersOf(pod)
    .filter(({ container }) => !podHasIt && at(container, "securityContext", field) === undefined)
    .map(({ path }) => ({ path: `${path}.securityContext.${field}`, rule }));
  return [...wrong, ...missing];
}
