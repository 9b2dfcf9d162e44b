import type { Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import type { ContainerRequest } from "../kubernetes/pod.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import type { ResolvedForge } from "./defaults.ts";
import { images } from "./images.ts";

/**
 * A private certificate authority beside the public ones: the images read their bundle from two folders, which an image of the
 * forge's fills anew. Nothing without one. (gitlab chart, templates/_certificates.tpl)
 */

const folders = { "etc-ssl-certs": "/etc/ssl/certs", "etc-pki-trust": "/etc/pki/ca-trust/extracted/pem" } as const;
const authority = "private-ca";

/** Volumes of the authority and the bundle. */
export function trustVolumes({ platform: { privateCa } }: ResolvedForge): Volume[] {
  if (!privateCa) return [];
  const { key } = privateCa;
  return [
    ...Object.keys(folders).map((name) => ({ name, emptyDir: {} })),
    // The image takes only files whose names end in .crt.
    {
      name: authority,
      configMap: { name: privateCa.configMap, defaultMode: 0o444, items: [{ key, path: "private-ca.crt" }] },
    },
  ];
}

/** Mounts of the bundle in every container. */
export function trustMounts({ platform: { privateCa } }: ResolvedForge): VolumeMount[] {
  return privateCa ? Object.entries(folders).map(([name, mountPath]) => ({ name, mountPath, readOnly: true })) : [];
}

/** The container that makes the bundle. */
export function trustInitContainers(args: ResolvedForge): ContainerRequest[] {
  if (!args.platform.privateCa) return [];
  return [
    {
      name: "certificates",
      image: images(args).certificates,
      exception: "forge",
      resources: resourceRequirements({
        requests: { cpu: "50m", memory: "64Mi" },
        limits: { cpu: "500m", memory: "128Mi" },
      }),
      volumeMounts: [
        ...Object.entries(folders).map(([name, mountPath]) => ({ name, mountPath })),
        { name: authority, mountPath: "/usr/local/share/ca-certificates", readOnly: true },
      ],
    },
  ];
}
