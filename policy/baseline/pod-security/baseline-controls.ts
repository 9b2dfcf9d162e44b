import { at, containersOf, inUserNamespace, items, securityContexts } from "./pod.ts";
import type { Control, PodSecurityFinding } from "./pod-security.ts";

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
      ...Object.entries(at(pod, "metadata", "annotations") ?? {})
        .filter(([name, value]) => name.startsWith(appArmorAnnotation) && !allowedAnnotation(value))
        .map(() => ({
          path: `metadata.annotations[${appArmorAnnotation}*]`,
          rule: "must be runtime/default, localhost/* or absent",
        })),
    ],
  },
  capabilities_baseline: {
    check: (pod) => addedCapabilities(pod, defaultCapabilities, "must add none beyond the default ones"),
  },
  hostNamespaces: {
    check: (pod) =>
      ["hostNetwork", "hostPID", "hostIPC"]
        .filter((name) => isSet(at(pod, "spec", name)))
        .map((name) => ({ path: `spec.${name}`, rule: "must be false or absent" })),
  },
  hostPathVolumes: {
    check: (pod) =>
      items(at(pod, "spec", "volumes")).flatMap((volume, index) =>
        at(volume, "hostPath") === undefined
          ? []
          : [{ path: `spec.volumes[${index}].hostPath`, rule: "must be absent" }],
      ),
  },
  hostPorts: {
    check: (pod) =>
      containersOf(pod).flatMap(({ path, container }) =>
        items(at(container, "ports")).flatMap((port, index) =>
          (at(port, "hostPort") ?? 0) === 0
            ? []
            : [{ path: `${path}.ports[${index}].hostPort`, rule: "must be 0 or absent" }],
        ),
      ),
  },
  hostProbesAndHostLifecycle: {
    check: (pod) =>
      containersOf(pod).flatMap(({ path, container }) =>
        handlers.flatMap((handler) =>
          ["httpGet", "tcpSocket"]
            .filter((action) => !isEmpty(at(container, ...handler, action, "host")))
            .map((action) => ({ path: `${path}.${handler.join(".")}.${action}.host`, rule: "must be absent" })),
        ),
      ),
  },
  privileged: {
    check: (pod) =>
      containersOf(pod)
        .filter(({ container }) => isSet(at(container, "securityContext", "privileged")))
        .map(({ path }) => ({ path: `${path}.securityContext.privileged`, rule: "must be false or absent" })),
  },
  procMount: {
    check: (pod) => (inUserNamespace(pod) ? [] : unmaskedProc(pod)),
  },
  seLinuxOptions: {
    check: (pod) =>
      securityContexts(pod).flatMap(({ path, context }) => {
        const options = `${path}.seLinuxOptions`;
        const type = at(context, "seLinuxOptions", "type") ?? "";
        return [
          ...(seLinuxTypes.has(type)
            ? []
            : [{ path: `${options}.type`, rule: "must be one of the container types or absent" }]),
          ...["user", "role"]
            .filter((name) => !isEmpty(at(context, "seLinuxOptions", name)))
            .map((name) => ({ path: `${options}.${name}`, rule: "must be absent" })),
        ];
      }),
  },
  seccompProfile_baseline: {
    check: (pod) => unconfined(pod, "seccompProfile"),
  },
  sysctls: {
    check: (pod) =>
      items(at(pod, "spec", "securityContext", "sysctls")).flatMap((sysctl, index) =>
        safeSysctls.has(at(sysctl, "name"))
          ? []
          : [{ path: `spec.securityContext.sysctls[${index}].name`, rule: "must be a setting of the pod alone" }],
      ),
  },
  windowsHostProcess: {
    check: (pod) =>
      securityContexts(pod)
        .filter(({ context }) => isSet(at(context, "windowsOptions", "hostProcess")))
        .map(({ path }) => ({ path: `${path}.windowsOptions.hostProcess`, rule: "must be false or absent" })),
  },
} as const satisfies Record<string, Control>;

/** Containers that add other capabilities than `allowed`. */
export function addedCapabilities(pod: unknown, allowed: ReadonlySet<unknown>, rule: string): PodSecurityFinding[] {
  return containersOf(pod)
    .filter(({ container }) =>
      items(at(container, "securityContext", "capabilities", "add")).some((name) => !allowed.has(name)),
    )
    .map(({ path }) => ({ path: `${path}.securityContext.capabilities.add`, rule }));
}

/** Containers that see more of /proc than the default. */
export function unmaskedProc(pod: unknown): PodSecurityFinding[] {
  return containersOf(pod)
    .filter(({ container }) => (at(container, "securityContext", "procMount") ?? "Default") !== "Default")
    .map(({ path }) => ({ path: `${path}.securityContext.procMount`, rule: "must be Default or absent" }));
}

/** Whether a profile (seccomp, AppArmor) is one that keeps the process confined. */
export function isConfined(profile: unknown): boolean {
  const type = at(profile, "type");
  return type === "RuntimeDefault" || type === "Localhost";
}

function unconfined(pod: unknown, field: string): PodSecurityFinding[] {
  return securityContexts(pod)
    .filter(({ context }) => at(context, field) !== undefined && !isConfined(at(context, field)))
    .map(({ path }) => ({ path: `${path}.${field}.type`, rule: "must be RuntimeDefault or Localhost" }));
}

function allowedAnnotation(value: unknown): boolean {
  return typeof value === "string" && (value === "" || value === "runtime/default" || value.startsWith("localhost/"));
}

function isSet(flag: unknown): boolean {
  return (flag ?? false) !== false;
}

function isEmpty(text: unknown): boolean {
  return (text ?? "") === "";
}
