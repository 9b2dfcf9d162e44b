import { soundParts } from "@hearth-platform/hearth/core/arguments";
import { parseImage, pullPlace } from "@hearth-platform/hearth/core/image-reference";
import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import { widenedLimits } from "@hearth-platform/hearth/core/limits-schema";
import { mirrored } from "@hearth-platform/hearth/core/platform";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { checkStructure } from "@hearth-platform/hearth/core/structure";
import type { SuiteLoad } from "@hearth-platform/hearth/limits/limit";

/** What the stack's limits are called in its file. */
export const limitsSetting = "hearth:limits";

/** By what levels differ, and what `HEARTH_POLICY_PROFILE` may be: the stack's profile, or that it is under maintenance. */
export const PolicyProfile = { ...Profile, maintenance: "maintenance" } as const;
export type PolicyProfile = (typeof PolicyProfile)[keyof typeof PolicyProfile];

/** Facts about a stack that its resources don't show. */
export interface StackFacts {
  /** In `production` recommendations are mandatory too. */
  readonly profile: Profile;
  /** Its forge is under maintenance: no replicas are right, too. */
  readonly maintenance: boolean;
  /** Expected load of each suite, by its name in the program. */
  readonly loads: Readonly<Record<string, SuiteLoad>>;
  /** Where the stack's own settings say its images come from: mirrors, the webhook's repository, and images that they name. */
  readonly imageSources: readonly string[];
  /** The Gateway that its settings name as one with listeners for every host, as namespace/name. */
  readonly existingGateway?: string;
  /** It has a lock with the digest of every image. */
  readonly imagesLocked: boolean;
  /** Repository, as nodes pull from it, of the image that the stack builds under a hash of its content. */
  readonly builtImage?: string;
  /** Objects whose data may be lost: `namespace/name`, or the name alone of a namespace or a bucket. */
  readonly allowDataLoss: readonly string[];
  /** Values it allows beyond the specification's sets. @default none */
  readonly limits?: LimitsArgs;
}

/** Without a word about the stack the strictest holds. */
export const strictest: StackFacts = {
  profile: Profile.production,
  maintenance: false,
  loads: {},
  imageSources: [],
  imagesLocked: false,
  allowDataLoss: [],
};

/**
 * What a stack says of itself.
 * @param environment of the policy pack, in which Pulumi puts the stack's configuration; `HEARTH_POLICY_PROFILE` is stronger than it
 */
export function stackFacts(environment: Readonly<Record<string, string | undefined>>): StackFacts {
  const config = parsed(environment.PULUMI_CONFIG);
  const setting = (name: string) => (Object.hasOwn(config, `hearth:${name}`) ? config[`hearth:${name}`] : undefined);
  const forge = record(parsed(setting("forge")));
  const suites = list(parsed(setting("cloudsuites"))).map(record);
  const { lock, mirrors } = record(parsed(setting("images")));
  const { repository, image } = record(parsed(setting("siteWebhook")));
  const { jobImage } = record(parsed(setting("hub")));
  const { name, namespace } = record(record(record(parsed(setting("ingress"))).gateway).existing);
  const asked = environment.HEARTH_POLICY_PROFILE;
  return {
    profile: profileOf(asked) ?? profileOf(setting("profile")) ?? strictest.profile,
    maintenance: asked === PolicyProfile.maintenance || forge.maintenance === true,
    loads: Object.fromEntries(
      suites.map(({ name, users, files }) => [String(name), { users: number(users), files: number(files) }]),
    ),
    imageSources: texts([
      ...Object.values(record(mirrors)),
      repository,
      ...texts([image, jobImage, ...suites.map(({ appsImage }) => appsImage)]).map(repositoryOf),
    ]),
    ...(texts([name, namespace]).length === 2 && { existingGateway: `${namespace}/${name}` }),
    imagesLocked: typeof lock === "string",
    ...(typeof repository === "string" && { builtImage: mirrored(repository, { mirrors: textMap(mirrors) }) }),
    allowDataLoss: texts(parsed(setting("allowDataLoss"))),
    ...(setting("limits") !== undefined && { limits: limitsIn(parsed(setting("limits"))) }),
  };
}

/** Entries of the right types. */
function limitsIn(value: unknown): LimitsArgs {
  return soundParts(widenedLimits, checkStructure(widenedLimits, value).known) as LimitsArgs;
}

function profileOf(value: unknown): Profile | undefined {
  return Object.values(Profile).find((profile) => profile === value);
}

function parsed(text: unknown): Record<string, unknown> {
  try {
    return JSON.parse(String(text)) ?? {};
  } catch {
    return {};
  }
}

/** With its registry. */
function repositoryOf(text: string): string | undefined {
  const image = parseImage(text);
  return image && Object.values(pullPlace(image)).join("/");
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: unknown): string[] {
  return list(value).filter((each) => typeof each === "string");
}

function textMap(value: unknown): Record<string, string> {
  const entries = Object.entries(record(value)).filter(([, text]) => typeof text === "string");
  return Object.fromEntries(entries) as Record<string, string>;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
