import { serviceHost } from "../catalogue/names.ts";
import { ports } from "../catalogue/ports.ts";
import { type CloudSuiteArgs, OfficeEngine } from "./args.ts";
import { environmentNames } from "./environment-names.ts";
import { suiteNames } from "./suite-names.ts";

/** Nextcloud apps that config.yaml turns on and off. */
const managedApps = ["richdocuments", "onlyoffice", "whiteboard"] as const;
type ManagedApp = (typeof managedApps)[number];

/** Settings of an app by key; `${NAME}` stands for an environment variable of the configuration Job. */
type AppSettings = Readonly<Record<string, string>>;

/** Which apps are on and off. */
export function appSwitches(args: CloudSuiteArgs): { on: ManagedApp[]; off: ManagedApp[] } {
  const wanted = (app: ManagedApp) => appSettings(args)[app] !== undefined;
  return { on: managedApps.filter(wanted), off: managedApps.filter((app) => !wanted(app)) };
}

/** Settings of the apps that are on, and of the core: background jobs run by cron. */
export function appSettings(args: CloudSuiteArgs): Partial<Record<ManagedApp | "core", AppSettings>> {
  return {
    core: { backgroundjobs_mode: "cron" },
    ...(args.office && officeSettings(args, args.office.domain)),
    ...(args.whiteboard && {
      whiteboard: {
        collabBackendUrl: `https://${args.domain}/whiteboard`,
        jwt_secret_key: variable(environmentNames.whiteboardSecret),
      },
    }),
  };
}

/** The settings as the file that the Job fills in and imports. */
export function appSettingsFile(args: CloudSuiteArgs): string {
  return `${JSON.stringify({ apps: appSettings(args) }, undefined, 2)}\n`;
}

/** Nextcloud asks the office server inside the cluster; browsers, and the office server for the documents, use the public names. */
function officeSettings({ namespace, domain, office }: CloudSuiteArgs, officeDomain: string) {
  const host = serviceHost(suiteNames.office, namespace);
  if (office?.engine === OfficeEngine.onlyoffice)
    return {
      onlyoffice: {
        DocumentServerUrl: `https://${officeDomain}/`,
        DocumentServerInternalUrl: `http://${host}:${ports.officeOnlyoffice}/`,
        StorageUrl: `https://${domain}/`,
        jwt_secret: variable(environmentNames.officeSecret),
        jwt_header: "Authorization",
      },
    };
  return {
    richdocuments: {
      wopi_url: `http://${host}:${ports.officeCollabora}`,
      public_wopi_url: `https://${officeDomain}`,
    },
  };
}

function variable(name: string): string {
  return `\${${name}}`;
}
