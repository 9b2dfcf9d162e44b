import { ports } from "../../catalogue/ports.ts";
import type { DatabaseConnection, KeystoreConnection } from "../../stores/connections-args.ts";
import { hubFiles } from "../configuration.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubPorts } from "../ports.ts";
import { proxyCacheKinds } from "../proxy-caches.ts";
import { hubKeystoreUrl, internalUrls, literal, variable } from "./addresses.ts";
import { quotaBytes } from "./settings.ts";

/** Connections to the database that each pod of core or of jobs opens at most. */
export const databaseConnections = 30;

/** Environment of core, and of the migrations, which are core too. */
export interface CoreConfiguration {
  /** `https://` and the public host. */
  readonly publicUrl: string;
  readonly database: DatabaseConnection;
  /** Most connections a pod of core or of jobs opens; jobs take it from core. */
  readonly databaseConnections: number;
  readonly keystore: KeystoreConnection;
  /** Absent: accounts of the hub's own. */
  readonly signOn?: SignOnConfiguration;
  /** Bytes a project may hold, or -1 for no limit. */
  readonly storageQuota: number;
}

/** Sign-on; id and secret of the client are secret variables. */
type SignOnConfiguration = Omit<NonNullable<ResolvedHub["signOn"]>, "clientId" | "clientSecret">;

/** Inputs of core's environment. */
export function coreConfiguration(args: ResolvedHub): CoreConfiguration {
  const { domain, database, keystore, signOn, storageQuota } = args;
  return {
    publicUrl: `https://${domain}`,
    database,
    databaseConnections,
    keystore,
    storageQuota: quotaBytes(storageQuota),
    ...(signOn && { signOn }),
  };
}

/** Registries that images may be replicated from and to beside those of {@link proxyCacheKinds}. (goharbor/harbor-helm 1.18, templates/core/core-cm.yaml) */
const replicationKinds = [...proxyCacheKinds, "huawei-SWR", "tencent-tcr", "volcengine-cr"];

/** `app.conf` of core. */
export function coreFile(): string {
  return `appname = Harbor
runmode = prod
enablegzip = true

[prod]
httpport = ${ports.hubCore}
`;
}

/**
 * Environment of core beside the secret variables. (goharbor/harbor src/lib/config/metadata/metadatalist.go)
 * Docker's clients are sent to `publicUrl` for tokens, so it must be what they have before them.
 */
export function coreEnvironment(configuration: CoreConfiguration): Record<string, string> {
  const { publicUrl, database, databaseConnections, keystore } = configuration;
  const keystoreUrl = `${hubKeystoreUrl(keystore)}?idle_timeout_seconds=30`;
  return {
    CONFIG_PATH: hubFiles.core,
    PORT: String(ports.hubCore),
    EXT_ENDPOINT: publicUrl,
    CORE_URL: internalUrls.core,
    CORE_LOCAL_URL: `http://127.0.0.1:${ports.hubCore}`,
    JOBSERVICE_URL: internalUrls.jobservice,
    REGISTRY_URL: internalUrls.registry,
    REGISTRY_CONTROLLER_URL: internalUrls.registryController,
    TOKEN_SERVICE_URL: internalUrls.tokenService,
    PORTAL_URL: internalUrls.portal,
    DATABASE_TYPE: "postgresql",
    POSTGRESQL_HOST: database.host,
    POSTGRESQL_PORT: String(database.port),
    POSTGRESQL_DATABASE: database.database,
    POSTGRESQL_USERNAME: database.user,
    POSTGRESQL_SSLMODE: "disable",
    POSTGRESQL_MAX_OPEN_CONNS: String(databaseConnections),
    POSTGRESQL_MAX_IDLE_CONNS: String(databaseConnections),
    _REDIS_URL_CORE: keystoreUrl,
    _REDIS_URL_REG: keystoreUrl,
    REGISTRY_STORAGE_PROVIDER_NAME: "s3",
    PERMITTED_REGISTRY_TYPES_FOR_PROXY_CACHE: proxyCacheKinds.join(","),
    REPLICATION_ADAPTER_WHITELIST: replicationKinds.join(","),
    METRIC_ENABLE: "true",
    METRIC_PATH: "/metrics",
    METRIC_PORT: String(hubPorts.metrics),
    METRIC_NAMESPACE: "harbor",
    METRIC_SUBSYSTEM: "core",
    LOG_LEVEL: "info",
    CONFIG_OVERWRITE_JSON: systemSettings(configuration),
  };
}

/**
 * Settings that core takes at each start, as JSON; with them all settings of the instance are read-only in the user interface.
 * Who signs in can't be changed any more when there are users: then core doesn't start. (goharbor/harbor src/controller/config/controller.go)
 */
function systemSettings({ signOn, storageQuota }: CoreConfiguration): string {
  const settings = {
    auth_mode: signOn ? "oidc_auth" : "db_auth",
    self_registration: false,
    storage_per_project: storageQuota,
    ...(signOn && signOnSettings(signOn)),
  };
  const values = Object.entries(settings).map(
    ([key, value]) => `${JSON.stringify(key)}:${literal(JSON.stringify(value))}`,
  );
  // A reference to a secret is no literal, so they come after.
  const secrets = signOn
    ? [`"oidc_client_id":"${variable("clientId")}"`, `"oidc_client_secret":"${variable("clientSecret")}"`]
    : [];
  return `{${[...values, ...secrets].join(",")}}`;
}

function signOnSettings({
  name,
  issuer,
  scopes,
  userClaim,
  groupsClaim,
  adminGroup,
  groupFilter,
}: SignOnConfiguration) {
  return {
    oidc_name: name,
    oidc_endpoint: issuer,
    oidc_scope: scopes.join(","),
    oidc_verify_cert: true,
    // The provider's name for a user is the hub's: nobody is asked to choose one at the first sign-on.
    oidc_auto_onboard: true,
    oidc_user_claim: userClaim,
    oidc_groups_claim: groupsClaim,
    // Absent values are sent too; otherwise the hub would keep the previous ones.
    oidc_admin_group: adminGroup ?? "",
    oidc_group_filter: groupFilter ?? "",
  };
}
