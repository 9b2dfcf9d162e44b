import { error, type Problem } from "../core/problems.ts";
import { anyText, count, flag, keysOfProgram, optional, text } from "../core/schema.ts";
import type { PhpArray } from "./config/php.ts";
import { phpConfiguration } from "./config/php.ts";
import type { ResolvedSuite } from "./schema.ts";

/** Nextcloud's system settings that administrators choose, by its own names and with its defaults. (nextcloud/server config/config.sample.php) */

/** What says a key that hearth sets. */
const domain = "the suite's `domain` says it";
const stores = "the suite's stores say it";
const mailServer = "`mail` says it";
const always = "hearth sets it, and a suite could not run otherwise";

/** Keys that follow from other arguments. Passwords are among none: no file of settings has them. */
const setBy: Readonly<Record<string, string>> = {
  trusted_domains: domain,
  "overwrite.cli.url": domain,
  overwritehost: domain,
  overwriteprotocol: domain,
  trusted_proxies: "`platform.ingress.trustedProxies` says it",
  default_language: "`language` says it",
  default_phone_region: "`phoneRegion` says it",
  maintenance: "`maintenance` says it",
  updatechecker: "`platform.privacy.suiteUpdateCheck` says it",
  lookup_server: "`platform.privacy.suiteLookupServer` says it",
  has_internet_connection: "`internet` says it",
  appstoreurl: "`appStore` says it",
  appstoreenabled: "`internet` and `appStore` say it",
  apps_paths: "`appsImage` adds apps",
  allow_local_remote_servers: "`appStore.privateAddress` and `signOn.privateAddress` say it",
  user_oidc: "`signOn` says it",
  dbtype: stores,
  dbhost: stores,
  dbname: stores,
  dbuser: stores,
  redis: stores,
  objectstore: stores,
  "memcache.local": stores,
  "memcache.distributed": stores,
  "memcache.locking": stores,
  ...Object.fromEntries(
    ["smtpmode", "smtphost", "smtpport", "smtpsecure", "smtpauth", "smtpname", "from_address", "domain"].map((key) => [
      `mail_${key}`,
      mailServer,
    ]),
  ),
  enabledPreviewProviders: "`previews` says it",
  preview_imaginary_url: "`previews` says it",
  preview_imaginary_key: "`previews` says it",
  "htaccess.RewriteBase": always,
  "upgrade.disable-web": always,
  maintenance_window_start: always,
  check_data_directory_permissions: always,
  serverid: always,
  datadirectory: always,
  config_is_read_only: always,
  instanceid: "Nextcloud's installer says it",
  installed: "Nextcloud's installer says it",
  version: "`versions.cloudsuite` says it",
};

/** How long something is kept: upstream's `auto`, `disabled`, days at the least, at the most, or both. */
function retention(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^(?:auto|disabled|\d+|auto, ?\d+|\d+, ?(?:auto|\d+))$/.test(value)) return [];
  return [
    error(
      "retention",
      path,
      "The value is not a time that Nextcloud knows.",
      'Write auto, disabled, "30, auto" (30 days at the least), "auto, 30" (at the most), or "7, 30".',
    ),
  ];
}

const locale = (path: string, value: string | undefined): Problem[] =>
  value === undefined || /^[a-z]{2,3}(?:_[A-Za-z]{2,4}){0,2}$/.test(value)
    ? []
    : [error("language", path, "The value is not a locale.", "Write it like de or de_DE.")];

export const cloudSuiteSystem = keysOfProgram(
  "CloudSuiteSystemArgs",
  "Nextcloud's own system settings, by the names that they have in `config.php`.",
  {
    default_locale: optional(
      text("Form of dates and numbers for users whose browser names none, e.g. `de_DE`.", { rule: locale }),
      "en_US",
    ),
    default_timezone: optional(text("Time zone of users whose browser names none, e.g. `Europe/Berlin`."), "UTC"),
    force_language: optional(text("Language of all users, who can't choose one, e.g. `de`.", { rule: locale }), "none"),
    force_locale: optional(
      text("Form of dates and numbers for all users, who can't choose one, e.g. `de_DE`.", { rule: locale }),
      "none",
    ),
    knowledgebaseenabled: optional(flag("The menu has a page of help."), "true"),
    allow_user_to_change_display_name: optional(flag("Users may change their names."), "true"),
    skeletondirectory: optional(
      anyText("Folder in the web pods whose files each new user gets. Empty: none."),
      "Nextcloud's examples",
    ),
    templatedirectory: optional(
      anyText("Folder in the web pods with the templates of new documents. Empty: none."),
      "Nextcloud's",
    ),
    lost_password_link: optional(
      text("Page that the link for a lost password leads to; `disabled` for no link."),
      "Nextcloud's page",
    ),
    session_lifetime: optional(
      count("Seconds after which somebody who does nothing is signed out.", { min: 60 }),
      "86400",
    ),
    session_keepalive: optional(flag("An open page counts as doing something."), "true"),
    auto_logout: optional(
      flag("A page signs out by itself after `session_lifetime` without a key or a click."),
      "false",
    ),
    remember_login_cookie_lifetime: optional(
      count("Seconds for which a browser stays signed in; 0 for no longer than the session."),
      "1296000",
    ),
    token_auth_enforced: optional(flag("Programs sign in with app passwords alone."), "false"),
    trashbin_retention_obligation: optional(
      text("How long deleted files are kept, e.g. `30, auto` for 30 days at the least.", { rule: retention }),
      "auto: 30 days, and then until room is needed",
    ),
    versions_retention_obligation: optional(
      text("How long former versions of files are kept, e.g. `auto, 90` for 90 days at the most.", { rule: retention }),
      "auto: thinned out over time",
    ),
    activity_expire_days: optional(count("Days for which activities are kept.", { min: 1 }), "365"),
    share_folder: optional(text("Folder in which users find what is shared with them, e.g. `/Shared`."), "/"),
    loglevel: optional(
      count("What `nextcloud.log` has: 0 everything, 1 infos, 2 warnings, 3 errors, 4 fatal errors.", { max: 4 }),
      "2",
    ),
  },
  setBy,
);

/** Keys that the settings name, with their values. */
export function systemConfig({ system }: ResolvedSuite): PhpArray {
  return Object.fromEntries(
    Object.entries(system ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** `settings.config.php`: what administrators chose. */
export function systemConfiguration(args: ResolvedSuite): string {
  return phpConfiguration(systemConfig(args));
}
