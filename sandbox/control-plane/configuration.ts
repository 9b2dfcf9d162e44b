import { join } from "node:path";
import { stringify } from "yaml";
import type { SandboxPaths } from "../paths.ts";
import type { Ports } from "../ports.ts";
import type { Programs } from "../programs/programs.ts";

/** Name of the cluster for kwokctl. */
export const clusterName = "hearth";

/** The files of the control plane, all below `SandboxPaths.controlPlane`. */
export interface ControlPlanePaths {
  /** kwokctl's work folder. */
  readonly workdir: string;
  /** The configuration given to kwokctl. */
  readonly configuration: string;
  /** The folder kwokctl keeps for the cluster; it deletes it when a creation fails, so no data may lie in it. */
  readonly cluster: string;
  /** The cluster's state, as kwokctl saves it: its presence says that the cluster was created. */
  readonly state: string;
  /** etcd's data. */
  readonly data: string;
  /** What `kubectl logs` shows for every container. */
  readonly containerLog: string;
}

export function controlPlanePaths(paths: SandboxPaths): ControlPlanePaths {
  const cluster = join(paths.controlPlane, "clusters", clusterName);
  return {
    workdir: paths.controlPlane,
    configuration: join(paths.controlPlane, "configuration.yaml"),
    cluster,
    state: join(cluster, "kwok.yaml"),
    data: join(paths.folder, "etcd"),
    containerLog: join(paths.controlPlane, "container.log"),
  };
}

/** There is one of each, which after a restart would wait 15 s for the lease of the one before. */
const noElection = { key: "leader-elect", value: "false" };

/**
 * kwokctl's configuration file: one multi-document YAML text.
 * Fields: https://kwok.sigs.k8s.io/docs/generated/apis/ (KwokctlConfiguration, ClusterLogs).
 */
export function controlPlaneConfiguration(paths: ControlPlanePaths, ports: Ports, programs: Programs): string {
  const cluster = {
    apiVersion: "config.kwok.x-k8s.io/v1alpha1",
    kind: "KwokctlConfiguration",
    options: {
      runtime: "binary",
      // The default is 0.0.0.0, for the unauthenticated etcd too.
      bindAddress: "127.0.0.1",
      securePort: true,
      kubeAuthorization: true,
      // Kubernetes' default plugins, PodSecurity and ValidatingAdmissionPolicy among them.
      kubeAdmission: true,
      // Stages come as objects through the API server, so that those of custom resources can follow their definitions.
      enableCRDs: ["Stage"],
      disableQPSLimits: true,
      quietPull: true,
      etcdPort: ports.etcd,
      etcdPeerPort: ports["etcd-peer"],
      kubeApiserverPort: ports["kube-apiserver"],
      kubeControllerManagerPort: ports["kube-controller-manager"],
      kubeSchedulerPort: ports["kube-scheduler"],
      kwokControllerPort: ports["kwok-controller"],
      etcdBinary: programs.kube,
      kubeApiserverBinary: programs.kube,
      kubeControllerManagerBinary: programs.kube,
      kubeSchedulerBinary: programs.kube,
      kwokControllerBinary: programs.kwok,
      kubectlBinary: programs.kubectl,
    },
    componentsPatches: [
      { name: "etcd", extraArgs: [{ key: "data-dir", value: paths.data, override: true }] },
      {
        name: "kube-apiserver",
        extraArgs: [
          { key: "service-cluster-ip-range", value: "10.96.0.0/16" },
          { key: "kubelet-preferred-address-types", value: "InternalIP" },
        ],
        // The operators' many definitions fill 300 MB. Go would let the heap double; a limit on it had the collector run all the time.
        // With 200, as in the tests, a quarter of its work is saved for 300 MB more.
        extraEnvs: [{ name: "GOGC", value: process.env.GOGC ?? "60" }],
      },
      {
        name: "kube-controller-manager",
        extraArgs: [
          // A claim waits for its volume this long instead of 15 s.
          { key: "pvclaimbinder-sync-period", value: "1s" },
          noElection,
        ],
      },
      { name: "kube-scheduler", extraArgs: [noElection] },
      {
        name: "kwok-controller",
        extraArgs: [
          // The address every node claims, so that `kubectl logs` reaches KWOK here and never a made-up address or name.
          { key: "node-ip", value: "127.0.0.1", override: true },
          // No leases: a KWOK started anew would wait for those of the one before. Stages report nodes alive.
          { key: "node-lease-duration-seconds", value: "0", override: true },
        ],
      },
    ],
  };
  const logs = {
    apiVersion: "kwok.x-k8s.io/v1alpha1",
    kind: "ClusterLogs",
    metadata: { name: "simulated" },
    spec: { logs: [{ logsFile: paths.containerLog }] },
  };
  return [cluster, logs].map((document) => stringify(document)).join("---\n");
}
