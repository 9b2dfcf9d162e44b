import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "./metrics.ts";

/** Adds what is said of every process. */
export function addProcessMetrics(metrics: Metrics): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  metrics.gauge("nodejs_eventloop_lag_seconds", "Longest delay of the event loop since the last scrape.", () => {
    const longest = delay.max / 1e9;
    delay.reset();
    return longest;
  });
  metrics.gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  metrics.gauge(
    "process_cpu_seconds_total",
    "CPU time used.",
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    "counter",
  );
  metrics.gauge("process_start_time_seconds", "When the process began.", () => performance.timeOrigin / 1000);
}
