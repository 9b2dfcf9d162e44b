import { phpConfiguration } from "./php.ts";

/** Hour of the day (UTC) from which Nextcloud may run its heavy daily jobs, for four hours. */
const maintenanceWindowStart = 1;

/** `server.config.php`: addresses without index.php, no upgrade from the browser, heavy jobs at night. */
export function serverConfiguration(): string {
  return phpConfiguration({
    "htaccess.RewriteBase": "/",
    "upgrade.disable-web": true,
    maintenance_window_start: maintenanceWindowStart,
  });
}
