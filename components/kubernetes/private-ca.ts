import type { EnvVar, Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import type { ResolvedStorePlatform } from "../core/platform-schema.ts";

/** What decides on a private authority. */
interface Trusting {
  readonly platform: Pick<ResolvedStorePlatform, "privateCa">;
}

const privateVolume = "private-ca";
const privatePath = "/private-ca";

/** Where containers find the private authority. */
export function privateFile(args: Trusting): string | undefined {
  const { privateCa } = args.platform;
  return privateCa && `${privatePath}/${privateCa.key}`;
}

/** The private authority as a volume; none without one. */
export function authorityVolumes(args: Trusting): Volume[] {
  const { privateCa } = args.platform;
  return privateCa ? [{ name: privateVolume, configMap: { name: privateCa.configMap, defaultMode: 0o444 } }] : [];
}

/** Mount of the private authority. */
export function authorityMounts(args: Trusting): VolumeMount[] {
  return args.platform.privateCa ? [{ name: privateVolume, mountPath: privatePath, readOnly: true }] : [];
}

/** The private authority as one file in `folder`, beside the image's own files. */
export function authorityFileMount(args: Trusting, folder: string): VolumeMount[] {
  const { privateCa } = args.platform;
  if (!privateCa) return [];
  const mountPath = `${folder}/private-ca.crt`;
  return [{ name: privateVolume, mountPath, subPath: privateCa.key, readOnly: true }];
}

/** How Node takes the private authority beside the public ones. */
export function nodeEnvironment(args: Trusting): EnvVar[] {
  const file = privateFile(args);
  return file ? [{ name: "NODE_EXTRA_CA_CERTS", value: file }] : [];
}
