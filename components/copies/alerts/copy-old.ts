import { defineAlert } from "../../core/alert.ts";
import type { ResolvedCopies } from "../schema.ts";

/** A day between two copies, and half a day for a late one. */
const seconds = 36 * 60 * 60;

/** The times stand beside the copies: they are true also where the cluster was made anew. */
export const copyOld = defineAlert<ResolvedCopies>({
  name: "HearthCopyOld",
  severity: "page",
  for: "30m",
  expression: ({ namespace }) =>
    `max by (bucket) (time() - hearth_copy_last_success_timestamp_seconds{namespace="${namespace}"}) > ${seconds}`,
  summary: () => `The last good copy of bucket {{ $labels.bucket }} is {{ $value | humanizeDuration }} old.`,
  metrics: { hearth_copy_last_success_timestamp_seconds: "hearth: components/copies/scripts/copy.sh" },
  runbook: {
    symptom: "A bucket was not copied whole for 36 hours. The copy is as it was then, or further.",
    users: "Nothing now. What was written since could not be had back if the object store were lost.",
    look: {
      text: "The log says of each bucket why it was not copied.",
      commands: [
        "kubectl -n copies get cronjobs",
        "kubectl -n copies get jobs",
        "kubectl -n copies logs -l app.kubernetes.io/name=copies --tail=100",
      ],
    },
    mend: {
      text: "`are gone from the bucket`: find out who deleted them, and [bring them back](../how-to/copies.md) if it was a mistake. If it was meant, [let them go once](../how-to/copies.md#let-many-objects-go). `the time is over`: raise `hearth:copies.hours` or `bandwidth`. `its versioning is`: turn on the versioning of the bucket of copies. An error of a store: mend its keys or its space. Then copy at once.",
      commands: ["kubectl -n copies create job --from=cronjob/copy-platform copy-now"],
    },
    verify: {
      text: "The Job is complete.",
      commands: ["kubectl -n copies get jobs"],
    },
    leave: "The first copy of a large bucket goes on every night until it is whole.",
  },
});
