import type { AppSettings } from "./apps/app.ts";
import { appParts, suiteApps } from "./apps/registry.ts";
import type { ResolvedSuite } from "./schema.ts";

/** The app of Nextcloud's that sends statistics to its makers. */
const surveyApp = "survey_client";

/** Which of Nextcloud's apps are on and off. */
export function appSwitches(args: ResolvedSuite): { on: string[]; off: string[] } {
  const settings = appSettings(args);
  const managed = suiteApps.flatMap(({ nextcloudApps }) => nextcloudApps);
  const surveys = args.platform.privacy.suiteSurvey;
  return {
    on: [...managed.filter((app) => app in settings), ...(surveys ? [surveyApp] : [])],
    off: [...managed.filter((app) => !(app in settings)), ...(surveys ? [] : [surveyApp])],
  };
}

/** The settings as the file that the Job fills in and imports: those of the apps that are on, and of the core, whose jobs cron runs. */
export function appSettingsFile(args: ResolvedSuite): string {
  const apps = { core: { backgroundjobs_mode: "cron" }, ...appSettings(args) };
  return `${JSON.stringify({ apps }, undefined, 2)}\n`;
}

function appSettings(args: ResolvedSuite): Record<string, AppSettings> {
  return Object.assign({}, ...appParts(args).map(({ settings }) => settings));
}
