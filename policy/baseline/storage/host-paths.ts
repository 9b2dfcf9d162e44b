import { Level, resourcePolicy, Severity, violation } from "../../core/policy.ts";

/** Folders of a node that belong to it, not to data; all below them too. */
const ofNode =
  /^\/(?:$|(?:bin|boot|dev|etc|lib|lib64|proc|root|run|sbin|sys|usr|var\/(?:lib\/(?:docker|containerd|etcd|kubelet)|log|run))(?:\/|$))/;

export const hostPaths = resourcePolicy({
  id: "st-host-path",
  title: "Volumes are no folders of a node",
  rule: "A PersistentVolume has no hostPath, and a local one no folder of the system: by a claim to it any pod would read the node.",
  severity: Severity.critical,
  level: Level.mandatory,
  remediation: "Take a volume of a storage driver, or a local one on a disk of its own.",
  tags: ["storage", "security"],
  settings: {},
  kinds: ["PersistentVolume"],
  *check(resource) {
    const source = resource.get("spec");
    const folder = source.get("hostPath");
    if (folder.exists) yield violation(folder, "It must not be set: a claim to it opens the node.");
    const path = source.get("local", "path");
    if (ofNode.test(path.text ?? ""))
      yield violation(path, "It must be a disk of its own, not a folder of the system.");
  },
});
