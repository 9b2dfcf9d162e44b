import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";

const buckets = /^(?:aws(?:-native)?:s3\/|minio:|s3\.aws\.|[\w.]*\.s3\.)/;

/** What gives a bucket to everybody, by the names of S3's own lists. */
const publicList =
  /^(?:public-read|public-read-write|authenticated-read|public)$|acs\.amazonaws\.com\/groups\/global\//;

/** Switches that keep a bucket closed. */
const blocks = ["blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"];

export const bucketAccess = resourcePolicy({
  id: "st-bucket-access",
  title: "Buckets for their owners only",
  rule: "No list of a bucket and no policy of it lets everybody in.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation: "Leave the list out, and name the accounts in the policy.",
  unseen: "Policies set in the object store itself, and conditions that open or close one.",
  tags: ["storage", "security"],
  settings: {},
  kinds: "any",
  *check(resource) {
    if (!buckets.test(resource.groupKind)) return;
    for (const { text, keys } of resource.texts) {
      const field = resource.get(...keys);
      if (publicList.test(text)) yield violation(field, "It must not let everybody in.");
      if (text.includes('"Statement"') && isOpen(text))
        yield violation(field, "It must name the accounts, not everybody.");
    }
    for (const field of resource.inputs.walk()) {
      if (blocks.includes(String(field.key)) && field.value === false) yield violation(field, "It must be true.");
      if (field.key === "Statement" && isOpen(JSON.stringify({ Statement: plain(field) })))
        yield violation(field, "It must name the accounts, not everybody.");
    }
  },
});

/** What is known of a value. */
function plain(field: Field): unknown {
  return field.glance?.value;
}

/** Whether a policy of S3 in JSON allows everybody something. */
function isOpen(text: string): boolean {
  try {
    const { Statement } = JSON.parse(text) as { Statement?: unknown };
    return [Statement].flat().some((each) => {
      const { Effect, Principal, NotPrincipal } = Object(each) as Record<string, unknown>;
      if (Effect !== "Allow") return false;
      const named = [typeof Principal === "object" && Principal !== null ? Object.values(Principal) : Principal].flat(
        2,
      );
      return NotPrincipal !== undefined || named.includes("*");
    });
  } catch {
    return false;
  }
}
