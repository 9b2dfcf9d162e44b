import { valueBelow } from "../../core/arguments.ts";
import { error, type Problem } from "../../core/problems.ts";
import type { CloudSuiteArgs } from "../args.ts";
import { suiteApps } from "./registry.ts";

/** The app of Nextcloud's that sends statistics to its makers. */
export const surveyApp = "survey_client";

/** Settings of the core that hearth gives it. */
export const coreSettings = { backgroundjobs_mode: "cron" } as const;

/** Keys that Nextcloud itself keeps of each app. */
const ofNextcloud = ["enabled", "installed_version", "types"];

/** What a suite's `apps` may not say: apps and settings that hearth has its own for. */
export function otherApps(at: string, apps: Record<string, Record<string, string>> = {}): Problem[] {
  return Object.entries(apps).flatMap(([app, settings]) => {
    const path = `${at}.${app}`;
    const owner = suiteApps.find(({ nextcloudApps, staysOn }) => !staysOn && nextcloudApps.includes(app));
    if (owner)
      return [
        error("app-managed", path, `hearth turns this app on and off with ${owner.key}.`, "Leave it out of `apps`."),
      ];
    if (app === surveyApp)
      return [
        error(
          "app-managed",
          path,
          "hearth turns this app on and off.",
          "Write `platform.privacy.suiteSurvey` instead.",
        ),
      ];
    if (!/^[a-z][a-z0-9_]*$/.test(app))
      return [
        error(
          "app-name",
          path,
          "The key is not the id of an app.",
          "Write the last part of the app's address in Nextcloud's store, for example calendar.",
        ),
      ];
    return Object.entries(settings).flatMap(([key, value]) => {
      const refused = (message: string, remedy: string) => error("app-setting", `${path}.${key}`, message, remedy);
      if (ofNextcloud.includes(key) || (app === "core" && key in coreSettings))
        return [refused("Nextcloud or hearth sets this key.", "Leave it out.")];
      return value.includes("${")
        ? [refused("The value refers to a variable.", "Write the value itself. A secret does not belong here.")]
        : [];
    });
  });
}

/** Settings by hand of apps that hearth manages where others of the arguments say so. */
export function managedApps({
  apps = {},
  ...others
}: Pick<CloudSuiteArgs, "apps"> & Partial<Readonly<Record<"signOn" | "push", object | undefined>>>): Problem[] {
  return suiteApps.flatMap(({ key, nextcloudApps, staysOn }) => {
    if (!staysOn || valueBelow(others, key) === undefined) return [];
    return nextcloudApps
      .filter((app) => apps[app] !== undefined)
      .map((app) =>
        error("app-managed", `apps.${app}`, `hearth sets this app with ${key}.`, "Leave it out of `apps`."),
      );
  });
}
