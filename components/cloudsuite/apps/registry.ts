import type { ResolvedSuite } from "../schema.ts";
import type { AppParts, SuiteApp } from "./app.ts";
import { office, officeArguments } from "./office.ts";
import { whiteboard, whiteboardArguments } from "./whiteboard.ts";

/** Arguments of the apps by their keys. */
export const appArguments = { office: officeArguments, whiteboard: whiteboardArguments };

/** The apps of a suite: the one list. Plans, rules, settings and policies read it here. */
export const suiteApps: readonly SuiteApp[] = [office, whiteboard];

/** Contributions of all enabled apps of a suite. */
export function appParts(args: ResolvedSuite): (AppParts & { readonly app: SuiteApp })[] {
  return suiteApps.flatMap((app) => {
    const parts = app.parts(args);
    return parts ? [{ app, ...parts }] : [];
  });
}

/** Secrets of the apps, by the platform's names. */
export const appSecrets: readonly string[] = suiteApps.flatMap(({ credentials }) => credentials ?? []);
