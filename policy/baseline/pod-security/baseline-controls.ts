import type { Field } from "../../core/field.ts";
import { type Violation, violation } from "../../core/policy.ts";
import type { Control } from "./control.ts";
import { containersOf, inUserNamespace, securityContexts } from "./pod.ts";

/** Capabilities a container has anyway unless they are dropped. */
const defaultCapabilities = new Set<unknown>([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

/** Kernel settings that belong to the pod alone. */
const safeSysctls = new Set<unknown>([
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.ping_group_range",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.tcp_wmem",
]);

const seLinuxTypes = new Set<unknown>(["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"]);

const appArmorAnnotation = "container.apparmor.security.beta.kubernetes.io/";

/** Handlers of a container that can name a host: the kubelet would connect to it from the node. */
const handlers = [
  ["livenessProbe"],
  ["readinessProbe"],
  ["startupProbe"],
  ["lifecycle", "postStart"],
  ["lifecycle", "preStop"],
];

/** Controls of the baseline level, by the names Kubernetes gives them. */
export const baselineControls = {
  appArmorProfile: {
    check: (pod) => [
      ...unconfined(pod, "appArmorProfile"),
      ...pod
        .get("metadata", "annotations")
        .entries.filter(([name, { value }]) => name.startsWith(appArmorAnnotation) && !allowedAnnotation(value))
        .map(([, field]) => violation(field, "It must be runtime/default, localhost/* or absent.")),
    ],
  },
  capabilities_baseline: {
    check: (pod) => addedCapabilities(pod, defaultCapabilities, "It must contain only default capabilities."),
  },
  hostNamespaces: {
    check: (pod) => set(["hostNetwork", "hostPID", "hostIPC"].map((name) => pod.get("spec", name))),
  },
  hostPathVolumes: {
    check: (pod) =>
      pod
        .get("spec", "volumes")
        .items.map((volume) => volume.get("hostPath"))
        .filter(({ exists }) => exists)
        .map((field) => violation(field, "A pod must not mount a folder of its node.")),
  },
  hostPorts: {
    check: (pod) =>
      containersOf(pod)
        .flatMap((container) => container.get("ports").items)
        .map((port) => port.get("hostPort"))
        .filter(({ value }) => (value ?? 0) !== 0)
        .map((field) => violation(field, "It must be 0 or absent.")),
  },
  hostProbesAndHostLifecycle: {
    check: (pod) =>
      containersOf(pod)
        .flatMap((container) => handlers.map((handler) => container.get(...handler)))
        .flatMap((handler) => [handler.get("httpGet", "host"), handler.get("tcpSocket", "host")])
        .filter(({ value }) => (value ?? "") !== "")
        .map((field) => violation(field, "It must be absent: by default the kubelet connects to the pod.")),
  },
  privileged: {
    check: (pod) => set(containersOf(pod).map((container) => container.get("securityContext", "privileged"))),
  },
  procMount: {
    check: (pod) => (inUserNamespace(pod) ? [] : unmaskedProc(pod)),
  },
  seLinuxOptions: {
    check: (pod) =>
      securityContexts(pod).flatMap((context) => {
        const options = context.get("seLinuxOptions");
        const type = options.get("type");
        return [
          ...(seLinuxTypes.has(type.value ?? "")
            ? []
            : [violation(type, "It must be a type of containers, or absent.")]),
          ...[options.get("user"), options.get("role")]
            .filter(({ value }) => (value ?? "") !== "")
            .map((field) => violation(field, "It must be absent.")),
        ];
      }),
  },
  seccompProfile_baseline: {
    check: (pod) => unconfined(pod, "seccompProfile"),
  },
  sysctls: {
    check: (pod) =>
      pod
        .get("spec", "securityContext", "sysctls")
        .items.map((sysctl) => sysctl.get("name"))
        .filter(({ value }) => !safeSysctls.has(value))
        .map((field) => violation(field, "It must be a setting that affects only the pod.")),
  },
  windowsHostProcess: {
    check: (pod) => set(securityContexts(pod).map((context) => context.get("windowsOptions", "hostProcess"))),
  },
} as const satisfies Record<string, Control>;

/** Containers that add other capabilities than `allowed`. */
export function addedCapabilities(pod: Field, allowed: ReadonlySet<unknown>, message: string): Violation[] {
  return containersOf(pod)
    .map((container) => container.get("securityContext", "capabilities", "add"))
    .filter(({ items }) => items.some(({ value }) => !allowed.has(value)))
    .map((field) => violation(field, message));
}

/** Containers that see more of /proc than the default. */
export function unmaskedProc(pod: Field): Violation[] {
  return containersOf(pod)
    .map((container) => container.get("securityContext", "procMount"))
    .filter(({ value }) => (value ?? "Default") !== "Default")
    .map((field) => violation(field, "It must be Default or absent."));
}

/** Whether a profile (seccomp, AppArmor) is one that keeps the process confined. */
export function isConfined(profile: Field): boolean {
  const { value } = profile.get("type");
  return value === "RuntimeDefault" || value === "Localhost";
}

function unconfined(pod: Field, name: string): Violation[] {
  return securityContexts(pod)
    .map((context) => context.get(name))
    .filter((profile) => profile.exists && !isConfined(profile))
    .map((profile) => violation(profile.get("type"), "It must be RuntimeDefault or Localhost."));
}

function set(flags: readonly Field[]): Violation[] {
  return flags
    .filter(({ value }) => (value ?? false) !== false)
    .map((field) => violation(field, "It must be false or absent."));
}

function allowedAnnotation(value: unknown): boolean {
  return typeof value === "string" && (value === "" || value === "runtime/default" || value.startsWith("localhost/"));
}
