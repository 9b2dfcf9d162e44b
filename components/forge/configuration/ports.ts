/** Ports of the forge's containers that the specification does not list: those of probes and monitors, and those that a Service maps to another number. */
export const forgeContainerPorts = {
  /** Git over SSH in the shell's container; its Service maps 22 to it, which only root may bind. */
  shell: 2222,
  /** Health and metrics of the shell (HTTP). */
  shellHealth: 9122,
  /** Health of the background jobs (HTTP). */
  jobsHealth: 3808,
  /** Health of the static sites (HTTP), which answers without a proxy's headers. */
  pagesHealth: 9090,
  /** Metrics of the static sites at /metrics (HTTP). */
  pagesMetrics: 9235,
  /** Metrics of the runner at /metrics (HTTP). */
  runnerMetrics: 9252,
} as const;
