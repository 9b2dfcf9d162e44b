/**
 * Kubernetes names of the platform: the specification's tables "Deployed components" and "Other named objects".
 * A pod of a StatefulSet adds `-0`; a database instance adds `-1`, `-2`.
 */
export const names = {
  forge: {
    webservice: "forge-webservice",
    jobs: "forge-jobs",
    gitstore: "forge-gitstore",
    shell: "forge-shell",
    pages: "forge-pages",
    toolbox: "forge-toolbox",
    runner: "forge-runner",
    tls: "forge-tls",
    pagesTls: "forge-pages-tls",
  },
  hub: {
    core: "hub-core",
    registry: "hub-registry",
    jobservice: "hub-jobservice",
    portal: "hub-portal",
    tls: "hub-tls",
  },
  keystore: "keystore",
  /** Reads the keystore's numbers for Prometheus. */
  keystoreExporter: "keystore-exporter",
  /** Inside a suite's own namespace. */
  cloudsuite: {
    web: "cloudsuite",
    cron: "cloudsuite-cron",
    database: "cloudsuite-db",
    office: "office",
    whiteboard: "whiteboard",
    tls: "cloudsuite-tls",
    officeTls: "office-tls",
    objectStoreCredentials: "cloudsuite-s3-credentials",
  },
} as const;

/** The volume claim of a keystore, named as a StatefulSet's template would: an object of its own grows in place, a template can't. */
export const keystoreClaim = `data-${names.keystore}-0`;

/** Names of the objects that belong to a database cluster, e.g. `forge-db` → `forge-db-pooler`. */
export function databaseNames(cluster: string) {
  return {
    cluster,
    /** The only address applications use. */
    pooler: `${cluster}-pooler`,
    /** Direct primary; for the operator and the pooler only. Made by the operator. */
    primary: `${cluster}-rw`,
    /** Object-store configuration of the backups. */
    backup: `${cluster}-backup`,
    /** Name and password of the owner `app`. */
    credentials: `${cluster}-app`,
  } as const;
}

/** DNS name of a Service inside the cluster, in the specification's short shape `<service>.<namespace>.svc`. */
export function serviceHost(service: string, namespace: string): string {
  return `${service}.${namespace}.svc`;
}
