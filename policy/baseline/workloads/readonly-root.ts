import { podExceptions } from "@hearth-platform/hearth/kubernetes/pod-exceptions";
import { containers, workloadKinds } from "../../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { appExceptions } from "../pod-security/app-exceptions.ts";

export const readonlyRoot = resourcePolicy({
  id: "wl-readonly-root",
  title: "Read-only root file systems",
  rule: "The root file system of a container is read-only. pod-exceptions.ts lists the images that write to theirs, with the reason.",
  severity: PolicySeverity.low,
  level: EnforcementLevel.advisory,
  remediation: "Set readOnlyRootFilesystem to true, and mount an emptyDir where the program writes.",
  unseen: "Folders of the host or of an image that are mounted to be written.",
  tags: ["workloads", "security"],
  settings: {},
  kinds: workloadKinds,
  *check(resource) {
    if (hasWritableRoot(resource)) return;
    for (const container of containers(resource)) {
      const field = container.get("securityContext", "readOnlyRootFilesystem");
      if (field.value !== true) yield violation(field, "It must be true.");
    }
  },
});

/** The product's own exceptions. Being part of the component, not a label, tells them. */
function hasWritableRoot(resource: PolicyResource): boolean {
  if (resource.isIn("hearth/Forge")) return podExceptions.forge.writableRoot;
  if (resource.isIn("hearth/Hub")) return podExceptions.hub.writableRoot;
  return resource.isIn("hearth/CloudSuite") && appExceptions(resource.name).some(({ writableRoot }) => writableRoot);
}
