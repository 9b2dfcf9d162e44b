import type { EnvVar } from "kubernetes-types/core/v1.d.ts";
import { MailSecurity } from "../core/mail-args.ts";
import { parseQuantity } from "../core/quantities.ts";
import { secretName } from "../core/secrets.ts";
import { fromSecret } from "../kubernetes/pod.ts";
import { storageClasses } from "../limits/sets.ts";
import { objectStoreKeys } from "../stores/connections.ts";
import { appParts } from "./apps/registry.ts";
import { environmentNames } from "./environment-names.ts";
import type { ResolvedSuite } from "./schema.ts";
import { administratorKeys } from "./secrets.ts";
import { suiteDatabaseConnection, suiteKeystoreConnection, suiteObjectStoreConnection } from "./stores.ts";
import { suiteNames } from "./suite-names.ts";

/**
 * What every pod that runs the suite's PHP needs. Nextcloud takes `NC_<key>` before what its files say and never writes it to config.php,
 * so passwords can change; keys with a dot are in files, since shells drop such variables. (nextcloud/server lib/private/Config.php)
 */
export function suiteEnvironment(args: ResolvedSuite): EnvVar[] {
  const database = suiteDatabaseConnection(args);
  const keystore = suiteKeystoreConnection(args);
  return [
    { name: "NC_dbhost", value: `${database.host}:${database.port}` },
    { name: "NC_dbname", value: database.database },
    { name: "NC_dbuser", value: database.user },
    fromSecret("NC_dbpassword", database.password),
    { name: "NC_overwritehost", value: args.domain },
    { name: "NC_overwriteprotocol", value: "https" },
    // Modes of files on a network share are those of its mount; PHP takes "0" for false and "false" for true.
    ...(args.storage.storageClass === storageClasses.smb
      ? [{ name: "NC_check_data_directory_permissions", value: "0" }]
      : []),
    ...(args.maintenance ? [{ name: "NC_maintenance", value: "1" }] : []),
    ...(keystore.password ? [fromSecret(environmentNames.keystorePassword, keystore.password)] : []),
    ...objectStoreEnvironment(args),
    ...(args.phoneRegion === undefined ? [] : [{ name: "NC_default_phone_region", value: args.phoneRegion }]),
    ...(args.language === undefined ? [] : [{ name: "NC_default_language", value: args.language }]),
    ...appParts(args).flatMap(({ suiteEnvironment = [] }) => suiteEnvironment),
    ...mailEnvironment(args),
    ...phpEnvironment(args),
  ];
}

/** The image's own variables, in bytes. A request holds a form and its headers, and is never less than the image's 1 GiB. */
function phpEnvironment({ php }: ResolvedSuite): EnvVar[] {
  const number = (name: string, quantity: string | undefined, least = 0) =>
    quantity === undefined ? [] : [{ name, value: String(Math.max(least, parseQuantity(quantity) ?? 0)) }];
  return [
    ...number("PHP_MEMORY_LIMIT", php?.memory),
    ...number("PHP_UPLOAD_LIMIT", php?.upload),
    ...number("APACHE_BODY_LIMIT", php?.upload, 2 ** 30),
  ];
}

/** Where the suite's mail goes. Every pod sends some: web to reset passwords, cron to remind, the configuration to welcome. (lib/private/Mail/Mailer.php) */
function mailEnvironment({ mail, platform }: ResolvedSuite): EnvVar[] {
  const server = mail ?? platform.mail;
  if (!server) return [];
  const [sender = "", domain = ""] = server.from.split("@");
  return [
    { name: "NC_mail_smtpmode", value: "smtp" },
    { name: "NC_mail_smtphost", value: server.host },
    { name: "NC_mail_smtpport", value: String(server.port) },
    // Nextcloud knows TLS from the start alone. Else it takes STARTTLS where the server offers it.
    ...(server.security === MailSecurity.tls ? [{ name: "NC_mail_smtpsecure", value: "ssl" }] : []),
    { name: "NC_mail_from_address", value: sender },
    { name: "NC_mail_domain", value: domain },
    ...(server.user !== undefined && server.password
      ? [
          // PHP takes "0" for false and "false" for true.
          { name: "NC_mail_smtpauth", value: "1" },
          { name: "NC_mail_smtpname", value: server.user },
          fromSecret("NC_mail_smtppassword", server.password),
        ]
      : []),
  ];
}

/** Credentials of the object store, under the names that AWS SDKs read too. */
function objectStoreEnvironment(args: ResolvedSuite): EnvVar[] {
  const secret = suiteObjectStoreConnection(args).credentials;
  return [
    ...Object.values(objectStoreKeys).map((key) => fromSecret(key, { name: secret, key })),
    // S3-compatible stores refuse the checksums that newer SDKs add by themselves.
    { name: "AWS_REQUEST_CHECKSUM_CALCULATION", value: "when_required" },
    { name: "AWS_RESPONSE_CHECKSUM_VALIDATION", value: "when_required" },
  ];
}

/** Variables with which the image's entrypoint installs a new suite. Only the web pods have them. */
export function installationEnvironment(args: ResolvedSuite): EnvVar[] {
  const database = suiteDatabaseConnection(args);
  const administrator = secretName(args.platform.secrets, suiteNames.administrator);
  return [
    fromSecret("NEXTCLOUD_ADMIN_USER", { name: administrator, key: administratorKeys.user }),
    fromSecret("NEXTCLOUD_ADMIN_PASSWORD", { name: administrator, key: administratorKeys.password }),
    { name: "POSTGRES_HOST", value: `${database.host}:${database.port}` },
    { name: "POSTGRES_DB", value: database.database },
    { name: "POSTGRES_USER", value: database.user },
    fromSecret("POSTGRES_PASSWORD", database.password),
  ];
}
