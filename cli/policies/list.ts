import type { EnforcementLevel, Pack, Policy, PolicySeverity, SettingValue } from "@hearth-platform/policy/core/policy";
import { PolicyProfile } from "@hearth-platform/policy/core/stack-facts";
import { packs } from "@hearth-platform/policy/policies";

/** A policy as people and programs read about it. */
export interface ListedPolicy {
  readonly id: string;
  readonly pack: string;
  readonly title: string;
  readonly rule: string;
  readonly severity: PolicySeverity;
  /** How strict it is, by profile. */
  readonly levels: Readonly<Record<PolicyProfile, EnforcementLevel>>;
  readonly remediation: string;
  /** What breaks the rule and is not seen. */
  readonly unseen?: string;
  readonly tags: readonly string[];
  /** Kinds that it judges. */
  readonly kinds: readonly string[] | "any";
  readonly settings: readonly ListedSetting[];
  /** Whether `hearth validate` tells the same of a config.yaml. */
  readonly validated: boolean;
  /** The admission policy that says the same in the cluster. */
  readonly admissionCounterpart?: string;
}

/** A setting of a policy. */
export interface ListedSetting {
  readonly name: string;
  readonly description: string;
  readonly default: SettingValue;
}

/** Policies whose rule `hearth validate` holds a suite's config.yaml to as well. */
const validated: ReadonlySet<string> = new Set([
  "lim-db-major",
  "lim-cloudsuite-replicas",
  "lim-db-replicas",
  "lim-keystore-replicas",
  "lim-db-volume",
  "lim-keystore-volume",
  "lim-cloudsuite-resources",
  "lim-db-resources",
  "lim-keystore-resources",
  "lim-office-resources",
  "lim-whiteboard-resources",
  "lim-storage-class",
  "lim-requests",
  "lim-s3-location",
  "lim-office-domain",
  "wl-image-tag",
]);

/** Every policy, in the order of its pack. */
export function listPolicies(): ListedPolicy[] {
  return packs.flatMap((pack) => pack.policies.map((policy) => listed(pack, policy)));
}

function listed(pack: Pack, policy: Policy): ListedPolicy {
  const { id, title, rule, severity, level, remediation, unseen, tags, kinds, settings, admissionCounterpart } = policy;
  const levels = Object.values(PolicyProfile).map((profile) => [
    profile,
    typeof level === "string" ? level : level[profile],
  ]);
  return {
    id,
    pack: pack.name,
    title,
    rule,
    severity,
    levels: Object.fromEntries(levels),
    remediation,
    ...(unseen !== undefined && { unseen }),
    tags,
    kinds,
    settings: Object.entries(settings).map(([name, setting]) => ({ name, ...setting })),
    validated: validated.has(id),
    ...(admissionCounterpart !== undefined && { admissionCounterpart }),
  };
}

/** How strict a policy is, in a few words: `mandatory`, or `mandatory (development: advisory)`. */
export function levelText({ levels }: ListedPolicy): string {
  const { production } = levels;
  const others = Object.entries(levels)
    .filter(([, level]) => level !== production)
    .map(([profile, level]) => `${profile}: ${level}`);
  return others.length === 0 ? production : `${production} (${others.join(", ")})`;
}
