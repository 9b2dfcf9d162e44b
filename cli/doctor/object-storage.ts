import type { PlannedBucket } from "@hearth-platform/hearth/core/plan";
import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";

/** An object store's answers about one bucket. */
export interface BucketFacts {
  readonly name: string;
  readonly state: "there" | "absent" | "denied";
  /** Whether it answers to what is asked of a bucket that is there. */
  readonly versioning?: boolean;
  readonly lifecycle?: boolean;
  readonly multipart?: boolean;
}

/** Facts about an object store that the keys can read. */
export interface StoreFacts {
  /** Its host. */
  readonly name: string;
  /** Why nothing could be asked; absent: it answers. */
  readonly failure?: string;
  /** Whether it gave no answer at all: no route, no name, or a certificate that is not trusted. @default false */
  readonly isAway?: boolean;
  /** Whether AWS_ENDPOINT_URL_S3 names another store than the settings, as on the sandbox. @default false */
  readonly isElsewhere?: boolean;
  readonly buckets: readonly BucketFacts[];
}

/** Whether each object store answers, and can do what the stack's buckets ask of it. Nothing is written. */
export function objectStorageFindings(stores: readonly StoreFacts[], planned: readonly PlannedBucket[]): Finding[] {
  const { ok, unknown, warning, problem } = findings("object-storage");
  return stores.flatMap(({ name, failure, isAway, isElsewhere, buckets }) => {
    const subject = `object store ${name}`;
    if (failure !== undefined && isAway)
      return [
        problem(
          subject,
          `It can't be reached: ${failure}`,
          "Check its endpoint in the settings and the way there. For a certificate of a private authority, set NODE_EXTRA_CA_CERTS to the authority's file.",
        ),
      ];
    if (failure !== undefined)
      return [
        problem(
          subject,
          `The keys don't open it: ${failure}`,
          "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of this store.",
        ),
      ];
    const denied = buckets.filter(({ state }) => state === "denied").map((bucket) => bucket.name);
    const there = buckets.filter(({ state }) => state === "there");
    const lacking = (["versioning", "lifecycle", "multipart"] as const).filter(
      (ability) => isAsked(ability, planned) && there.some((bucket) => bucket[ability] === false),
    );
    return [
      ...(denied.length > 0
        ? [
            problem(
              subject,
              `${denied.join(", ")} can't be read: they belong to others, or these keys have no access.`,
              "Name other buckets, or use the keys that own them.",
            ),
          ]
        : []),
      ...(lacking.length > 0
        ? [
            isElsewhere
              ? warning(
                  subject,
                  `The store at AWS_ENDPOINT_URL_S3 does not support ${lacking.join(", ")}.`,
                  "Try what depends on it on the store of the settings.",
                )
              : problem(
                  subject,
                  `It does not support ${lacking.join(", ")}.`,
                  "Set hearth:objectStorage.provider to its provider.",
                ),
          ]
        : []),
      ...(keepsNothing(buckets, planned)
        ? [
            warning(
              subject,
              "Its buckets keep no former versions: what is deleted or overwritten there is gone.",
              "Set hearth:objectStorage.provider to its provider, or versioning: true if you let former versions go yourself.",
            ),
          ]
        : []),
      ...(there.length === 0 && denied.length === 0
        ? [unknown(subject, "It accepts the keys. Its abilities can be checked once it has a bucket of the stack.")]
        : []),
      ...(there.length > 0 && lacking.length === 0
        ? [
            ok(
              subject,
              `It accepts the keys, and its ${there.length === 1 ? "bucket answers" : `${there.length} buckets answer`} to versioning, lifecycle and multipart.`,
            ),
          ]
        : []),
    ];
  });
}

function isAsked(ability: "versioning" | "lifecycle" | "multipart", planned: readonly PlannedBucket[]): boolean {
  if (ability === "versioning") return planned.some(({ versioning }) => versioning);
  return (
    ability === "multipart" || planned.some(({ expireVersionsAfterDays }) => expireVersionsAfterDays !== undefined)
  );
}

/** Whether this program makes a store's buckets, and none of them with former versions. */
function keepsNothing(buckets: readonly BucketFacts[], planned: readonly PlannedBucket[]): boolean {
  const own = planned.filter(({ bucket }) => buckets.some(({ name }) => name === bucket));
  return own.length > 0 && !own.some(({ versioning }) => versioning);
}
