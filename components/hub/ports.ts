/** Ports of the hub's containers beside those of the specification. */
export const hubPorts = {
  /** The registry's controller sidecar (HTTP): core and jobs delete layers by it. */
  registryController: 8080,
  /** Metrics of core, registry and jobservice at /metrics (HTTP). */
  metrics: 8001,
} as const;
