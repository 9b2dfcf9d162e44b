import type { CallLimits } from "./call-budget.ts";
import { type Environment, EnvironmentReader } from "./environment.ts";
import type { SiteApi } from "./kubernetes/site-client.ts";
import { isNamespace, isSiteName } from "./site-name.ts";

/** Everything that can be set; each comes from the environment variable named in its comment. */
export interface SyncSettings {
  /** `WEBHOOK_HOST`: address to listen on. @default all addresses */
  readonly host: string | undefined;
  /** `WEBHOOK_PORT`. @default 8080 */
  readonly port: number;
  /** `OPERATIONS_PORT`: probes and metrics; not to be routed from outside. @default 9090 */
  readonly operationsPort: number;
  /** `KUBERNETES_SERVICE_HOST`, `KUBERNETES_SERVICE_PORT` (set in every pod); `STATIC_SITE_GROUP`, `STATIC_SITE_VERSION`, `STATIC_SITE_PLURAL`, `ANNOTATION_DOMAIN`. */
  readonly api: SiteApi;
  /** `SERVICE_ACCOUNT_FOLDER`: holds `token` and `ca.crt`. @default /var/run/secrets/kubernetes.io/serviceaccount */
  readonly serviceAccountFolder: string;
  /** `WEBHOOK_NAMESPACES`: comma-separated; sites elsewhere do not exist for callers. @default every namespace */
  readonly namespaces: ReadonlySet<string> | undefined;
  /** `WEBHOOK_SECRET_FILE`: secrets, one a line, one of which each call has to prove. @default calls need no secret */
  readonly secretFile: string | undefined;
  /** `API_WRITES_PER_SECOND` @default 20, `API_WRITES_BURST` @default 40. */
  readonly writes: CallLimits;
  /** `DRAIN_SECONDS`: after SIGTERM calls are still taken for so long, until no route leads here. @default 5 */
  readonly drainSeconds: number;
}

/** Enough for any benchmark; `LIFT_BUDGETS=true` is for measuring alone. */
const liftedWrites: CallLimits = { perSecond: 1e9, burst: 1e9, inFlight: 64, waiting: 1e6 };

/** Reads the settings. Throws a SettingsError. */
export function readSettings(environment: Environment): SyncSettings {
  const reader = new EnvironmentReader(environment);
  const { faults } = reader;

  function namespaces(): ReadonlySet<string> | undefined {
    const value = environment.WEBHOOK_NAMESPACES;
    if (!value) return undefined;
    const names = value.split(",").map((name) => name.trim());
    for (const name of names.filter((name) => !isNamespace(name))) {
      faults.push(
        `WEBHOOK_NAMESPACES has ${JSON.stringify(name)}, which is no namespace's name; separate names by commas.`,
      );
    }
    return new Set(names);
  }

  const domain = (value: string) => isSiteName(value);
  const lifted = reader.text(
    "LIFT_BUDGETS",
    "false",
    "true or false",
    (value) => value === "true" || value === "false",
  );
  const settings: SyncSettings = {
    host: environment.WEBHOOK_HOST || undefined,
    port: reader.integer("WEBHOOK_PORT", 8080, 0, 65_535),
    operationsPort: reader.integer("OPERATIONS_PORT", 9090, 0, 65_535),
    api: {
      host: reader.text("KUBERNETES_SERVICE_HOST", undefined, "the API server's address", (value) =>
        /^[\w.:-]+$/.test(value),
      ),
      port: reader.integer("KUBERNETES_SERVICE_PORT", undefined, 1, 65_535),
      group: reader.text("STATIC_SITE_GROUP", "pages.kup6s.com", "an API group", domain),
      version: reader.text("STATIC_SITE_VERSION", "v1beta1", "an API version such as v1", (value) =>
        /^v[a-z0-9]{1,62}$/.test(value),
      ),
      plural: reader.text("STATIC_SITE_PLURAL", "staticsites", "a resource's plural name", (value) =>
        /^[a-z][a-z0-9]{0,62}$/.test(value),
      ),
      annotationDomain: reader.text("ANNOTATION_DOMAIN", "pages.kup6s.com", "a domain", domain),
    },
    serviceAccountFolder: environment.SERVICE_ACCOUNT_FOLDER || "/var/run/secrets/kubernetes.io/serviceaccount",
    namespaces: namespaces(),
    secretFile: environment.WEBHOOK_SECRET_FILE || undefined,
    writes: {
      perSecond: reader.integer("API_WRITES_PER_SECOND", 20, 1, 10_000),
      burst: reader.integer("API_WRITES_BURST", 40, 1, 10_000),
      inFlight: 8,
      waiting: 256,
    },
    drainSeconds: reader.integer("DRAIN_SECONDS", 5, 0, 300),
  };
  reader.end();
  return lifted === "true" ? { ...settings, writes: liftedWrites } : settings;
}
