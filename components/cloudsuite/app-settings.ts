import { valueBelow } from "../core/arguments.ts";
import type { AppSettings } from "./apps/app.ts";
import { coreSettings, surveyApp } from "./apps/other-apps.ts";
import { appParts, suiteApps } from "./apps/registry.ts";
import type { ResolvedSuite } from "./schema.ts";

/** Which of Nextcloud's apps are on and off. */
export function appSwitches(args: ResolvedSuite): { on: string[]; off: string[] } {
  const settings = appSettings(args);
  const managed = suiteApps.flatMap(({ nextcloudApps }) => nextcloudApps);
  const kept = suiteApps.flatMap(({ key, nextcloudApps, staysOn }) =>
    staysOn && valueBelow(args, key) === undefined ? nextcloudApps : [],
  );
  const surveys = args.platform.privacy.suiteSurvey;
  return {
    on: [
      ...managed.filter((app) => app in settings),
      ...(surveys ? [surveyApp] : []),
      // The core is no app that could be off.
      ...Object.keys(args.apps ?? {}).filter((app) => app !== "core"),
    ],
    off: [...managed.filter((app) => !(app in settings) && !kept.includes(app)), ...(surveys ? [] : [surveyApp])],
  };
}

/** The settings as the file that the Job fills in and imports: those of the apps that are on, and of the core, whose jobs cron runs. */
export function appSettingsFile(args: ResolvedSuite): string {
  const { core, ...others } = args.apps ?? {};
  const settings = Object.entries(others).filter(([, values]) => Object.keys(values).length > 0);
  const apps = { core: { ...core, ...coreSettings }, ...appSettings(args), ...Object.fromEntries(settings) };
  return `${JSON.stringify({ apps }, undefined, 2)}\n`;
}

function appSettings(args: ResolvedSuite): Record<string, AppSettings> {
  return Object.assign({}, ...appParts(args).map(({ settings }) => settings));
}
