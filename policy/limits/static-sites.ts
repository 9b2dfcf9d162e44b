import { limits } from "@hearth-platform/hearth/catalogue/limits";
import { parseDuration } from "@hearth-platform/hearth/core/durations";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { staticSiteResource } from "@hearth-platform/hearth/site-webhook/webhook-names";
import { Level, resourcePolicy, Severity, violation } from "../core/policy.ts";

const webhook = "hearth/SiteWebhook";
const { group, kind } = staticSiteResource({});

export const syncInterval = resourcePolicy({
  id: "lim-sync-interval",
  title: "Time between two syncs of a site",
  rule: `A site's syncInterval is a Go duration and not too short. The default is ${limits.syncIntervalMinutes}m.`,
  severity: Severity.low,
  level: Level.mandatory,
  remediation: `Write a duration such as ${limits.syncIntervalMinutes}m; the webhook syncs a site at once.`,
  tags: ["limits", "static sites"],
  settings: {
    leastSeconds: {
      description: "Shortest time between two syncs, in seconds.",
      default: limits.syncIntervalLeastSeconds,
    },
  },
  admissionCounterpart: "sync-interval",
  kinds: [webhook, `${group}/${kind}`],
  *check(resource, { leastSeconds }, { profile }) {
    const fields =
      resource.groupKind === webhook
        ? resource.get("sites").items.map((site) => site.get("syncInterval"))
        : [resource.get("spec", "syncInterval")];
    for (const field of fields.filter(({ exists }) => exists)) {
      const seconds = parseDuration(field.text ?? "");
      if (seconds === undefined || seconds <= 0) yield violation(field, "It has to be a duration above zero.");
      else if (seconds < leastSeconds)
        yield {
          ...violation(field, `It should be ${leastSeconds} seconds or more.`),
          advice: profile === Profile.development,
        };
    }
  },
});
