import type { Container, Pod, PodSpec, SecurityContext, Volume } from "kubernetes-types/core/v1.d.ts";

/** Pods for each control of the Pod Security Standards, with what each level says to them. */
export interface PodSecurityCase {
  /** Unique, and a DNS label: the pod's name. */
  readonly name: string;
  readonly pod: Pod;
  /** Controls that refuse the pod at the baseline level; none: admitted. */
  readonly baseline: readonly string[];
  /** Controls that refuse it at the restricted level. */
  readonly restricted: readonly string[];
}

/** A case without its pod. */
type Verdict = Pick<PodSecurityCase, "baseline" | "restricted">;

const good: Verdict = { baseline: [], restricted: [] };
/** Refused by both levels, by one control. */
const bad = (control: string): Verdict => ({ baseline: [control], restricted: [control] });
/** Refused by the restricted level alone. */
const unrestricted = (...controls: string[]): Verdict => ({ baseline: [], restricted: controls });
/** Refused by both, whose controls of it have different names. */
const badAs = (baseline: string, ...restricted: string[]): Verdict => ({ baseline: [baseline], restricted });

function container(name: string): Container {
  return {
    name,
    image: "registry.k8s.io/pause",
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
  };
}

/** A pod that both levels admit: an init container, a sidecar and a container. */
function restrictedPod(): Pod & { spec: PodSpec; metadata: { annotations?: Record<string, string> } } {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {},
    spec: {
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      initContainers: [container("setup"), { ...container("sidecar"), restartPolicy: "Always" }],
      containers: [container("app")],
    },
  };
}

/** A pod of Windows, which knows neither escalation nor capabilities nor seccomp. */
function windowsPod(): Pod & { spec: PodSpec } {
  const plain = { name: "app", image: "registry.k8s.io/pause" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {},
    spec: { os: { name: "windows" }, securityContext: { runAsNonRoot: true }, containers: [plain] },
  };
}

const lists = { setup: "initContainers", sidecar: "initContainers", app: "containers" } as const;
type ContainerName = keyof typeof lists;

const cases: PodSecurityCase[] = [];

function add(name: string, verdict: Verdict, edit: (pod: ReturnType<typeof restrictedPod>) => void): void {
  const pod = restrictedPod();
  edit(pod);
  cases.push({ name, pod: { ...pod, metadata: { ...pod.metadata, name } }, ...verdict });
}

/** A case for each of the containers given. */
function addOn(
  containers: readonly ContainerName[],
  name: string,
  verdict: Verdict,
  edit: (container: Container & { securityContext: SecurityContext }, pod: ReturnType<typeof restrictedPod>) => void,
): void {
  for (const on of containers)
    add(`${name}-${on}`, verdict, (pod) => {
      const found = pod.spec[lists[on]]?.find((each) => each.name === on);
      edit(found as Container & { securityContext: SecurityContext }, pod);
    });
}

const all: readonly ContainerName[] = ["setup", "sidecar", "app"];

/** The same fields in the pod's security context, and in each container's. */
function addContexts(name: string, verdict: Verdict, context: SecurityContext): void {
  addOn(all, name, verdict, (each) => Object.assign(each.securityContext, context));
  add(`${name}-pod`, verdict, ({ spec }) => Object.assign(spec.securityContext ?? {}, context));
}

add("as-it-is", good, () => {});

// allowPrivilegeEscalation
addOn(all, "escalation-allowed", unrestricted("allowPrivilegeEscalation"), ({ securityContext }) => {
  securityContext.allowPrivilegeEscalation = true;
});
addOn(all, "escalation-absent", unrestricted("allowPrivilegeEscalation"), ({ securityContext }) => {
  delete securityContext.allowPrivilegeEscalation;
});
addOn(all, "context-absent", unrestricted("allowPrivilegeEscalation", "capabilities_restricted"), (each) => {
  delete (each as Container).securityContext;
});

// appArmorProfile
for (const type of ["RuntimeDefault", "Localhost", "Unconfined"]) {
  const appArmorProfile = { type, ...(type === "Localhost" && { localhostProfile: "tight" }) };
  const verdict = type === "Unconfined" ? bad("appArmorProfile") : good;
  addContexts(`apparmor-${type.toLowerCase()}`, verdict, { appArmorProfile });
}
for (const [name, value, verdict] of [
  ["default", "runtime/default", good],
  ["localhost", "localhost/tight", good],
  ["unconfined", "unconfined", bad("appArmorProfile")],
] as const)
  for (const on of all)
    add(`apparmor-annotation-${name}-${on}`, verdict, ({ metadata }) => {
      metadata.annotations = { [`container.apparmor.security.beta.kubernetes.io/${on}`]: value };
    });

// capabilities
const defaultCapabilities =
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split(" ");
addOn(all, "capability-bind", good, ({ securityContext }) => {
  securityContext.capabilities = { drop: ["ALL"], add: ["NET_BIND_SERVICE"] };
});
addOn(all, "capabilities-default", unrestricted("capabilities_restricted"), ({ securityContext }) => {
  securityContext.capabilities = { drop: ["ALL"], add: defaultCapabilities };
});
for (const name of ["NET_RAW", "SYS_ADMIN", "chown", "CAP_CHOWN"])
  addOn(
    ["app"],
    `capability-${name.toLowerCase().replace("_", "-")}`,
    badAs("capabilities_baseline", "capabilities_restricted"),
    ({ securityContext }) => {
      securityContext.capabilities = { drop: ["ALL"], add: ["NET_BIND_SERVICE", name] };
    },
  );
addOn(all, "capability-all", badAs("capabilities_baseline", "capabilities_restricted"), ({ securityContext }) => {
  securityContext.capabilities = { drop: ["ALL"], add: ["ALL"] };
});
addOn(all, "drop-absent", unrestricted("capabilities_restricted"), ({ securityContext }) => {
  securityContext.capabilities = {};
});
addOn(all, "drop-lower-case", unrestricted("capabilities_restricted"), ({ securityContext }) => {
  securityContext.capabilities = { drop: ["all", "NET_RAW"] };
});
addOn(all, "drop-more", good, ({ securityContext }) => {
  securityContext.capabilities = { drop: ["NET_RAW", "ALL"], add: [] };
});

// hostNamespaces
for (const name of ["hostNetwork", "hostPID", "hostIPC"] as const) {
  add(`${name.toLowerCase()}-true`, bad("hostNamespaces"), ({ spec }) => {
    spec[name] = true;
  });
  add(`${name.toLowerCase()}-false`, good, ({ spec }) => {
    spec[name] = false;
  });
}

// hostPathVolumes, restrictedVolumes
const goodVolumes: readonly Omit<Volume, "name">[] = [
  {},
  { emptyDir: {} },
  { configMap: { name: "some" } },
  { secret: { secretName: "some" } },
  { csi: { driver: "csi.example.org" } },
  { downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } },
  { persistentVolumeClaim: { claimName: "some" } },
  { projected: { sources: [] } },
  { image: { reference: "registry.k8s.io/pause" } } as Omit<Volume, "name">,
  {
    ephemeral: {
      volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
    },
  },
];
goodVolumes.forEach((volume, index) => {
  const [type = "none"] = Object.keys(volume);
  add(`volume-${index}-${type.toLowerCase()}`, good, ({ spec }) => {
    spec.volumes = [{ name: "some", ...volume }];
  });
});
const badVolumes: readonly Omit<Volume, "name">[] = [
  { gcePersistentDisk: { pdName: "some" } },
  { awsElasticBlockStore: { volumeID: "some" } },
  { nfs: { server: "nfs.example.org", path: "/" } },
  { iscsi: { targetPortal: "192.0.2.1", iqn: "iqn.2001-04.com.example:storage.x", lun: 0 } },
  { glusterfs: { endpoints: "some", path: "some" } },
  { rbd: { monitors: ["192.0.2.1"], image: "some" } },
  { flexVolume: { driver: "example.org/driver" } },
  { cinder: { volumeID: "some" } },
  { cephfs: { monitors: ["192.0.2.1"] } },
  { flocker: { datasetName: "some" } },
  { fc: { targetWWNs: ["some"], lun: 0 } },
  { azureFile: { secretName: "some", shareName: "some" } },
  { vsphereVolume: { volumePath: "some" } },
  { quobyte: { registry: "quobyte.example.org:7861", volume: "some" } },
  { azureDisk: { diskName: "some", diskURI: "https://blob.example.org/vhds/some.vhd", kind: "Dedicated" } },
  { portworxVolume: { volumeID: "some" } },
  { photonPersistentDisk: { pdID: "some" } },
  { scaleIO: { gateway: "https://localhost", system: "some", volumeName: "some", secretRef: { name: "some" } } },
  { storageos: { volumeName: "some" } },
];
for (const volume of badVolumes)
  add(`volume-${Object.keys(volume)[0]?.toLowerCase()}`, unrestricted("restrictedVolumes"), ({ spec }) => {
    spec.volumes = [
      { name: "first", emptyDir: {} },
      { name: "some", ...volume },
    ];
  });
add("volume-hostpath", badAs("hostPathVolumes", "restrictedVolumes"), ({ spec }) => {
  spec.volumes = [{ name: "some", hostPath: { path: "/var/log" } }];
});

// hostPorts
addOn(all, "hostport-zero", good, (each) => {
  each.ports = [{ containerPort: 8080, hostPort: 0 }];
});
addOn(all, "hostport-set", bad("hostPorts"), (each) => {
  each.ports = [{ containerPort: 8080 }, { containerPort: 8443, hostPort: 8443, protocol: "UDP" }];
});

// hostProbesAndHostLifecycle
const withHost = ["sidecar", "app"] as const;
for (const [name, host, verdict] of [
  ["empty", "", good],
  ["localhost", "localhost", bad("hostProbesAndHostLifecycle")],
  ["address", "192.0.2.1", bad("hostProbesAndHostLifecycle")],
] as const) {
  for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"] as const)
    addOn(["sidecar"], `host-${name}-${probe.toLowerCase()}`, verdict, (each) => {
      each[probe] = { tcpSocket: { host, port: 80 } };
    });
  addOn(withHost, `host-${name}-probe-http`, verdict, (each) => {
    each.readinessProbe = { httpGet: { host, port: 80, path: "/" } };
  });
  for (const event of ["postStart", "preStop"] as const)
    addOn(withHost, `host-${name}-${event.toLowerCase()}`, verdict, (each) => {
      each.lifecycle = { [event]: { httpGet: { host, port: 80, path: "/" } } };
    });
}

// privileged
addOn(all, "privileged-true", badAs("privileged", "privileged", "allowPrivilegeEscalation"), ({ securityContext }) => {
  Object.assign(securityContext, { privileged: true, allowPrivilegeEscalation: true });
});
addOn(all, "privileged-false", good, ({ securityContext }) => {
  securityContext.privileged = false;
});

// procMount, procMount_restricted: the API itself takes Unmasked in user namespaces only
addOn(all, "procmount-default", good, ({ securityContext }) => {
  securityContext.procMount = "Default";
});
addOn(all, "procmount-unmasked", unrestricted("procMount_restricted"), ({ securityContext }, { spec }) => {
  securityContext.procMount = "Unmasked";
  Object.assign(spec, { hostUsers: false });
});

// runAsNonRoot
addContexts("nonroot-false", unrestricted("runAsNonRoot"), { runAsNonRoot: false });
add("nonroot-absent", unrestricted("runAsNonRoot"), ({ spec }) => {
  delete spec.securityContext?.runAsNonRoot;
});
add("nonroot-in-containers", good, ({ spec }) => {
  delete spec.securityContext?.runAsNonRoot;
  for (const each of [...spec.containers, ...(spec.initContainers ?? [])])
    Object.assign(each.securityContext ?? {}, { runAsNonRoot: true });
});
add("nonroot-in-some-containers", unrestricted("runAsNonRoot"), ({ spec }) => {
  delete spec.securityContext?.runAsNonRoot;
  for (const each of spec.containers) Object.assign(each.securityContext ?? {}, { runAsNonRoot: true });
});
add("nonroot-user-namespace", good, ({ spec }) => {
  delete spec.securityContext?.runAsNonRoot;
  Object.assign(spec, { hostUsers: false });
});
add("nonroot-host-users", unrestricted("runAsNonRoot"), ({ spec }) => {
  delete spec.securityContext?.runAsNonRoot;
  Object.assign(spec, { hostUsers: true });
});

// runAsUser
addContexts("user-one", good, { runAsUser: 1 });
addContexts("user-root", unrestricted("runAsUser"), { runAsUser: 0 });
add("user-root-user-namespace", good, ({ spec }) => {
  Object.assign(spec, { hostUsers: false });
  Object.assign(spec.securityContext ?? {}, { runAsUser: 0 });
});

// seLinuxOptions
for (const type of ["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"])
  add(`selinux-${type.replaceAll("_", "-") || "empty"}`, good, ({ spec }) => {
    Object.assign(spec.securityContext ?? {}, { seLinuxOptions: { type, level: "s0:c1,c2" } });
  });
addContexts("selinux-type", bad("seLinuxOptions"), { seLinuxOptions: { type: "spc_t" } });
addContexts("selinux-user", bad("seLinuxOptions"), { seLinuxOptions: { user: "system_u" } });
addContexts("selinux-role", bad("seLinuxOptions"), { seLinuxOptions: { role: "system_r" } });

// seccompProfile_baseline, seccompProfile_restricted
addContexts("seccomp-unconfined", badAs("seccompProfile_baseline", "seccompProfile_restricted"), {
  seccompProfile: { type: "Unconfined" },
});
addContexts("seccomp-localhost", good, { seccompProfile: { type: "Localhost", localhostProfile: "tight.json" } });
add("seccomp-absent", unrestricted("seccompProfile_restricted"), ({ spec }) => {
  delete spec.securityContext?.seccompProfile;
});
add("seccomp-in-containers", good, ({ spec }) => {
  delete spec.securityContext?.seccompProfile;
  for (const each of [...spec.containers, ...(spec.initContainers ?? [])])
    Object.assign(each.securityContext ?? {}, { seccompProfile: { type: "RuntimeDefault" } });
});
add("seccomp-in-some-containers", unrestricted("seccompProfile_restricted"), ({ spec }) => {
  delete spec.securityContext?.seccompProfile;
  for (const each of spec.initContainers ?? [])
    Object.assign(each.securityContext ?? {}, { seccompProfile: { type: "RuntimeDefault" } });
});

// sysctls
const safeSysctls = [
  ...["ip_local_port_range", "ip_local_reserved_ports", "ip_unprivileged_port_start", "ping_group_range"],
  ...["tcp_fin_timeout", "tcp_keepalive_intvl", "tcp_keepalive_probes", "tcp_keepalive_time"],
  ...["tcp_rmem", "tcp_syncookies", "tcp_wmem"],
].map((name) => `net.ipv4.${name}`);
for (const name of ["kernel.shm_rmid_forced", ...safeSysctls])
  add(`sysctl-${name.replaceAll(/[._]/g, "-")}`, good, ({ spec }) => {
    Object.assign(spec.securityContext ?? {}, { sysctls: [{ name, value: "1" }] });
  });
for (const name of ["kernel.msgmax", "net.core.somaxconn", "net.ipv4.tcp_mem", "net.ipv4.ip_forward"])
  add(`sysctl-${name.replaceAll(/[._]/g, "-")}`, bad("sysctls"), ({ spec }) => {
    const sysctls = [
      { name: "kernel.shm_rmid_forced", value: "0" },
      { name, value: "1" },
    ];
    Object.assign(spec.securityContext ?? {}, { sysctls });
  });

// windowsHostProcess, and what Windows does without
for (const [name, hostProcess, verdict] of [
  ["absent", undefined, good],
  ["false", false, good],
  ["true", true, badAs("windowsHostProcess", "windowsHostProcess", "hostNamespaces")],
] as const)
  for (const on of ["pod", "app"] as const) {
    const pod = windowsPod();
    const context = on === "pod" ? pod.spec.securityContext : {};
    Object.assign(context ?? {}, { windowsOptions: { hostProcess } });
    if (on === "app") Object.assign(pod.spec.containers[0] ?? {}, { securityContext: context });
    if (hostProcess) pod.spec.hostNetwork = true;
    const label = `windows-hostprocess-${name}-${on}`;
    const baseline = hostProcess ? ["hostNamespaces", ...verdict.baseline] : verdict.baseline;
    cases.push({ name: label, pod: { ...pod, metadata: { name: label } }, ...verdict, baseline });
  }
{
  const pod = windowsPod();
  delete pod.spec.securityContext;
  const name = "windows-nonroot-absent";
  cases.push({ name, pod: { ...pod, metadata: { name } }, ...unrestricted("runAsNonRoot") });
}

/** A pod with nothing set at all, as most people write their first. */
cases.push({
  name: "nothing-set",
  pod: {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "nothing-set" },
    spec: { containers: [{ name: "app", image: "registry.k8s.io/pause" }] },
  },
  ...unrestricted("allowPrivilegeEscalation", "capabilities_restricted", "runAsNonRoot", "seccompProfile_restricted"),
});

export const podSecurityCases: readonly PodSecurityCase[] = cases;
