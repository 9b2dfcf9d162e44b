import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Middleware } from "@hearth-platform/hearth/kubernetes/custom-resources/middleware";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, it } from "vitest";
import { container, find, ownObjects, variable } from "./objects.ts";
import { completeSuite } from "./suite.ts";

/** The page of Nextcloud's setup checks: it has each of them once, and what it says of a suite is what hearth renders. */

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/reference/setup-checks.md"), "utf8");

/** Those that the app `settings` registers in 34. (nextcloud/server apps/settings/lib/AppInfo/Application.php) */
const registered = [
  ...["AllowedAdminRanges", "AppDirsWithDifferentOwner", "BruteForceThrottler", "CheckUserCertificates"],
  ...["CodeIntegrity", "CronErrors", "CronInfo", "DataDirectoryProtected", "DatabaseHasMissingColumns"],
  ...["DatabaseHasMissingIndices", "DatabaseHasMissingPrimaryKeys", "DatabasePendingBigIntConversions", "DebugMode"],
  ...["DefaultPhoneRegionSet", "EmailTestSuccessful", "FileLocking", "ForwardedForHeaders", "HttpsUrlGeneration"],
  ...["InternetConnectivity", "JavaScriptModules", "JavaScriptSourceMaps", "LegacySSEKeyFormat", "LoggingLevel"],
  ...["MaintenanceWindowStart", "MemcacheConfigured", "MimeTypeMigrationAvailable", "MysqlRowFormat"],
  ...["MysqlUnicodeSupport", "OcxProviders", "OverwriteCliUrl", "PhpApcuConfig", "PhpDefaultCharset"],
  ...["PhpDisabledFunctions", "PhpFreetypeSupport", "PhpGetEnv", "PhpMaxFileSize", "PhpMemoryLimit", "PhpModules"],
  ...["PhpOpcacheSetup", "PhpOutdated", "PhpOutputBuffering", "PushService", "RandomnessSecure", "ReadOnlyConfig"],
  ...["SchedulingTableSize", "SecurityHeaders", "ServerIdConfig", "SupportedDatabase", "SystemIs64bit"],
  ...["TaskProcessingPickupSpeed", "TaskProcessingSuccessRate", "TaskProcessingWorkerIsRunning", "TempSpaceAvailable"],
  ...["TransactionIsolation", "TwoFactorConfiguration", "WellKnownUrls", "Woff2Loading"],
];

/** The checks of the page's rows, below one heading or all. */
function rows(heading = ""): string[] {
  const [, text = ""] = page.split(`${heading}\n`, 2);
  const section = heading === "" ? page : (text.split("\n## ")[0] ?? "");
  return section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split(" | ")[0] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
}

const configuration = Object.values(find<ConfigMap>(completeSuite, "ConfigMap", "cloudsuite-config").data ?? {}).join(
  "\n",
);
const scripts = find<ConfigMap>(completeSuite, "ConfigMap", "cloudsuite-scripts").data ?? {};
const environment = (name: string) => variable(completeSuite, "web", name);
const middleware = (name: string) => find<Middleware>(completeSuite, "Middleware", name).spec;
const isUntouched = (...keys: string[]) =>
  keys.every((key) => !configuration.includes(`'${key}'`) && environment(`NC_${key}`) === undefined);
const adds = (what: string) =>
  scripts["configure.sh"]
    ?.match(/for missing in ([^;]*);/)?.[1]
    ?.split(" ")
    .includes(what);

/** What shows that a check of the first table is met. */
const evidence: Readonly<Record<string, () => unknown>> = {
  AllowedAdminRanges: () => isUntouched("allowed_admin_ranges"),
  DebugMode: () => isUntouched("debug"),
  LoggingLevel: () => isUntouched("loglevel"),
  ReadOnlyConfig: () => isUntouched("config_is_read_only"),
  CronErrors: () => container(completeSuite, "cron").command?.includes("/var/www/html/cron.php"),
  CronInfo: () => scripts["configure.sh"]?.includes('php "$html/cron.php"'),
  DataDirectoryProtected: () => scripts["prepare.sh"]?.includes("Require all denied"),
  DatabaseHasMissingColumns: () => adds("columns"),
  DatabaseHasMissingIndices: () => adds("indices"),
  DatabaseHasMissingPrimaryKeys: () => adds("primary-keys"),
  FileLocking: () => configuration.includes("'memcache.locking' => '\\\\OC\\\\Memcache\\\\Redis'"),
  MemcacheConfigured: () => configuration.includes("'memcache.local' => '\\\\OC\\\\Memcache\\\\APCu'"),
  BruteForceThrottler: () => configuration.includes("'trusted_proxies'"),
  ForwardedForHeaders: () => configuration.includes("'trusted_proxies'"),
  HttpsUrlGeneration: () => environment("NC_overwriteprotocol") === "https",
  OverwriteCliUrl: () => configuration.includes("'overwrite.cli.url' => 'https://cloud.example.org'"),
  MaintenanceWindowStart: () => configuration.includes("'maintenance_window_start' => 1,"),
  MimeTypeMigrationAvailable: () => scripts["configure.sh"]?.includes("maintenance:repair --include-expensive"),
  SecurityHeaders: () => (middleware("cloudsuite-strict-transport").headers?.stsSeconds ?? 0) >= 180 * 86_400,
  ServerIdConfig: () => configuration.includes("'serverid' => hexdec("),
  SupportedDatabase: () => Number(completeSuite.versions.db) >= 14,
  TransactionIsolation: () => !JSON.stringify(ownObjects(completeSuite)).includes("default_transaction_isolation"),
  WellKnownUrls: () => middleware("cloudsuite-dav-redirect").redirectRegex?.replacement?.includes("/remote.php/dav/"),
};

it("the page of the setup checks has each of them, once", () => {
  expect(rows().toSorted()).toEqual(registered.toSorted());
});

describe("a check that hearth meets", () => {
  it("has what shows it, and no other has", () => {
    expect(rows("## Met by what hearth sets").toSorted()).toEqual(Object.keys(evidence).toSorted());
  });

  it.each(Object.entries(evidence))("is met by what a suite renders: %s", (_, isMet) => {
    expect(isMet()).toBe(true);
  });
});
