import type { SuiteLoad } from "../../components/cloudsuite/sizing.ts";
import { Profile } from "../../components/platform.ts";

/** What the policies hold a stack to: its own profile, or the rules while it is under maintenance. */
export const PolicyProfile = { ...Profile, maintenance: "maintenance" } as const;
export type PolicyProfile = (typeof PolicyProfile)[keyof typeof PolicyProfile];

/** What policies know of a stack beside its resources. */
export interface StackFacts {
  /** In `production` recommendations are mandatory too; under `maintenance` also no replicas are right. */
  readonly profile: PolicyProfile;
  /** What each suite is meant to carry, by its name in the program. */
  readonly loads: Readonly<Record<string, SuiteLoad>>;
}

/** Without a word about the stack the strictest holds. */
export const strictest: StackFacts = { profile: PolicyProfile.production, loads: {} };

/**
 * What a stack says of itself.
 * @param environment of the policy pack, in which Pulumi puts the stack's configuration; `HEARTH_POLICY_PROFILE` is stronger than it
 */
export function stackFacts(environment: Readonly<Record<string, string | undefined>>): StackFacts {
  const config = parsed(environment.PULUMI_CONFIG);
  const setting = (name: string) => (Object.hasOwn(config, `hearth:${name}`) ? config[`hearth:${name}`] : undefined);
  const forge = record(parsed(setting("forge")));
  const suites = list(parsed(setting("cloudsuites"))).map(record);
  const underMaintenance = forge.maintenance === true ? PolicyProfile.maintenance : undefined;
  return {
    profile:
      profileOf(environment.HEARTH_POLICY_PROFILE) ??
      underMaintenance ??
      profileOf(setting("profile")) ??
      strictest.profile,
    loads: Object.fromEntries(
      suites.map(({ name, users, files }) => [String(name), { users: number(users), files: number(files) }]),
    ),
  };
}

function profileOf(value: unknown): PolicyProfile | undefined {
  return Object.values(PolicyProfile).find((profile) => profile === value);
}

function parsed(text: unknown): Record<string, unknown> {
  try {
    return JSON.parse(String(text)) ?? {};
  } catch {
    return {};
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
