import { defineAlert } from "../../core/alert.ts";
import type { ResolvedCopies } from "../schema.ts";

const metric = "hearth_copy_last_success_timestamp_seconds";

/** The first copy of a bucket takes a night, or several. */
export const copyUnknown = defineAlert<ResolvedCopies>({
  name: "HearthCopyUnknown",
  severity: "page",
  for: "36h",
  expression: ({ namespace, sources }) =>
    sources
      .flatMap(({ buckets }) => buckets)
      .map((bucket) => `absent(${metric}{namespace="${namespace}",bucket="${bucket}"})`)
      .join(" or "),
  summary: () => `Nothing says when bucket {{ $labels.bucket }} was copied: perhaps never.`,
  metrics: { [metric]: "hearth: components/copies/scripts/copy.sh" },
  runbook: {
    symptom:
      "For 36 hours Prometheus has not read when the bucket was copied: it never was, or the pod that tells it can't read the bucket of copies.",
    users: "Nothing now. There may be no second copy.",
    look: {
      text: "See whether the Jobs succeed, and whether the pod runs.",
      commands: [
        "kubectl -n copies get cronjobs",
        "kubectl -n copies get pods -o wide",
        "kubectl -n copies logs -l app.kubernetes.io/name=copies --tail=100",
        "kubectl -n copies logs -l app.kubernetes.io/name=copies-metrics --tail=50",
      ],
    },
    mend: {
      text: "A Job that fails says why in its log, for each bucket. If all succeed, mend the keys in Secret `copies-s3-credentials` or what keeps Prometheus from the pod, then restart it.",
      commands: ["kubectl -n copies rollout restart deploy/copies-metrics"],
    },
    verify: {
      text: "The alert ends once Prometheus reads it.",
      commands: ["kubectl -n copies get deployments"],
    },
    leave: "The first copy of a large bucket goes on every night until it is whole.",
  },
});
