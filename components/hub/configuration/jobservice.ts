import { stringify } from "yaml";
import { ports } from "../../catalogue/ports.ts";
import type { KeystoreConnection } from "../../stores/connections-args.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubPorts } from "../ports.ts";
import { hubKeystoreUrl, internalUrls } from "./addresses.ts";

/** Jobs at once in each pod. */
const workers = 10;

/** Configuration and environment of the background jobs. */
export interface JobserviceConfiguration {
  readonly keystore: KeystoreConnection;
  /** Jobs at once in each pod. */
  readonly workers: number;
}

/** Inputs of the configuration of the background jobs. */
export function jobserviceConfiguration({ keystore }: ResolvedHub): JobserviceConfiguration {
  return { keystore, workers };
}

/** Days that the logs of jobs stay. */
const logDays = 14;

/**
 * `config.yml` of the background jobs. Their logs go to the database: a folder of several pods' logs would need a volume that all share.
 * (goharbor/harbor src/jobservice/config/config.go)
 */
export function jobserviceFile({ workers }: JobserviceConfiguration): string {
  return stringify({
    protocol: "http",
    port: ports.hubJobservice,
    worker_pool: {
      workers,
      backend: "redis",
      redis_pool: { namespace: "harbor_job_service_namespace", idle_timeout_second: 3600 },
    },
    job_loggers: [{ name: "DB", level: "INFO", sweeper: { duration: logDays } }],
    loggers: [{ name: "STD_OUTPUT", level: "INFO" }],
    metric: { enabled: true, path: "/metrics", port: hubPorts.metrics },
    reaper: { max_update_hours: 24, max_dangling_hours: 168 },
  });
}

/** Environment of the background jobs beside the secret variables; they take the database's settings from core. */
export function jobserviceEnvironment({ keystore }: JobserviceConfiguration): Record<string, string> {
  return {
    CORE_URL: internalUrls.core,
    TOKEN_SERVICE_URL: internalUrls.tokenService,
    REGISTRY_URL: internalUrls.registry,
    REGISTRY_CONTROLLER_URL: internalUrls.registryController,
    JOB_SERVICE_POOL_REDIS_URL: hubKeystoreUrl(keystore),
    METRIC_NAMESPACE: "harbor",
    METRIC_SUBSYSTEM: "jobservice",
  };
}
