import { parseDuration } from "@hearth-platform/hearth/core/durations";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import type { IntervalLimit } from "@hearth-platform/hearth/limits/limit";
import { staticSiteNames } from "@hearth-platform/hearth/site-webhook/webhook-names";
import { EnforcementLevel, type ResourcePolicy, resourcePolicy, violation } from "../core/policy.ts";
import { described } from "./suites.ts";

const webhook = "hearth/SiteWebhook";
const { group, kind } = staticSiteNames({});

/** A row of a time between two syncs as a policy. What is no duration is refused, what is short only in production. */
export const intervalPolicy = (limit: IntervalLimit): ResourcePolicy =>
  resourcePolicy({
    ...described(limit),
    unseen: "Sites made outside the stack.",
    level: EnforcementLevel.mandatory,
    settings: {
      leastSeconds: {
        description: "Shortest time between two syncs, in seconds.",
        default: limit.least(),
      },
    },
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
