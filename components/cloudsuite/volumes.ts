import type { PersistentVolumeClaim, Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { canonicalQuantity } from "../core/quantities.ts";
import { hasManyWriters } from "../limits/sets.ts";
import { appSwitchVariables } from "./apps/registry.ts";
import { configurationFiles, phpFiles } from "./configuration.ts";
import { suiteMetadata } from "./metadata.ts";
import type { ResolvedSuite } from "./schema.ts";
import { furtherScripts, restoringScripts, scripts, scriptsMount, scriptsVolume, signOnScripts } from "./scripts.ts";
import { suiteNames } from "./suite-names.ts";

/** Where the image expects the suite. */
export const suitePath = "/var/www/html";

const configurationVolume = "configuration";
const scratchVolume = "scratch";

/** The web volume in a pod. */
export const suiteVolume = {
  name: "suite",
  persistentVolumeClaim: { claimName: suiteNames.volume },
} as const satisfies Volume;

/** Whether several nodes may mount the web volume at once. */
export function isShared(args: ResolvedSuite): boolean {
  return hasManyWriters(args.storage.storageClass, args.platform.limits) === true;
}

/** The volume of the program, its configuration and its apps. Its config.php has the keys to the data, so losing it loses the suite. */
export function volumeClaim(args: ResolvedSuite): PlannedObject {
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      ...suiteMetadata(args, suiteNames.web, suiteNames.volume),
      // A class that binds on first use binds with the pod, which comes later.
      annotations: { "pulumi.com/skipAwait": "true" },
    },
    spec: {
      accessModes: [isShared(args) ? "ReadWriteMany" : "ReadWriteOnce"],
      storageClassName: args.storage.storageClass,
      resources: { requests: { storage: canonicalQuantity(args.storage.webSize) } },
    },
  } satisfies PersistentVolumeClaim;
  return { object: claim, holdsData: true };
}

/** ConfigMaps of the configuration files and of the scripts. */
export function configMaps(args: ResolvedSuite): PlannedObject[] {
  const configMap = (name: string, data: Record<string, string>) => ({
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: suiteMetadata(args, suiteNames.web, name), data },
  });
  return [
    configMap(suiteNames.configuration, { ...configurationFiles(args), ...phpFiles(args) }),
    configMap(suiteNames.scripts, scriptsOf(args)),
  ];
}

/** Content of the ConfigMaps that pods read at their start: a change of it rolls them. */
export function podConfiguration(args: ResolvedSuite): Record<string, string> {
  return { ...configurationFiles(args), ...phpFiles(args), ...scriptsOf(args) };
}

/** Whether the suite comes back on a new volume: its database is recovered, and the former cluster is not here. */
export function isRestored({ recover }: ResolvedSuite): boolean {
  return recover?.keepSource === false;
}

function scriptsOf(args: ResolvedSuite): Record<string, string> {
  return {
    ...scripts,
    ...(isRestored(args) && restoringScripts),
    ...(args.signOn && signOnScripts),
    ...(appSwitchVariables(args).length > 0 && furtherScripts),
  };
}

/** Volumes of every pod that runs the suite's PHP. */
export function suiteVolumes(): Volume[] {
  return [
    suiteVolume,
    { name: configurationVolume, configMap: { name: suiteNames.configuration, defaultMode: 0o444 } },
    scriptsVolume,
    { name: scratchVolume, emptyDir: {} },
  ];
}

/** Mounts of every container that runs the suite's PHP: the same files in the same places, or a job works on other data than the web. */
export function suiteMounts(args: ResolvedSuite): VolumeMount[] {
  const file = (name: string, directory: string): VolumeMount => ({
    name: configurationVolume,
    mountPath: `${directory}/${name}`,
    subPath: name,
    readOnly: true,
  });
  return [
    { name: suiteVolume.name, mountPath: suitePath, subPath: "html" },
    ...Object.keys(configurationFiles(args)).map((name) => file(name, `${suitePath}/config`)),
    ...Object.keys(phpFiles(args)).map((name) => file(name, "/usr/local/etc/php/conf.d")),
    scriptsMount,
    scratch("/tmp", "tmp"),
  ];
}

/** Mounts of the web container beside `suiteMounts`: the hook before Apache, the last file of Apache's configuration, and what Apache writes below a root that is read-only. */
export const webMounts: readonly VolumeMount[] = [
  {
    name: scriptsVolume.name,
    mountPath: "/docker-entrypoint-hooks.d/before-starting/finish-start.sh",
    subPath: "finish-start.sh",
    readOnly: true,
  },
  {
    name: scriptsVolume.name,
    mountPath: "/etc/apache2/conf-enabled/hearth.conf",
    subPath: "apache.conf",
    readOnly: true,
  },
  scratch("/run/apache2", "run"),
  scratch("/run/lock/apache2", "lock"),
];

/** Mounts of the container that prepares the volume: all of it, since the kubelet would make its directories as root. */
export const prepareMounts: readonly VolumeMount[] = [{ name: suiteVolume.name, mountPath: "/volume" }];

/** A folder of the pod's own that it may write into. */
export function scratch(mountPath: string, subPath: string): VolumeMount {
  return { name: scratchVolume, mountPath, subPath };
}
