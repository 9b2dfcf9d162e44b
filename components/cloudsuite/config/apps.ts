import { phpConfiguration } from "./php.ts";

/** `apps.config.php`: the image's own apps read-only, apps from the store on the volume. (nextcloud/docker .config/apps.config.php) */
export function appsConfiguration(): string {
  return phpConfiguration({
    apps_paths: [
      { path: { expression: "OC::$SERVERROOT . '/apps'" }, url: "/apps", writable: false },
      { path: { expression: "OC::$SERVERROOT . '/custom_apps'" }, url: "/custom_apps", writable: true },
    ],
  });
}
