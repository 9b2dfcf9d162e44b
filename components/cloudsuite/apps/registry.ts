import type { EnvVar } from "kubernetes-types/core/v1.d.ts";
import { valueBelow } from "../../core/arguments.ts";
import type { ResolvedSuite } from "../schema.ts";
import type { AppParts, AppServer, SuiteApp } from "./app.ts";
import { office, officeArguments } from "./office.ts";
import { previews, previewsArguments } from "./previews.ts";
import { push, pushArguments } from "./push.ts";
import { signOn, signOnArguments } from "./sign-on.ts";
import { whiteboard, whiteboardArguments } from "./whiteboard.ts";

/** Arguments of the apps by their keys. */
export const appArguments = {
  office: officeArguments,
  whiteboard: whiteboardArguments,
  signOn: signOnArguments,
  push: pushArguments,
  previews: previewsArguments,
};

/** The apps of a suite: the one list. Plans, rules, settings and policies read it here. */
export const suiteApps: readonly SuiteApp[] = [office, whiteboard, signOn, push, previews];

/** An app that a program beside the suite works with. */
export type ServedApp = SuiteApp & { readonly server: AppServer };

/** Those of the apps that a program works with. */
export const servedApps: readonly ServedApp[] = suiteApps.filter(isServed);

/** Whether a program works with the app. */
function isServed(app: SuiteApp): app is ServedApp {
  return app.server !== undefined;
}

/** The programs beside the suite that run for its apps. */
export function appServers(args: ResolvedSuite): AppServer[] {
  return appParts(args).flatMap(({ app: { server } }) => server ?? []);
}

/** Contributions of all enabled apps of a suite. */
export function appParts(args: ResolvedSuite): (AppParts & { readonly app: SuiteApp })[] {
  return suiteApps.flatMap((app) => {
    const parts = app.parts(args);
    return parts ? [{ app, ...parts }] : [];
  });
}

/** Variables by which the configuration Job learns which of the apps are on and off that ask it to. */
export function appSwitchVariables(args: ResolvedSuite): EnvVar[] {
  return suiteApps.flatMap((app) =>
    app.switch !== undefined && valueBelow(args, app.key) !== undefined
      ? [{ name: app.switch, value: app.parts(args) === undefined ? "off" : "on" }]
      : [],
  );
}

/** Secrets of the apps, by the platform's names. */
export const appSecrets: readonly string[] = suiteApps.flatMap(({ credentials }) => credentials ?? []);
