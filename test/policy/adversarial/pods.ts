import { object, passing, type Row, row, type Tree, withValues } from "./row.ts";

const amounts = { cpu: "100m", memory: "128Mi" };
const probe = { httpGet: { path: "/healthz", port: 8080 } };

/** A pod that nobody's list has anything against. */
const pod: Tree = {
  automountServiceAccountToken: false,
  terminationGracePeriodSeconds: 30,
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  containers: [
    {
      name: "app",
      image: "docker.io/library/nextcloud:31.0.4",
      ports: [{ name: "http", containerPort: 8080 }],
      resources: { requests: amounts, limits: amounts },
      livenessProbe: probe,
      readinessProbe: probe,
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
    },
  ],
};
const labels = { app: "example" };
const template = (spec: Tree) => ({ metadata: { labels }, spec });
const selector = { matchLabels: labels };

/** Every kind that holds a pod: Kubernetes' own, and what operators bring. */
const kinds: Readonly<Record<string, (spec: Tree) => Tree>> = {
  Pod: (spec) => object("v1", "Pod", { spec }, { labels }),
  Deployment: (spec) => object("apps/v1", "Deployment", { spec: { replicas: 1, selector, template: template(spec) } }),
  StatefulSet: (spec) => object("apps/v1", "StatefulSet", { spec: { selector, template: template(spec) } }),
  DaemonSet: (spec) => object("apps/v1", "DaemonSet", { spec: { selector, template: template(spec) } }),
  ReplicaSet: (spec) => object("apps/v1", "ReplicaSet", { spec: { selector, template: template(spec) } }),
  Job: (spec) => object("batch/v1", "Job", { spec: { template: template(spec) } }),
  CronJob: (spec) =>
    object("batch/v1", "CronJob", {
      spec: { schedule: "@daily", jobTemplate: { spec: { template: template(spec) } } },
    }),
  "Argo Rollout": (spec) => object("argoproj.io/v1alpha1", "Rollout", { spec: { selector, template: template(spec) } }),
  "KEDA ScaledJob": (spec) =>
    object("keda.sh/v1alpha1", "ScaledJob", { spec: { jobTargetRef: { template: template(spec) }, triggers: [] } }),
  "Knative Service": (spec) => object("serving.knative.dev/v1", "Service", { spec: { template: template(spec) } }),
  "OpenKruise CloneSet": (spec) =>
    object("apps.kruise.io/v1alpha1", "CloneSet", { spec: { selector, template: template(spec) } }),
};

const c = "containers[0]";
const context = `${c}.securityContext`;
const security = "wl-pod-security";
const tokens = "wl-token-automount";
const secrets = "sec-no-plain-secret";

/** One mistake a row: where it is made in a pod, with what, and who reports it. It is tried in every kind. */
const everywhere: readonly [what: string, values: Tree, ...expected: string[]][] = [
  [
    "privileged (PSS; Kyverno disallow-privileged-containers; Polaris runAsPrivileged)",
    { [`${context}.privileged`]: true },
    security,
  ],
  ["the node's processes (PSS; Kyverno disallow-host-namespaces; Polaris hostPIDSet)", { hostPID: true }, security],
  ["the node's network (PSS; Polaris hostNetworkSet)", { hostNetwork: true }, security],
  [
    "a folder of the node (PSS; Kyverno disallow-host-path; Polaris hostPathSet)",
    { volumes: [{ name: "a", hostPath: { path: "/srv" } }] },
    security,
  ],
  ["escalation (PSS; Polaris privilegeEscalationAllowed)", { [`${context}.allowPrivilegeEscalation`]: true }, security],
  ["all capabilities (PSS; Polaris dangerousCapabilities)", { [`${context}.capabilities.add`]: ["ALL"] }, security],
  [
    "root by leave (PSS; Kyverno require-run-as-nonroot; Polaris runAsRootAllowed)",
    { "securityContext.runAsNonRoot": undefined },
    security,
  ],
  [
    "no seccomp profile (PSS; Kyverno restrict-seccomp-strict)",
    { "securityContext.seccompProfile": undefined },
    security,
  ],
  [
    "a token nobody asked for (Kyverno restrict-automount-sa-token; Polaris automountServiceAccountToken)",
    { automountServiceAccountToken: undefined },
    tokens,
  ],
  [
    "a password as a value (Polaris sensitiveContainerEnvVar)",
    { [`${c}.env`]: [{ name: "DB_PASSWORD", value: "hunter2" }] },
    secrets,
  ],
  [
    "a tag that moves (Kyverno disallow-latest-tag; Polaris tagNotSpecified)",
    { [`${c}.image`]: "docker.io/library/nextcloud:latest" },
    "wl-image-tag",
  ],
  [
    "another registry (Kyverno restrict-image-registries)",
    { [`${c}.image`]: "evil.example.com/nextcloud:31.0.4" },
    "wl-image-registry",
  ],
  [
    "no limits (Kyverno require-requests-limits; Polaris cpuLimitsMissing)",
    { [`${c}.resources`]: undefined },
    "wl-resources",
  ],
];

const oneVolume = (volume: Tree): Tree => ({ volumes: [{ name: "a", ...volume }] });
const variable = (name: string, value: string): Tree => ({ [`${c}.env`]: [{ name, value }] });
const capability = (...add: string[]): Tree => ({ [`${context}.capabilities.add`]: add });

/** Mistakes that one kind shows as well as another. */
const once: readonly [what: string, values: Tree, ...expected: string[]][] = [
  ["the node's shared memory (PSS; Polaris hostIPCSet)", { hostIPC: true }, security],
  [
    "a port of the node (PSS; Kyverno disallow-host-ports; Polaris hostPortSet)",
    { [`${c}.ports[0].hostPort`]: 80 },
    security,
  ],
  [
    "an init container that is privileged (PSS)",
    {
      initContainers: [
        { name: "init", image: "docker.io/library/nextcloud:31.0.4", securityContext: { privileged: true } },
      ],
    },
    security,
  ],
  [
    "an ephemeral container (Kyverno block-ephemeral-containers)",
    {
      ephemeralContainers: [
        { name: "look", image: "docker.io/library/nextcloud:31.0.4", securityContext: { privileged: true } },
      ],
    },
    security,
  ],
  [
    "a sidecar as root (PSS)",
    { initContainers: [{ name: "init", restartPolicy: "Always", securityContext: { runAsUser: 0 } }] },
    security,
  ],
  ["user 0 (PSS; Kyverno require-run-as-non-root-user)", { "securityContext.runAsUser": 0 }, security],
  ["user 0 of a container (PSS)", { [`${context}.runAsUser`]: 0 }, security],
  ["a container that may be root (PSS)", { [`${context}.runAsNonRoot`]: false }, security],
  [
    "no capabilities dropped (PSS; Kyverno disallow-capabilities-strict; Polaris insecureCapabilities)",
    { [`${context}.capabilities`]: undefined },
    security,
  ],
  [
    "only NET_RAW dropped (Kyverno require-drop-cap-net-raw)",
    { [`${context}.capabilities.drop`]: ["NET_RAW"] },
    security,
  ],
  ["SYS_ADMIN (PSS)", capability("SYS_ADMIN"), security],
  ["NET_ADMIN (PSS)", capability("NET_ADMIN"), security],
  ["SYS_PTRACE (PSS; Kubernetes hardening guide)", capability("SYS_PTRACE"), security],
  ["SYS_MODULE (PSS)", capability("SYS_MODULE"), security],
  ["DAC_READ_SEARCH (PSS)", capability("DAC_READ_SEARCH"), security],
  ["BPF (PSS)", capability("BPF"), security],
  ["SETUID (PSS restricted)", capability("SETUID"), security],
  [
    "a raw view of /proc (PSS; Kyverno disallow-proc-mount; Polaris procMount)",
    { [`${context}.procMount`]: "Unmasked" },
    security,
  ],
  [
    "no seccomp filter (PSS; Kyverno restrict-seccomp)",
    { "securityContext.seccompProfile.type": "Unconfined" },
    security,
  ],
  ["no seccomp filter of a container (PSS)", { [`${context}.seccompProfile`]: { type: "Unconfined" } }, security],
  [
    "no AppArmor (PSS; Kyverno restrict-apparmor-profiles; Polaris linuxHardening)",
    { [`${context}.appArmorProfile`]: { type: "Unconfined" } },
    security,
  ],
  [
    "an SELinux user (PSS; Kyverno disallow-selinux)",
    { "securityContext.seLinuxOptions": { user: "system_u" } },
    security,
  ],
  ["an SELinux type (PSS)", { "securityContext.seLinuxOptions": { type: "spc_t" } }, security],
  [
    "a kernel setting (PSS; Kyverno restrict-sysctls)",
    { "securityContext.sysctls": [{ name: "kernel.msgmax", value: "1" }] },
    security,
  ],
  [
    "forwarding by the kernel (PSS)",
    { "securityContext.sysctls": [{ name: "net.ipv4.ip_forward", value: "1" }] },
    security,
  ],
  [
    "a host process of Windows (PSS; Kyverno disallow-host-process)",
    { "securityContext.windowsOptions": { hostProcess: true } },
    security,
  ],
  [
    "a probe of another host (PSS; Kubernetes 1.34)",
    { [`${c}.livenessProbe.httpGet.host`]: "169.254.169.254" },
    security,
  ],
  [
    "a hook to another host (PSS)",
    { [`${c}.lifecycle`]: { postStart: { httpGet: { host: "127.0.0.1", port: 10250 } } } },
    security,
  ],
  [
    "the container runtime's socket (Kyverno disallow-cri-sock-mount)",
    oneVolume({ hostPath: { path: "/run/containerd/containerd.sock" } }),
    security,
  ],
  [
    "Docker's socket (Kyverno disallow-container-sock-mounts)",
    oneVolume({ hostPath: { path: "/var/run/docker.sock" } }),
    security,
  ],
  ["the node's root (PSS)", oneVolume({ hostPath: { path: "/" } }), security],
  ["the node's logs (Kubernetes hardening guide)", oneVolume({ hostPath: { path: "/var/log" } }), security],
  [
    "NFS by hand (PSS restricted; Kyverno restrict-volume-types)",
    oneVolume({ nfs: { server: "nas", path: "/" } }),
    security,
  ],
  ["iSCSI by hand (PSS restricted)", oneVolume({ iscsi: {} }), security],
  ["RBD by hand (PSS restricted)", oneVolume({ rbd: {} }), security],
  [
    "a repository as a volume (PSS restricted; Kubernetes: gitRepo is unsafe)",
    oneVolume({ gitRepo: { repository: "https://example.org/a.git" } }),
    security,
  ],
  ["a flex volume (PSS restricted)", oneVolume({ flexVolume: { driver: "example.org/cifs" } }), security],
  ["a disk of Azure by hand (PSS restricted)", oneVolume({ azureDisk: {} }), security],
  ["a token with the default account (Kubernetes hardening guide)", { automountServiceAccountToken: true }, tokens],
  [
    "a token with the default account by name",
    { automountServiceAccountToken: true, serviceAccountName: "default" },
    tokens,
  ],
  [
    "a projected token in spite of automount off (Kubernetes: projected volumes)",
    oneVolume({ projected: { sources: [{ serviceAccountToken: { path: "token" } }] } }),
    tokens,
  ],
  [
    "a token by automount among others (Kubernetes: projected volumes)",
    oneVolume({
      projected: {
        sources: [
          { configMap: { name: "a" } },
          { serviceAccountToken: { path: "token", expirationSeconds: 315_360_000 } },
        ],
      },
    }),
    tokens,
  ],
  [
    "a token in a value (Polaris sensitiveContainerEnvVar)",
    variable("GITHUB_TOKEN", "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"),
    secrets,
  ],
  ["a token under a harmless name (gitleaks)", variable("EXTRA", "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"), secrets],
  ["an access key of AWS (gitleaks)", variable("ID", "AKIAQYLPMN5HHHFPZAM2"), secrets],
  [
    "a database's address with its password (Kyverno disallow-secrets-from-env-vars' kin)",
    variable("DATABASE_URL", "postgres://app:hunter2@db/app"),
    secrets,
  ],
  ["a broker's address with its password", variable("BROKER", "amqps://app:hunter2@mq.example.org/"), secrets],
  ["a password on the command line (CIS: process listings)", { [`${c}.args`]: ["--admin-password=hunter2"] }, secrets],
  ["a token on the command line", { [`${c}.command`]: ["agent", "--token=x7Kq2Wp9Zt4Rb6Yn"] }, secrets],
  ["a private key on the command line", { [`${c}.args`]: ["-----BEGIN EC PRIVATE KEY-----"] }, secrets],
  [
    "a script with an address and its password",
    { [`${c}.command`]: ["sh", "-c", "curl https://u:hunter2@example.org"] },
    secrets,
  ],
  ["a random value of a vague name (gitleaks generic-api-key)", variable("APP_KEY", "x7Kq2Wp9Zt4Rb6YnQ8"), secrets],
  [
    "no tag (Kyverno disallow-latest-tag; Polaris tagNotSpecified)",
    { [`${c}.image`]: "docker.io/library/nextcloud" },
    "wl-image-tag",
  ],
  ["a registry's port for a tag", { [`${c}.image`]: "localhost:5000/nextcloud" }, "wl-image-tag", "wl-image-registry"],
  ["a digest of nothing", { [`${c}.image`]: "docker.io/library/nextcloud@sha256:" }, "wl-image-tag"],
  [
    "a namesake on another registry (Kyverno restrict-image-registries)",
    { [`${c}.image`]: "docker.io.example.com/library/nextcloud:31.0.4" },
    "wl-image-registry",
  ],
  [
    "a namesake of an image's folder",
    { [`${c}.image`]: "docker.io/library/nextcloud-evil:31.0.4" },
    "wl-image-registry",
  ],
  [
    "an image volume of anybody's (Kubernetes: image volumes)",
    oneVolume({ image: { reference: "evil.example.com/data:1.0.0" } }),
    "wl-image-registry",
    security,
  ],
  [
    "Helm's Tiller (Kyverno disallow-helm-tiller)",
    { [`${c}.image`]: "ghcr.io/helm/tiller:v2.17.0" },
    "wl-image-registry",
  ],
  [
    "no request of CPU, and no limit (Polaris cpuRequestsMissing)",
    { [`${c}.resources.requests.cpu`]: undefined, [`${c}.resources.limits.cpu`]: undefined },
    "wl-resources",
  ],
  ["no limit of memory (Polaris memoryLimitsMissing)", { [`${c}.resources.limits.memory`]: undefined }, "wl-resources"],
  ["a limit of nothing", { [`${c}.resources.limits.cpu`]: "0" }, "wl-resources"],
  [
    "a request above its limit (Kyverno memory-requests-equal-limits' kin)",
    { [`${c}.resources.requests.memory`]: "1Gi" },
    "lim-requests",
  ],
  [
    "no liveness probe (Kyverno require-pod-probes; Polaris livenessProbeMissing)",
    { [`${c}.livenessProbe`]: undefined },
    "wl-probes",
  ],
  ["no readiness probe (Polaris readinessProbeMissing)", { [`${c}.readinessProbe`]: undefined }, "wl-probes"],
  [
    "a root file system that is written (Kyverno require-ro-rootfs; Polaris notReadOnlyRootFilesystem)",
    { [`${context}.readOnlyRootFilesystem`]: undefined },
    "wl-readonly-root",
  ],
  [
    "one port twice",
    {
      [`${c}.ports`]: [
        { containerPort: 80, name: "a" },
        { containerPort: 80, name: "b" },
      ],
    },
    "wl-duplicate-ports",
  ],
  ["killed at once", { terminationGracePeriodSeconds: 0 }, "wl-grace-period"],
  ["a database's primary past its pooler", variable("DB_HOST", "forge-db-rw.team.svc"), "lim-db-pooler-only"],
];

const may: readonly [what: string, values: Tree, passes: string][] = [
  [
    "an image pulled only where it is absent (Polaris pullPolicyNotAlways)",
    { [`${c}.imagePullPolicy`]: "IfNotPresent" },
    "A pinned tag or digest is the same image.",
  ],
  [
    "no priority (Polaris priorityClassNotSet)",
    {},
    "Priorities are the cluster's business; a stack with none is fair.",
  ],
  [
    "the addresses of all services in the environment (Kyverno disable-service-discovery)",
    { enableServiceLinks: true },
    "They are no secret, and network policies decide who is reached.",
  ],
  [
    "a Secret as environment (Kyverno disallow-secrets-from-env-vars)",
    { [`${c}.env`]: [{ name: "DB_PASSWORD", valueFrom: { secretKeyRef: { name: "db", key: "password" } } }] },
    "Many programs read it nowhere else; it is no value of the object.",
  ],
  [
    "a big volume in memory (Kyverno require-emptydir-requests-and-limits)",
    oneVolume({ emptyDir: { medium: "Memory" } }),
    "It counts against the container's limit of memory.",
  ],
];

const spec = (values: Tree) => withValues(pod, values);
const build = (kind: string, values: Tree): Tree => kinds[kind]?.(spec(values)) ?? {};

/** A pod of each kind that has no mistake: nothing is said of it. */
export const soundPods: readonly Row[] = Object.keys(kinds).map((kind) =>
  passing(`${kind} without a mistake`, build(kind, {}), "It has none."),
);

export const podRows: readonly Row[] = [
  ...Object.keys(kinds).flatMap((kind) =>
    everywhere.map(([what, values, ...expected]) => row(`${kind}: ${what}`, build(kind, values), ...expected)),
  ),
  ...once.map(([what, values, ...expected]) => row(`Deployment: ${what}`, build("Deployment", values), ...expected)),
  ...may.map(([what, values, passes]) => passing(`Deployment: ${what}`, build("Deployment", values), passes)),
];
