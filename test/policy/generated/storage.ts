import { place } from "../support/fixtures.ts";
import { type Case, type Cases, caseOf, crossed, kubernetes, type Tree } from "./case.ts";

const aws = (type: string, props: Tree): Case => ({ what: type, resources: [place(`aws:s3/${type}`, "files", props)] });
const isProtected = ({ what, resources }: Case): Case => ({
  what,
  resources: resources.map((each) => ({ ...each, protect: true })),
});
const lifecycle = "bucketLifecycleConfiguration:BucketLifecycleConfiguration";
const set = (policy: Tree) => kubernetes("apps/v1", "StatefulSet", { spec: { persistentVolumeClaimRetentionPolicy: policy } });
const managed = (spec: Tree) => kubernetes("s3.aws.upbound.io/v1beta2", "Bucket", { spec });
const database = (spec: Tree) => kubernetes("postgresql.cnpg.io/v1", "Database", { spec });
const without = ["Observe", "Create", "Update"];

const protectCases: Cases = {
  policy: "st-protect",
  breaks: [
    aws(lifecycle, { rules: [{ status: "Enabled", expiration: { days: 1 } }] }),
    aws(`${lifecycle}V2`.replace("Configuration:", "ConfigurationV2:"), { rules: [{ expiration: { date: "2027-01-01" } }] }),
    aws("bucketVersioning:BucketVersioning", { versioningConfiguration: { status: "Suspended" } }),
    ...[
      { forceDestroy: true },
      { versioning: { enabled: false } },
      { lifecycleRules: [{ enabled: true, expiration: { days: 30 } }] },
    ].map((props) => isProtected(aws("bucket:Bucket", props))),
    ...["whenDeleted", "whenScaled"].map((when) => caseOf(when, set({ [when]: "Delete" }))),
    ...["Delete", "Recycle"].map((persistentVolumeReclaimPolicy) =>
      caseOf(persistentVolumeReclaimPolicy, kubernetes("v1", "PersistentVolume", { spec: { persistentVolumeReclaimPolicy } })),
    ),
    caseOf("snapshots", kubernetes("snapshot.storage.k8s.io/v1", "VolumeSnapshotClass", { deletionPolicy: "Delete" })),
    ...[{}, { deletionPolicy: "Delete" }, { managementPolicies: ["*"] }].map((spec) => caseOf("a managed bucket", managed(spec))),
    caseOf("a forced one", managed({ managementPolicies: without, forProvider: { forceDestroy: true } })),
    ...["schemas", "extensions", "fdws", "servers"].map((key) => caseOf(key, database({ [key]: [{ name: "a", ensure: "absent" }] }))),
  ],
  keeps: [
    aws(lifecycle, { rules: [{ status: "Enabled", noncurrentVersionExpiration: { noncurrentDays: 90 } }] }),
    aws(lifecycle, { rules: [{ status: "Disabled", expiration: { days: 1 } }] }),
    aws("bucketVersioning:BucketVersioning", { versioningConfiguration: { status: "Enabled" } }),
    isProtected(aws("bucket:Bucket", { versioning: { enabled: true } })),
    caseOf("kept claims", set({ whenDeleted: "Retain", whenScaled: "Retain" })),
    caseOf("a volume", kubernetes("v1", "PersistentVolume", { spec: { persistentVolumeReclaimPolicy: "Retain" } })),
    caseOf("snapshots", kubernetes("snapshot.storage.k8s.io/v1", "VolumeSnapshotClass", { deletionPolicy: "Retain" })),
    caseOf("a managed bucket", managed({ managementPolicies: without })),
    caseOf("an orphan", managed({ deletionPolicy: "Orphan" })),
    caseOf("extensions", database({ extensions: [{ name: "a", ensure: "present" }] })),
  ],
};

/** Where a class may stand: in a claim, in a template of any kind. */
const claims: Readonly<Record<string, (storageClassName: string) => Tree>> = {
  "a claim": (name) => kubernetes("v1", "PersistentVolumeClaim", { spec: { storageClassName: name } }),
  "a StatefulSet": (name) =>
    kubernetes("apps/v1", "StatefulSet", { spec: { volumeClaimTemplates: [{ spec: { storageClassName: name } }] } }),
  "a pod's own claim": (name) =>
    kubernetes("v1", "Pod", {
      spec: { volumes: [{ name: "a", ephemeral: { volumeClaimTemplate: { spec: { storageClassName: name } } } }] },
    }),
  "a Prometheus": (name) =>
    kubernetes("monitoring.coreos.com/v1", "Prometheus", {
      spec: { storage: { volumeClaimTemplate: { spec: { storageClassName: name } } } },
    }),
  "a kind nobody knows": (name) =>
    kubernetes("example.org/v1", "Thing", { spec: { nodes: [{ volumeClaimTemplates: [{ spec: { storageClassName: name } }] }] } }),
  "a database": (name) => kubernetes("postgresql.cnpg.io/v1", "Cluster", { spec: { storage: { storageClass: name } } }),
  "a database's template": (name) =>
    kubernetes("postgresql.cnpg.io/v1", "Cluster", { spec: { storage: { pvcTemplate: { storageClassName: name } } } }),
  "a database's log": (name) =>
    kubernetes("postgresql.cnpg.io/v1", "Cluster", {
      spec: { storage: { storageClass: "replicated-block" }, walStorage: { storageClass: name } },
    }),
  "a database's tablespace": (name) =>
    kubernetes("postgresql.cnpg.io/v1", "Cluster", {
      spec: { storage: { storageClass: "replicated-block" }, tablespaces: [{ storage: { storageClass: name } }] },
    }),
};
const names = (...all: string[]) => Object.fromEntries(all.map((name) => [name, name]));
const classCases: Cases = {
  policy: "lim-storage-class",
  breaks: crossed(names("standard", "local-path", ""), claims, (name, make, what) => caseOf(what, make(name))),
  keeps: crossed(names("replicated-block", "smb-csi"), claims, (name, make, what) => caseOf(what, make(name))),
};

const context = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
const pod = (more: Tree = {}, securityContext: Tree = context): Tree => ({
  spec: {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" }, ...(more.pod as Tree) },
    containers: [{ name: "app", securityContext }],
    ...(more.spec as Tree),
  },
});
const holders: Readonly<Record<string, (template: Tree) => Tree>> = {
  "a Deployment": (template) => kubernetes("apps/v1", "Deployment", { spec: { template } }),
  "a Rollout": (template) => kubernetes("argoproj.io/v1alpha1", "Rollout", { spec: { template } }),
  "a ScaledJob": (template) => kubernetes("keda.sh/v1alpha1", "ScaledJob", { spec: { jobTargetRef: { template } } }),
  "the second group of a kind": (template) =>
    kubernetes("example.org/v1", "Thing", { spec: { head: { template: pod() }, workers: [{ template }] } }),
};
const unsafe: Readonly<Record<string, Tree>> = {
  "shared processes": pod({ spec: { shareProcessNamespace: true } }),
  "group 0": pod({ pod: { supplementalGroups: [1000, 0] } }),
  "the node's network": pod({ spec: { hostNetwork: true } }),
  "a port of the node": pod({ spec: { containers: [{ name: "a", securityContext: context, ports: [{ hostPort: 80 }] }] } }),
  "no seccomp": pod({ pod: { seccompProfile: { type: "Unconfined" } } }),
  "no AppArmor": pod({ pod: { appArmorProfile: { type: "Unconfined" } } }),
  "capabilities left": pod({}, { allowPrivilegeEscalation: false }),
  escalation: pod({}, { capabilities: { drop: ["ALL"] } }),
};
const runner = (text: string) => kubernetes("v1", "ConfigMap", { data: { "config.toml": text } });
const podCases: Cases = {
  policy: "wl-pod-security",
  breaks: [
    ...crossed(unsafe, holders, (template, make, what) => caseOf(what, make(template))),
    ...[
      "[runners.kubernetes]\n  privileged = true",
      "  allow_privilege_escalation = true",
      "[[runners.kubernetes.volumes.host_path]]\n  name = 'a'",
      "runners:\n  privileged: true\n",
    ].map((text) => caseOf(text, runner(text))),
  ],
  keeps: [
    ...Object.entries(holders).map(([what, make]) => caseOf(what, make(pod()))),
    ...["privileged = false", "# privileged jobs are true exceptions", "unprivileged: true"].map((text) => caseOf(text, runner(text))),
  ],
};

/** Cases of storage and pods. */
export const storageCases: readonly Cases[] = [protectCases, classCases, podCases];
