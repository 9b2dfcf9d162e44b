import { stringify } from "yaml";
import { keystoreDatabases } from "../../catalogue/keystore-databases.ts";
import { ports } from "../../catalogue/ports.ts";
import { parseQuantity } from "../../core/quantities.ts";
import type { KeystoreConnection, ObjectStoreConnection } from "../../stores/connections-args.ts";
import { ObjectStoreProvider } from "../../stores/object-storage/args.ts";
import { endpointOf } from "../../stores/object-storage/profiles.ts";
import { hubFiles } from "../configuration.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubPorts } from "../ports.ts";
import { partBytes } from "../registry-memory.ts";

/** Seconds that requests under way, layers of gigabytes, have when a pod of core or registry ends. */
export const drainSeconds = 90;

/** Configuration of the registry (distribution), which its controller reads as well. */
export interface RegistryConfiguration {
  readonly objectStore: ObjectStoreConnection;
  readonly bucket: string;
  /** Bytes of each part in which a layer is uploaded to the bucket; its registry holds some in memory. */
  readonly partBytes: number;
  /** Clients are sent to the object store for layers. */
  readonly redirect: boolean;
  readonly keystore: KeystoreConnection;
  /** Seconds that requests under way have when the pod ends. */
  readonly drainSeconds: number;
}

/** Inputs of the registry's configuration. */
export function registryConfiguration(args: ResolvedHub): RegistryConfiguration {
  const { objectStore, bucket, keystore } = args;
  const memory = parseQuantity(args.resources.registry.limits.memory) ?? 0;
  return {
    objectStore,
    bucket,
    keystore,
    partBytes: partBytes(memory),
    redirect: args.redirect === true,
    drainSeconds,
  };
}

/**
 * `config.yml` of the registry, which its controller reads too: distribution 2.8 with the hub's patches. Secrets come by the variables
 * REGISTRY_…, which it reads by itself. (goharbor/distribution configuration/configuration.go, registry/storage/driver/s3-aws/s3.go)
 */
export function registryFile(configuration: RegistryConfiguration): string {
  const { objectStore, bucket, partBytes, redirect, keystore, drainSeconds } = configuration;
  return stringify({
    version: "0.1",
    log: { level: "info", fields: { service: "registry" }, accesslog: { disabled: true } },
    storage: {
      s3: { ...location(objectStore), bucket, chunksize: partBytes },
      cache: { blobdescriptor: "redis" },
      maintenance: { uploadpurging: { enabled: true, age: "168h", interval: "24h", dryrun: false } },
      delete: { enabled: true },
      redirect: { disable: !redirect },
    },
    redis: {
      addr: `${keystore.host}:${keystore.port}`,
      db: keystoreDatabases.hub,
      dialtimeout: "10s",
      readtimeout: "10s",
      writetimeout: "10s",
      pool: { maxidle: 100, maxactive: 500, idletimeout: "60s" },
    },
    http: {
      addr: `:${ports.hubRegistry}`,
      draintimeout: `${drainSeconds}s`,
      debug: { addr: `:${hubPorts.metrics}`, prometheus: { enabled: true, path: "/metrics" } },
    },
    // Core signs in as the one user there is: tokens, which core makes for others, it checks itself.
    auth: { htpasswd: { realm: "harbor-registry-basic-realm", path: hubFiles.registryUsers } },
    validation: { disabled: true },
    compatibility: { schema1: { enabled: true } },
  });
}

/** An endpoint that is named makes the driver write the bucket into the path; without one it goes to AWS by the bucket's host. */
function location({ endpoint, region, pathStyle }: ObjectStoreConnection) {
  const byHost = !pathStyle && endpoint === endpointOf(ObjectStoreProvider.aws, region);
  return { region, ...(byHost ? {} : { regionendpoint: endpoint }), secure: endpoint.startsWith("https:") };
}

/** `config.yml` of the registry's controller, which deletes layers where the registry's own file says they are. (goharbor/harbor src/registryctl/config) */
export function registryControllerFile(): string {
  return stringify({
    protocol: "http",
    port: String(hubPorts.registryController),
    log_level: "info",
    registry_config: hubFiles.registry,
  });
}
