import { platform } from "../core/platform-schema.ts";
import type { Resolved } from "../core/resolve.ts";
import { as, block, count, defaultsTo, flag, list, optional, text, texts } from "../core/schema.ts";
import { bucketName, endpointUrl, namespaceName } from "../core/value-rules.ts";
import { resources } from "../kubernetes/resources-schema.ts";
import { objectStoreConnectionSchema } from "../stores/connections-schema.ts";
import { copiesNamespace } from "./copies-names.ts";
import { bucketNames, dailySchedule, sourceName } from "./value-rules.ts";

export const copySource = block("CopySourceArgs", "Buckets at one endpoint that are copied together.", {
  name: text("Name of the CronJob and of its Secret with keys, e.g. `team`.", { rule: sourceName }),
  endpoint: text("URL of the endpoint, e.g. `https://fsn1.your-objectstorage.com`.", { rule: endpointUrl }),
  region: text("Region code for signing requests, e.g. `fsn1`."),
  pathStyle: objectStoreConnectionSchema.shape.pathStyle,
  buckets: texts("Names of the buckets.", { rule: bucketNames }),
});

export const copyTarget = block("CopyTargetArgs", "The bucket of the copies, in another store. It exists already.", {
  endpoint: text("URL of its endpoint. Take another provider than the buckets', or at least another account.", {
    examples: ["https://s3.eu-central-003.backblazeb2.com"],
    rule: endpointUrl,
  }),
  region: text("Region code for signing requests, e.g. `eu-central-003`."),
  pathStyle: optional(objectStoreConnectionSchema.shape.pathStyle, "true, but false at AWS's own endpoints"),
  bucket: text("Name of the bucket. It must keep former versions; each bucket has a folder of its name in it.", {
    examples: ["copies-a1b2"],
    rule: bucketName,
  }),
});

export const copies = block("CopiesArgs", "A second copy of each bucket in another object store, made every night.", {
  namespace: defaultsTo(
    text("Namespace of the Jobs that copy, created with them. Applications can't read its keys.", {
      rule: namespaceName,
    }),
    copiesNamespace,
  ),
  sources: list(copySource, "What is copied."),
  to: as(copyTarget, "Where the copies are."),
  schedule: defaultsTo(
    text("When a copy begins, every day, as a cron schedule of five fields in the cluster's time.", {
      rule: dailySchedule,
    }),
    "15 3 * * *",
  ),
  hours: defaultsTo(
    count("Hours that a copy may take. What is not done by then, the next copy goes on with.", { min: 1, max: 23 }),
    6,
  ),
  bandwidth: optional(count("Most MiB a second that a source's copy sends.", { min: 1 }), "as fast as both stores are"),
  maxDeletedPercent: defaultsTo(
    count(
      "Share of a copy's objects that may be deleted at once, in percent; up to 10 objects always may. A copy that would lose more, or all, does not begin and its Job fails. With 100 any number may go.",
      { max: 100 },
    ),
    25,
  ),
  networkPolicies: optional(
    flag("Network policies that allow exactly the connections the copies need and deny all others."),
    "as the whole stack: with profile production",
  ),
  resources: resources("Resources of a pod that copies.", "100m", "256Mi", "1000m", "1Gi"),
  platform: as(platform, "Settings that all components of the stack share."),
});

/** The arguments of the copies with their defaults. */
export interface ResolvedCopies extends Resolved<typeof copies> {}
