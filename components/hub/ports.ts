/** Ports of the hub's containers beside those of the specification. */
export const hubPorts = {
  /** The registry's controller sidecar (HTTP): core and jobs delete layers by it. */
  registryController: 8080,
  /** Metrics of core, registry and jobservice at /metrics (HTTP). */
  metrics: 8001,
  /** Sign-in with tokens of the forge (HTTP). */
  signIn: 8080,
  /** Its probes and metrics (HTTP); never routed from outside. */
  signInOperations: 9090,
} as const;
