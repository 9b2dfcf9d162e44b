import { posix } from "node:path";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";

/** Folders of a node that belong to it, not to data; all below them too, but for `/var` and `/var/lib`. */
const ofNode =
  /^\/(?:$|var(?:\/lib)?\/?$|(?:bin|boot|dev|etc|lib|lib64|proc|root|run|sbin|sys|usr|var\/(?:lib\/(?:docker|containerd|etcd|kubelet)|log|run))(?:\/|$))/;

export const hostPaths = resourcePolicy({
  id: "st-host-path",
  title: "Volumes are no folders of a node",
  rule: "A PersistentVolume has no hostPath, and a local one is not a folder of the system: any pod with a claim to it could read the node.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation: "Use a volume of a storage driver, or a local one on its own disk.",
  unseen: "What a storage driver does on the node.",
  tags: ["storage", "security"],
  settings: {},
  kinds: ["PersistentVolume"],
  *check(resource) {
    const source = resource.get("spec");
    const folder = source.get("hostPath");
    if (folder.exists) yield violation(folder, "It must not be set: any pod with a claim to it could read the node.");
    const path = source.get("local", "path");
    if (path.text && ofNode.test(posix.normalize(path.text)))
      yield violation(path, "It must be a separate disk, not a folder of the system.");
  },
});
