import type { PlannedObject } from "../core/plan.ts";
import { prometheusRule } from "../kubernetes/monitoring.ts";
import { alerts } from "./alerts.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { forgeMetadata } from "./metadata.ts";

/**
 * The specification's metrics of jobs and git store, from what the programs give, and the alerts. Those of the web pods have its names already, and
 * `worker_queue_size` too, which the job pods' initializer gives (`configuration/platform-queue-size.rb`).
 */
export function metricRules(args: ResolvedForge): PlannedObject[] {
  const { namespace } = args;
  const of = (metric: string, more = "") => `${metric}{namespace="${namespace}"${more}}`;
  const completed = ["sidekiq_jobs_completion_seconds_count", "sidekiq_jobs_completion_count"];
  const recorded = {
    // Which of the two there is depends on a feature flag. (gitlabhq lib/gitlab/sidekiq_middleware/server_metrics.rb, `emit_sidekiq_histogram_metrics`)
    worker_jobs_processed_total: completed.map((metric) => of(metric)).join(" or "),
    worker_jobs_failed_total: of("sidekiq_jobs_failed_total"),
    gitstore_service_client_requests_total: of("gitaly_service_client_requests_total"),
    // Gitaly measures no repository; the kubelet measures the volume that holds them and nothing else.
    gitstore_repository_size_bytes: of(
      "kubelet_volume_stats_used_bytes",
      `,persistentvolumeclaim="${forgeNames.repositories}"`,
    ),
    gitstore_spawn_timeout_count: of("gitaly_spawn_timeouts_total"),
  };
  return prometheusRule(forgeMetadata(args, forgeNames.jobs, forgeNames.metrics), alerts, args, recorded);
}
