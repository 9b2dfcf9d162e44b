import type { FoundCluster } from "@hearth-platform/cli/init/found-cluster";
import type { Seen } from "@hearth-platform/cli/prerequisites/steps";
import type { Workload } from "@hearth-platform/stack/live/preflight/operators";
import type { StorageClass } from "kubernetes-types/storage/v1.d.ts";

const localPath: StorageClass = {
  metadata: { name: "local-path", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: "rancher.io/local-path",
};

/** One node of K3s as it comes, as init finds it. */
export const freshK3s: FoundCluster = {
  context: "default",
  identity: "0b1b7e0d-9d6e-4d5c-8a86-6f6c3f0f0d11",
  nodes: 1,
  classes: [localPath],
  issuers: [],
  gatewayClasses: [],
  secretStores: [],
  hasTraefik: true,
  hasMonitoring: false,
};

/** The same, as prerequisites sees it: its own Traefik and one class of volumes. */
export function k3sAsSeen(more: Partial<Seen> = {}): Seen {
  return {
    quick: {
      identity: freshK3s.identity,
      served: new Set(["helm.cattle.io/v1/HelmChartConfig", "traefik.io/v1alpha1/IngressRoute"]),
      classes: [localPath],
      objects: new Map(["letsencrypt", "letsencrypt-prod"].map((name) => [`ClusterIssuer/${name}`, "absent"])),
    },
    workloads: [
      deployment("kube-system", "traefik", "rancher/mirrored-library-traefik:3.5.3", [
        "--entryPoints.web.address=:8000/tcp",
        "--entryPoints.websecure.address=:8443/tcp",
        "--providers.kubernetescrd",
      ]),
    ],
    configMaps: [],
    ...more,
  };
}

/** A Deployment with one ready pod of an image. */
export function deployment(namespace: string, name: string, image: string, args: string[] = []): Workload {
  const spec = { selector: {}, template: { spec: { containers: [{ name, image, args }] } } };
  return { metadata: { namespace, name }, spec, status: { readyReplicas: 1 } };
}
