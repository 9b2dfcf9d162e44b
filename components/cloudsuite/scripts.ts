import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import { suiteNames } from "./suite-names.ts";

const read = /* @__NO_SIDE_EFFECTS__ */ (name: string) =>
  readFileSync(join(import.meta.dirname, "scripts", name), "utf8");

/** The scripts the suite's pods run, and what Apache reads, by file name. They are files of their own, so that they are linted and tested as what they are. */
export const scripts = {
  "prepare.sh": read("prepare.sh"),
  "finish-start.sh": read("finish-start.sh"),
  "configure.sh": read("configure.sh"),
  "apache.conf": read("apache.conf"),
  "trust.sh": read("trust.sh"),
  "copy-configuration.sh": read("copy-configuration.sh"),
  "without-secrets.php": read("without-secrets.php"),
  "check-version.php": read("check-version.php"),
  "check-database.php": read("check-database.php"),
  "database-state.php": read("database-state.php"),
  "fill-in.php": read("fill-in.php"),
  "ready.php": read("ready.php"),
} as const;

/** Those that only a suite has whose database comes from a cluster that is gone. */
export const restoringScripts = { "restore-configuration.sh": read("restore-configuration.sh") } as const;

/** What Apache reads in a suite with apps that come as an image. */
export const imageAppsScripts = { "image-apps.conf": read("image-apps.conf") } as const;

/** Those that only a suite has whose people sign on with a provider. */
export const signOnScripts = {
  "sign-on.sh": read("sign-on.sh"),
  "disable-blocked-users.php": read("disable-blocked-users.php"),
} as const;

/** Those that only a suite has whose settings name push or previews. */
export const servedAppsScripts = { "push-and-previews.sh": read("push-and-previews.sh") } as const;

/** Where the pods find the scripts. */
export const scriptsPath = "/hearth";

/** The scripts in a pod. */
export const scriptsVolume = {
  name: "scripts",
  configMap: { name: suiteNames.scripts, defaultMode: 0o555 },
} as const satisfies Volume;

/** The scripts alone. */
export const scriptsMount: VolumeMount = { name: scriptsVolume.name, mountPath: scriptsPath, readOnly: true };
