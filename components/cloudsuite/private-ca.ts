import type { EnvVar, Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import { privateCa as privateCaSchema } from "../core/platform-schema.ts";
import { defaultOf } from "../core/schema.ts";
import type { CloudSuiteArgs } from "./args.ts";

const privateVolume = "private-ca";
const privatePath = "/private-ca";

/** Where containers find the private authority. */
export function privateFile(args: CloudSuiteArgs): string | undefined {
  return (
    args.platform.privateCa && `${privatePath}/${args.platform.privateCa.key ?? defaultOf(privateCaSchema.shape.key)}`
  );
}

/** The private authority as a volume; none without one. */
export function authorityVolumes(args: CloudSuiteArgs): Volume[] {
  const { privateCa } = args.platform;
  return privateCa ? [{ name: privateVolume, configMap: { name: privateCa.configMap, defaultMode: 0o444 } }] : [];
}

/** Mount of the private authority. */
export function authorityMounts(args: CloudSuiteArgs): VolumeMount[] {
  return args.platform.privateCa ? [{ name: privateVolume, mountPath: privatePath, readOnly: true }] : [];
}

/** The private authority as one file in `folder`, beside the image's own files. */
export function authorityFileMount(args: CloudSuiteArgs, folder: string): VolumeMount[] {
  const { privateCa } = args.platform;
  if (!privateCa) return [];
  const subPath = privateCa.key ?? defaultOf(privateCaSchema.shape.key);
  return [{ name: privateVolume, mountPath: `${folder}/private-ca.crt`, subPath, readOnly: true }];
}

/** How Node takes the private authority beside the public ones. */
export function nodeEnvironment(args: CloudSuiteArgs): EnvVar[] {
  const file = privateFile(args);
  return file ? [{ name: "NODE_EXTRA_CA_CERTS", value: file }] : [];
}
