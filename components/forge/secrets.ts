import type { SecretsArgs } from "../core/platform-args.ts";
import type { SecretKey } from "../core/secret-key-args.ts";
import { requestsIn, type SecretRequest, secretName } from "../core/secrets.ts";
import { objectStoreKeys } from "../stores/connections.ts";
import type { ForgeArgs } from "./args.ts";
import type { ForgeConfiguration, SecretFile } from "./configuration.ts";
import { applicationNames, forgeNames } from "./forge-names.ts";

/** Keys of the administrator's Secret. */
export const administratorKeys = { user: "username", password: "password" } as const;
/** Name of the first administrator; the forge's own choice. */
export const administrator = "root";
/** Keys of an application's Secret. */
export const applicationKeys = { id: "client-id", secret: "client-secret" } as const;
/** Key of the runner's token, which the forge makes. */
export const runnerTokenKey = "token";

const value = "value";
const railsFile = "secrets.yml";
const hostKeys = { rsa: "ssh_host_rsa_key", ecdsa: "ssh_host_ecdsa_key", ed25519: "ssh_host_ed25519_key" } as const;

/**
 * The Secrets the forge and its parts share, each generated once, from the store, or existing. Those that encrypt the database's columns
 * never change; all others may, every reader at once. The stores' own Secrets are made with the stores.
 */
export function secretRequests(
  args: Pick<ForgeArgs, "namespace" | "pages"> & Required<Pick<ForgeArgs, "applications">>,
): SecretRequest[] {
  const request = requestsIn(args.namespace);
  return [
    request(forgeNames.gitstoreToken, { [value]: { password: 64 } }),
    request(forgeNames.shellSecret, { [value]: { password: 64 } }),
    // The proxy and static sites want the base64 of exactly 32 bytes.
    request(forgeNames.proxySecret, { [value]: { bytes: 32 } }),
    ...(args.pages ? [request(forgeNames.pagesSecret, { [value]: { bytes: 32 } })] : []),
    { ...request(forgeNames.railsSecrets, railsSecrets), neverChanges: true },
    {
      ...request(forgeNames.administrator, {
        [administratorKeys.user]: { value: administrator },
        [administratorKeys.password]: { password: 32 },
      }),
      // Read at the installation only: a new value here would not be the administrator's password.
      neverChanges: true,
    },
    request(forgeNames.hostKeys, {
      [hostKeys.rsa]: { privateKey: "RSA", form: "openssh" },
      [hostKeys.ecdsa]: { privateKey: "ECDSA", form: "openssh" },
      [hostKeys.ed25519]: { privateKey: "ED25519", form: "openssh" },
    }),
    ...args.applications.map(({ name }) =>
      request(applicationNames(name).secret, {
        [applicationKeys.id]: { password: 64 },
        [applicationKeys.secret]: { password: 64 },
      }),
    ),
  ];
}

/** Keys of the forge's `secrets.yml`, and the file itself. (gitlab chart, templates/shared-secrets/_generate_secrets.sh.tpl) */
const railsSecrets: SecretRequest["data"] = {
  secret_key_base: { hex: 64 },
  otp_key_base: { hex: 64 },
  db_key_base: { hex: 64 },
  encrypted_settings_key_base: { hex: 64 },
  openid_connect_signing_key: { privateKey: "RSA", form: "pem" },
  active_record_encryption_primary_key: { password: 32 },
  active_record_encryption_deterministic_key: { password: 32 },
  active_record_encryption_key_derivation_salt: { password: 32 },
  [railsFile]: {
    template: [
      "production:",
      "  secret_key_base: {secret_key_base}",
      "  otp_key_base: {otp_key_base}",
      "  db_key_base: {db_key_base}",
      "  encrypted_settings_key_base: {encrypted_settings_key_base}",
      "  openid_connect_signing_key: |",
      "{openid_connect_signing_key|indent 4}",
      "  active_record_encryption_primary_key:",
      "    - {active_record_encryption_primary_key}",
      "  active_record_encryption_deterministic_key:",
      "    - {active_record_encryption_deterministic_key}",
      "  active_record_encryption_key_derivation_salt: {active_record_encryption_key_derivation_salt}",
      "",
    ].join("\n"),
  },
};

/** A secret file's source: the key of the Secret that holds it, and the platform's name of that Secret where it has one. */
export interface SecretSource {
  readonly key: SecretKey;
  readonly platformName?: string;
}

/** Where each secret file comes from; undefined for one that this configuration does not have. */
export function secretSource(
  file: SecretFile,
  { database, keystore, objectStore, administration }: ForgeConfiguration,
  secrets: SecretsArgs | undefined,
): SecretSource | undefined {
  const own = (platformName: string, key: string): SecretSource => ({
    key: { name: secretName(secrets, platformName), key },
    platformName,
  });
  const given = (key: SecretKey | undefined) => key && { key };
  const sources: Readonly<Record<SecretFile, SecretSource | undefined>> = {
    gitstoreToken: own(forgeNames.gitstoreToken, value),
    shellSecret: own(forgeNames.shellSecret, value),
    proxySecret: own(forgeNames.proxySecret, value),
    pagesSecret: own(forgeNames.pagesSecret, value),
    railsSecrets: own(forgeNames.railsSecrets, railsFile),
    databasePassword: given(database.password),
    keystorePassword: given(keystore.password),
    objectStoreKeyId: given({ name: objectStore.credentials, key: objectStoreKeys.accessKeyId }),
    objectStoreKey: given({ name: objectStore.credentials, key: objectStoreKeys.secretAccessKey }),
    smtpPassword: given(administration.smtp?.password),
    hostKeyRsa: own(forgeNames.hostKeys, hostKeys.rsa),
    hostKeyEcdsa: own(forgeNames.hostKeys, hostKeys.ecdsa),
    hostKeyEd25519: own(forgeNames.hostKeys, hostKeys.ed25519),
    runnerToken: own(forgeNames.runnerToken, runnerTokenKey),
  };
  return sources[file];
}
