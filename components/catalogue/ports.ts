/**
 * Ports of the platform: the specification's table "Internal ports", and the further ports the images need.
 * Every Service, container, route, network policy, policy pack and docs table takes its numbers from here.
 */
export const ports = {
  /** UI, API and internal API of forge-webservice (HTTP). */
  forgeWeb: 8080,
  /** Metrics of forge-webservice at /metrics (HTTP). */
  forgeWebMetrics: 8083,
  /** The proxy sidecar of forge-webservice: git over HTTP, uploads, long polling (HTTP). */
  forgeProxy: 8181,
  /** Metrics of forge-jobs at /metrics (HTTP). */
  forgeJobsMetrics: 3807,
  /** Git RPC of forge-gitstore (gRPC). */
  forgeGitstore: 8075,
  /** Metrics of forge-gitstore at /metrics (HTTP). */
  forgeGitstoreMetrics: 9236,
  /** Git over SSH, forge-shell. */
  forgeShell: 22,
  /** Static sites of forge-pages (HTTP). */
  forgePages: 8090,
  /** PostgreSQL: the pooler and the direct primary service. */
  database: 5432,
  /** Metrics of a database instance at /metrics (HTTP). */
  databaseMetrics: 9187,
  /** Metrics of a pooler instance at /metrics (HTTP); set by the operator. */
  poolerMetrics: 9127,
  /** Key-value protocol of the keystore. */
  keystore: 6379,
  /** Metrics of the keystore at /metrics of its exporter (HTTP). */
  keystoreMetrics: 9121,
  hubCore: 8080,
  hubRegistry: 5000,
  hubJobservice: 8080,
  hubPortal: 8080,
  /** Web server of the collaboration suite (HTTP); the Apache image's own port. */
  cloudsuite: 80,
  /** Collabora, the default office engine (HTTP). */
  officeCollabora: 9980,
  /** OnlyOffice, the other office engine (HTTP). */
  officeOnlyoffice: 80,
  /** Whiteboard server (HTTP and web sockets). */
  whiteboard: 3002,
  /** Push server of a suite (HTTP and web sockets). */
  push: 7867,
  /** Metrics of the push server at /metrics (HTTP). */
  pushMetrics: 7868,
  /** Imaginary, which makes a suite's previews (HTTP). */
  previews: 9000,
  /** Calls of the site webhook (HTTP). */
  siteWebhook: 8080,
  /** Probes and metrics of the site webhook (HTTP); never routed from outside. */
  siteWebhookOperations: 9090,
  /** Age and size of the last copies (HTTP). */
  copiesMetrics: 8080,
} as const;
