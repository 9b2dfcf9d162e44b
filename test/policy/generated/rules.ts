import { type Cases, caseOf, crossed, kubernetes, type Tree } from "./case.ts";

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));

const volume = (spec: Tree) => kubernetes("v1", "PersistentVolume", { spec: { capacity: { storage: "1Gi" }, ...spec } }, { namespace: undefined });
const systemFolders = named(["/", "/etc", "/var", "/var/lib/kubelet", "/var/lib/kubelet/pods", "/root", "/proc", "/sys", "/dev", "/etc/kubernetes/", "/home/..", "//etc", "/run", "/boot", "/usr"]);
const hostPathCases: Cases = {
  policy: "st-host-path",
  breaks: [
    ...Object.keys(systemFolders).map((path) => caseOf(`a folder ${path}`, volume({ hostPath: { path } }))),
    ...["Directory", "DirectoryOrCreate", "File", "Socket"].map((type) => caseOf(`of type ${type}`, volume({ hostPath: { path: "/data", type } }))),
    ...Object.keys(systemFolders).map((path) => caseOf(`a local one at ${path}`, volume({ local: { path } }))),
  ],
  keeps: [
    ...["/mnt/disks/ssd1", "/mnt/data", "/srv/disk-2"].map((path) => caseOf(`a local one at ${path}`, volume({ local: { path } }))),
    caseOf("a driver's", volume({ csi: { driver: "example.org", volumeHandle: "a" } })),
  ],
};

const claims: Readonly<Record<string, (spec: Tree) => Tree>> = {
  "a claim": (spec) => kubernetes("v1", "PersistentVolumeClaim", { spec }),
  "a template of a StatefulSet": (spec) =>
    kubernetes("apps/v1", "StatefulSet", { spec: { volumeClaimTemplates: [{ metadata: { name: "data" }, spec }], template: { spec: { containers: [] } } } }),
  "a pod's own": (spec) =>
    kubernetes("apps/v1", "Deployment", { spec: { template: { spec: { containers: [], volumes: [{ name: "a", ephemeral: { volumeClaimTemplate: { spec } } }] } } } }),
};
const claim = { accessModes: ["ReadWriteOnce"], storageClassName: "replicated-block", resources: { requests: { storage: "1Gi" } } };
const sized = (storage: unknown) => ({ ...claim, resources: { requests: { storage } } });
const claimCases: Cases = {
  policy: "st-volume-claims",
  breaks: crossed(
    claims,
    {
      "no size": { ...claim, resources: {} },
      "no resources": { ...claim, resources: undefined },
      "a limit alone": { ...claim, resources: { limits: { storage: "1Gi" } } },
      "a size of 0": sized("0"),
      "a size of 0Gi": sized("0Gi"),
      "a size below 0": sized("-1Gi"),
      "no mode": { ...claim, accessModes: undefined },
      "an empty list of modes": { ...claim, accessModes: [] },
    } as Readonly<Record<string, Tree>>,
    (make, spec, what) => caseOf(what, make(spec)),
  ),
  keeps: crossed(
    claims,
    { "as it should be": claim, "in bytes": sized("1073741824"), "of several writers": { ...claim, accessModes: ["ReadWriteMany"], storageClassName: "smb-csi" } } as Readonly<
      Record<string, Tree>
    >,
    (make, spec, what) => caseOf(what, make(spec)),
  ),
};

const modeCases: Cases = {
  policy: "lim-storage-mode",
  breaks: crossed(
    claims,
    {
      "several writers of a block": { ...claim, accessModes: ["ReadWriteMany"] },
      "readers of a block": { ...claim, accessModes: ["ReadOnlyMany"] },
      "one of two modes": { ...claim, accessModes: ["ReadWriteOnce", "ReadWriteMany"] },
      "one writer of a share": { ...claim, storageClassName: "smb-csi" },
      "one pod of a share": { ...claim, storageClassName: "smb-csi", accessModes: ["ReadWriteOncePod"] },
    } as Readonly<Record<string, Tree>>,
    (make, spec, what) => caseOf(what, make(spec)),
  ),
  keeps: crossed(
    claims,
    {
      "one writer": claim,
      "one pod": { ...claim, accessModes: ["ReadWriteOncePod"] },
      "a share": { ...claim, storageClassName: "smb-csi", accessModes: ["ReadWriteMany"] },
    } as Readonly<Record<string, Tree>>,
    (make, spec, what) => caseOf(what, make(spec)),
  ),
};

const cluster = (spec: Tree) => kubernetes("postgresql.cnpg.io/v1", "Cluster", { spec: { instances: 2, ...spec } });
const hba = (...lines: string[]) => cluster({ postgresql: { pg_hba: lines } });
const strongRoles = named(["superuser", "bypassrls", "createrole", "replication"]);
const databaseCases: Cases = {
  policy: "sec-database-access",
  breaks: [
    caseOf("the superuser", cluster({ enableSuperuserAccess: true })),
    ...[
      "host all all all trust",
      "host all all 0.0.0.0/0 trust",
      "hostssl all all 10.0.0.0/8 trust",
      "host  all\tall  10.0.0.0/8   trust",
      "HOST all all all TRUST",
      "hostnossl app app 10.1.2.3 255.255.255.255 trust",
      'host "all" "all" all trust',
      "local all all trust",
      "host all all samenet trust # for a while",
    ].map((line) => caseOf(line, hba("hostssl app app all scram-sha-256", line))),
    ...["password", "md5", "ident"].map((method) => caseOf(`by ${method}`, hba(`host all all all ${method}`))),
    ...["superuser", "bypassrls", "createrole"].map((right) =>
      caseOf(`a role with ${right}`, cluster({ managed: { roles: [{ name: "app", ensure: "present", [right]: true }] } })),
    ),
    ...["pg_execute_server_program", "pg_write_server_files", "pg_read_server_files", "postgres"].map((role) =>
      caseOf(`a role in ${role}`, cluster({ managed: { roles: [{ name: "app", inRoles: [role] }] } })),
    ),
    ...["ALTER ROLE app SUPERUSER", "alter user app with superuser;", "CREATE ROLE a WITH LOGIN SUPERUSER", "GRANT pg_execute_server_program TO app"].flatMap((statement) =>
      ["postInitSQL", "postInitApplicationSQL", "postInitTemplateSQL"].map((field) =>
        caseOf(`${field}: ${statement}`, cluster({ bootstrap: { initdb: { [field]: [statement] } } })),
      ),
    ),
  ],
  keeps: [
    caseOf("no superuser", cluster({ enableSuperuserAccess: false })),
    caseOf("nothing said", cluster({})),
    ...["hostssl app app all scram-sha-256", "hostssl all all all cert", "host all all all reject", "host trust trust all scram-sha-256", "# host all all all trust"].map((line) =>
      caseOf(line, hba(line)),
    ),
    ...Object.keys(strongRoles).map((right) =>
      caseOf(`a role without ${right}`, cluster({ managed: { roles: [{ name: "app", login: true, [right]: false }] } })),
    ),
    caseOf("a role that reads", cluster({ managed: { roles: [{ name: "reader", inRoles: ["pg_monitor"] }] } })),
    ...["ALTER ROLE app NOSUPERUSER", "CREATE EXTENSION pg_trgm", "GRANT SELECT ON superusers TO app"].map((statement) =>
      caseOf(statement, cluster({ bootstrap: { initdb: { postInitApplicationSQL: [statement] } } })),
    ),
  ],
};

const level = "pod-security.kubernetes.io/";
const namespaced = (labels: Tree) => kubernetes("v1", "Namespace", {}, { namespace: undefined, labels });
const all = (value: string): Readonly<Record<string, string>> => ({ [`${level}enforce`]: value, [`${level}warn`]: value, [`${level}audit`]: value });
const namespaceCases: Cases = {
  policy: "ns-pod-security",
  breaks: [
    caseOf("none", namespaced({})),
    ...["baseline", "privileged", "Restricted", "none", ""].map((value) => caseOf(`all ${value}`, namespaced(all(value)))),
    ...["enforce", "warn", "audit"].flatMap((mode) => {
      const { [`${level}${mode}`]: _, ...rest } = all("restricted");
      return [
        caseOf(`no ${mode}`, namespaced(rest)),
        ...["baseline", "privileged"].map((value) => caseOf(`${mode} ${value}`, namespaced({ ...all("restricted"), [`${level}${mode}`]: value }))),
        ...["v1.19", "v1.0"].map((version) => caseOf(`${mode} of ${version}`, namespaced({ ...all("restricted"), [`${level}${mode}-version`]: version }))),
      ];
    }),
  ],
  keeps: [
    caseOf("all", namespaced(all("restricted"))),
    caseOf("of the cluster's version", namespaced({ ...all("restricted"), [`${level}enforce-version`]: "latest" })),
    caseOf("with other labels", namespaced({ ...all("restricted"), team: "a" })),
  ],
};

const rbac = "rbac.authorization.k8s.io/v1";
const bindings = (name: string) =>
  ["ClusterRoleBinding", "RoleBinding"].map((kind) =>
    kubernetes(rbac, kind, { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name }, subjects: [{ kind: "ServiceAccount", name: "app", namespace: "team" }] }),
  );
const growing = (content: Tree) => kubernetes(rbac, "ClusterRole", content, { name: "grows", namespace: undefined });
const aggregatedCases: Cases = {
  policy: "rbac-aggregated-role",
  breaks: bindings("grows").flatMap((binding) => [
    caseOf(`${binding.kind}`, growing({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } }), binding),
    caseOf(`${binding.kind}, by expressions`, growing({ aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }] } }), binding),
    caseOf(`${binding.kind}, with rules beside`, growing({ aggregationRule: { clusterRoleSelectors: [{}] }, rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }), binding),
  ]),
  keeps: [
    ...bindings("grows").map((binding) => caseOf(`${binding.kind} of rules`, growing({ rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }), binding)),
    ...bindings("other").map((binding) => caseOf(`${binding.kind} of another`, growing({ aggregationRule: { clusterRoleSelectors: [{}] } }), binding)),
  ],
};

const opaque = (content: Tree) => kubernetes("v1", "Secret", { type: "Opaque", ...content });
const keys = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
const keyCases: Cases = {
  policy: "sec-object-store-keys",
  breaks: keys.flatMap((key) => [
    caseOf(`${key} alone`, opaque({ stringData: { [key]: "a" } })),
    caseOf(`${key} alone, in base64`, opaque({ data: { [key]: "YQ==" } })),
    caseOf(`${key} beside another`, opaque({ stringData: { [key]: "a", AWS_REGION: "fsn1" } })),
  ]),
  keeps: [
    caseOf("both", opaque({ stringData: Object.fromEntries(keys.map((key) => [key, "a"])) })),
    caseOf("one of each", opaque({ stringData: { [keys[0] ?? ""]: "a" }, data: { [keys[1] ?? ""]: "YQ==" } })),
    caseOf("another Secret", opaque({ stringData: { password: "a" } })),
  ],
};

/** What another program makes objects of. */
const releases: Readonly<Record<string, Tree>> = {
  HelmChart: kubernetes("helm.cattle.io/v1", "HelmChart", { spec: { chart: "app", version: "1.2.3" } }),
  HelmChartConfig: kubernetes("helm.cattle.io/v1", "HelmChartConfig", { spec: { valuesContent: "a: b" } }),
  HelmRelease: kubernetes("helm.toolkit.fluxcd.io/v2", "HelmRelease", { spec: { chart: { spec: { chart: "app", version: "1.2.3" } } } }),
  "HelmRelease, an older one": kubernetes("helm.toolkit.fluxcd.io/v2beta2", "HelmRelease", { spec: { chart: { spec: { chart: "app" } } } }),
  Kustomization: kubernetes("kustomize.toolkit.fluxcd.io/v1", "Kustomization", { spec: { path: "./", sourceRef: { kind: "GitRepository", name: "a" } } }),
  Application: kubernetes("argoproj.io/v1alpha1", "Application", { spec: { source: { repoURL: "https://example.org", path: "." } } }),
  ApplicationSet: kubernetes("argoproj.io/v1alpha1", "ApplicationSet", { spec: { template: {} } }),
};
const releaseCases: Cases = {
  policy: "helm-no-release",
  breaks: Object.entries(releases).map(([what, tree]) => caseOf(what, tree)),
  keeps: [
    caseOf("a Rollout", kubernetes("argoproj.io/v1alpha1", "Rollout", { spec: {} })),
    caseOf("an application of others", kubernetes("app.k8s.io/v1beta1", "Application", { spec: {} })),
    caseOf("a source", kubernetes("source.toolkit.fluxcd.io/v1", "GitRepository", { spec: { url: "https://example.org" } })),
  ],
};

const removed: Readonly<Record<string, string>> = {
  Deployment: "extensions/v1beta1",
  DaemonSet: "apps/v1beta2",
  StatefulSet: "apps/v1beta1",
  ReplicaSet: "extensions/v1beta1",
  Ingress: "networking.k8s.io/v1beta1",
  CronJob: "batch/v1beta1",
  PodDisruptionBudget: "policy/v1beta1",
  PodSecurityPolicy: "policy/v1beta1",
  EndpointSlice: "discovery.k8s.io/v1beta1",
  HorizontalPodAutoscaler: "autoscaling/v2beta2",
  CustomResourceDefinition: "apiextensions.k8s.io/v1beta1",
  ClusterRole: "rbac.authorization.k8s.io/v1beta1",
  CSIDriver: "storage.k8s.io/v1beta1",
  FlowSchema: "flowcontrol.apiserver.k8s.io/v1beta2",
  ValidatingWebhookConfiguration: "admissionregistration.k8s.io/v1beta1",
  PriorityClass: "scheduling.k8s.io/v1beta1",
  Lease: "coordination.k8s.io/v1beta1",
};
const served: Readonly<Record<string, string>> = {
  Deployment: "apps/v1",
  Ingress: "networking.k8s.io/v1",
  CronJob: "batch/v1",
  PodDisruptionBudget: "policy/v1",
  HorizontalPodAutoscaler: "autoscaling/v2",
  CustomResourceDefinition: "apiextensions.k8s.io/v1",
  Ingress2: "example.org/v1beta1",
};
const removedCases: Cases = {
  policy: "api-removed",
  breaks: Object.entries(removed).map(([kind, version]) => caseOf(`${version} ${kind}`, kubernetes(version, kind))),
  keeps: Object.entries(served).map(([kind, version]) => caseOf(`${version} ${kind}`, kubernetes(version, kind))),
};

const hash = "0123456789abcdef";
const inForce = (name: string): Tree[] => [
  kubernetes("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", { spec: { policyName: name, validationActions: ["Audit"] } }, { name: `x-${hash}`, namespace: undefined }),
  kubernetes("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", { spec: { policyName: name, validationActions: ["Deny"], matchResources: { namespaceSelector: { matchLabels: { a: "b" } } } } }, { name: "other", namespace: undefined }),
  kubernetes("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", { spec: { failurePolicy: "Ignore", validations: [] } }, { name, namespace: undefined }),
];
const forceCases: Cases = {
  policy: "rbac-limits-in-force",
  breaks: ["hearth-limits-database-major", "hearth-limits-keystore-replicas", "hearth-limits-database-volume"].flatMap((name) =>
    inForce(name).map((tree, index) => caseOf(`${name}, ${index}`, tree)),
  ),
  keeps: inForce("example.org-own").map((tree, index) => caseOf(`another's, ${index}`, tree)),
};

/** Cases of volumes, databases, namespaces, rights, charts and versions. */
export const ruleCases: Cases[] = [
  ...[hostPathCases, claimCases, modeCases, databaseCases, namespaceCases, aggregatedCases],
  ...[keyCases, releaseCases, removedCases, forceCases],
];
