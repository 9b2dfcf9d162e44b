import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";

/** Resources of AWS and MinIO, and of the operators that make buckets. What another provider calls a list or a policy is judged too. */
const buckets = /^(?:aws:s3|aws-native:s3|minio:|s3(?:control)?\.(?:aws|services)\.|objectbucket\.io\/)/;

/** Keys of a list, and what gives a bucket to everybody in it: names of S3 and of CloudFormation, and MinIO's. */
const listKeys = /^(?:acl|cannedAcl|accessControl)$/i;
const publicList = /^(?:public|public-?read|public-?read-?write|authenticated-?read)$/i;
const publicGroup = /acs\.amazonaws\.com\/groups\/global\//;

/** Switches that keep a bucket closed. */
const blocks = ["blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"];

export const bucketAccess = resourcePolicy({
  id: "st-bucket-access",
  title: "Buckets for their owners only",
  rule: "No list of a bucket and no policy of it lets everybody in.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation: "Leave the list out, and name the accounts in the policy.",
  unseen:
    "Policies set in the object store itself or by a command, conditions that open or close one, and what other providers call neither `acl` nor write in AWS' form.",
  tags: ["storage", "security"],
  settings: {},
  kinds: "any",
  *check(resource) {
    const ofBucket = buckets.test(resource.groupKind);
    for (const { text, keys } of resource.texts) {
      const isList = listKeys.test(String(keys.at(-1))) && publicList.test(text);
      if (isList || (ofBucket && publicGroup.test(text)))
        yield violation(resource.get(...keys), "It must not let everybody in.");
      if (text.trimStart().startsWith("{") && isOpen(parsed(text), ofBucket))
        yield violation(resource.get(...keys), "It must name the accounts, not everybody.");
    }
    for (const field of resource.inputs.walk()) {
      if (ofBucket && blocks.includes(String(field.key)) && isOff(field)) yield violation(field, "It must be true.");
      if (/^statement$/i.test(String(field.key)) && isOpen({ statement: plain(field) }, ofBucket))
        yield violation(field, "It must name the accounts, not everybody.");
    }
  },
});

/** Off, also as a text: Pulumi's bridged providers take both. */
function isOff(field: Field): boolean {
  const known = field.glance;
  return known?.flag === false || known?.text === "false";
}

/** What is known of a value, without what is not. */
function plain(field: Field): unknown {
  return parsed(JSON.stringify(field.glance?.value) ?? "");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A map by its keys in small letters: some object stores read a policy so. */
function lower(map: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(Object(map)).map(([key, value]) => [key.toLowerCase(), value]));
}

/** Whether a policy of S3 allows everybody something. @param ofBucket it is one of a bucket; of another resource it has to name S3 itself */
function isOpen(policy: unknown, ofBucket: boolean): boolean {
  return [lower(policy).statement].flat().some((each) => {
    const { effect, principal, notprincipal, action, resource } = lower(each);
    if (!isText(effect, /^allow$/i)) return false;
    if (!ofBucket && !/\bs3:|:s3:/.test(JSON.stringify([action, resource]))) return false;
    const named = [typeof principal === "object" && principal !== null ? Object.values(principal) : principal].flat(2);
    return notprincipal !== undefined || named.some((name) => isText(name, /^(?:\*|arn:aws[\w-]*:iam::\*.*)$/));
  });
}

function isText(value: unknown, form: RegExp): boolean {
  return typeof value === "string" && form.test(value);
}
